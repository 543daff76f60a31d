"""Graphs that stay alive after they were backpropagated, for something that outlives their pass holds a loss of theirs."""

from __future__ import annotations

import ast
import inspect
import linecache
from collections import Counter
from collections.abc import Generator, Iterator
from functools import cache
from types import CodeType, FrameType
from typing import Any

import torch

from loopcheck.loop import Role
from loopcheck.record import graph
from loopcheck.record.code import inside
from loopcheck.record.modules import Modules
from loopcheck.record.patch import Call, wrap
from loopcheck.record.site import Site, Sites
from loopcheck.record.tape import Tape

FEWEST = 3
"""Batches whose graphs one variable holds: those of this one and of the one before may be there because nothing was computed
since."""


class Retaining:
    """Looks, after each backward, for variables that hold the graphs of earlier ones.

    A statement that adds to one is told once.
    """

    def __init__(self, tape: Tape, sites: Sites, modules: Modules) -> None:
        self._tape = tape
        self._sites = sites
        self._modules = modules
        self._told: set[tuple[str, int]] = set()

    def install(self) -> None:
        wrap(torch.Tensor, "backward", self.backward)
        wrap(torch.autograd, "backward", self.backward)

    def backward(self, *args: Any, **kwargs: Any) -> Generator[Call | None, Any, None]:
        outermost = not self._modules.busy and not torch.compiler.is_compiling()
        yield None
        if outermost and len({self._modules.learned[event] for event in self._modules.alive()}) >= FEWEST:
            for frame in self._sites.frames():
                for name, value, code in _variables(frame, self._sites):
                    lessons = [role for event in self._modules.lessons(value).values() for role in event.on]
                    if max(Counter(lessons).values(), default=0) >= FEWEST:  # an ensemble's are of a batch, one of each model
                        self._tell(frame, name, code, lessons)

    def _tell(self, frame: FrameType, name: str, code: CodeType | type, models: list[Role]) -> None:
        for file, line in _additions(code, name):
            if (file, line) not in self._told:
                self._told.add((file, line))
                text = linecache.getline(file, line).strip()
                at = Site(file, line, text, ((file, line),), (frame.f_code.co_name,), (text,))
                self._tape.emit_at(at, "retain", *dict.fromkeys(models), learned=False)


def _variables(frame: FrameType, sites: Sites) -> Iterator[tuple[str, Any, CodeType | type]]:
    """What a frame can name, each with its name and the function or class whose code has that name for it."""
    for name, value in [*frame.f_locals.items()]:
        if list(graph.tensors(value)):
            yield name, value, frame.f_code
        elif sites.defines(type(value)) and not isinstance(value, torch.nn.Module):
            yield from ((f"self.{of}", held, type(value)) for of, held in [*vars(value).items()] if list(graph.tensors(held)))


@cache
def _additions(code: CodeType | type, name: str) -> list[tuple[str, int]]:
    """The places in a function, class or module that add to something of this name."""
    file = code.co_filename if isinstance(code, CodeType) else inspect.getsourcefile(code) or ""
    try:
        tree = ast.parse("".join(linecache.getlines(file)))
    except SyntaxError:
        return []
    return [(file, node.lineno) for node in inside(tree, code) if name in _added_to(node)]


def _added_to(node: ast.AST) -> list[str]:
    """What a statement adds to: `total` of `total += loss`, of `total = total + loss`, and of `total.append(loss)`."""
    match node:
        case ast.AugAssign(target=target, op=ast.Add()):
            return [_root(target)]
        case ast.Assign(targets=[target], value=ast.BinOp(left=left, op=ast.Add())) if ast.unparse(left) == ast.unparse(target):
            return [_root(target)]
        case ast.Call(func=ast.Attribute(value=target, attr="append")):
            return [_root(target)]
        case _:
            return []


def _root(node: ast.AST) -> str:
    """The variable, or the attribute of an object, that holds it all."""
    while isinstance(node, ast.Subscript):
        node = node.value
    return ast.unparse(node)
