"""What the batches of an evaluation come to, added up or handed to a meter, each batch alike whatever its size."""

from __future__ import annotations

import ast
import linecache
import math
from collections.abc import Generator, Iterator
from functools import cache
from types import CodeType
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from loopcheck.api import MEANING
from loopcheck.loop import Role
from loopcheck.record.code import inside
from loopcheck.record.data import MOST_BATCHES, Batches, Data
from loopcheck.record.patch import Call, wrap
from loopcheck.record.site import Site, Sites
from loopcheck.record.tape import Tape
from loopcheck.record.watch import Watch
from loopcheck.words import MEANS

CLOSE = 1e-5
"""What a sum may differ from the losses that it is of, relatively: it may be rounded after each."""


class Tallying:
    """Looks, at the end of a pass that nothing is trained in and whose batches differ in size, for what holds the plain sum of
    their mean losses, or a list of these. A statement that adds to it is told once.
    """

    def __init__(self, tape: Tape, sites: Sites, data: Data, watch: Watch) -> None:
        self._tape = tape
        self._sites = sites
        self._data = data
        self._watch = watch
        self._trained: set[tuple[Role, ...]] = set()
        self._told: set[tuple[str, int]] = set()

    def install(self) -> None:
        for name in MEANING:
            wrap(functional, name, self.computed)
        self._data.on_over.append(self.over)

    def computed(self, *args: Any, **kwargs: Any) -> Generator[Call | None, Any, None]:
        """A loss of a batch, if it is a mean."""
        loss = yield None
        mean = kwargs.get("reduction", "mean") == "mean" and kwargs.get("size_average") is not False
        if mean and isinstance(loss, Tensor) and loss.dim() == 0 and len(self._tape.passes) == 1:
            (number,) = self._tape.passes
            batches = self._data.batches.get(number)
            if batches and len(batches.losses) < MOST_BATCHES:
                batches.losses.append(loss.detach())

    def over(self, number: int) -> None:
        """A pass over a loader has come to its end."""
        batches = self._data.batches.pop(number, Batches())
        begun = self._data.passes[number]
        loader = begun.event.on
        for moment in reversed(self._tape.moments):
            if moment is begun:
                break
            if moment.event.verb == "backward":
                self._trained.add(loader)
                return
        if loader in self._trained or len(batches.losses) != len(batches.sizes) or not batches.losses:
            return
        losses = [float(each) for each in batches.losses]  # which waits for the GPU: not for a pass of training
        self._watch.evaluated(batches.sizes, losses)
        if len(set(batches.sizes)) < 2:
            return
        for frame in self._sites.frames():
            for name, value in [*frame.f_locals.items()]:
                if any(_is_of(each, losses) for each in _numbers(value, len(losses))):
                    self._tell(frame.f_code, name)

    def _tell(self, code: CodeType, name: str) -> None:
        file = code.co_filename
        for line in _additions(code, name):
            if (file, line) not in self._told:
                self._told.add((file, line))
                text = linecache.getline(file, line).strip()
                at = Site(file, line, text, ((file, line),), (code.co_name,), (text,))
                self._tape.emit_at(at, "tally", Role("meter", name), validating=True, alike=True, ragged="known")


def _numbers(value: object, length: int, depth: int = 3) -> Iterator[float | list[float]]:
    """The numbers that a variable holds, and the lists of so many: no other, for a program may hold millions."""
    if isinstance(value, Tensor):
        if value.dim() == 0 or (value.dim() == 1 and len(value) == length):
            yield from _numbers(value.tolist(), length, depth)
    elif isinstance(value, (bool, str, torch.nn.Module)):
        return
    elif isinstance(value, (int, float)):
        yield float(value)
    elif isinstance(value, (list, tuple)):
        if len(value) == length and all(_is_number(each) for each in value):
            yield [float(each) for each in value]
    elif depth and isinstance(value, dict):
        for each in value.values():
            yield from _numbers(each, length, depth - 1)
    elif depth and hasattr(value, "__dict__"):
        yield from _numbers(vars(value), length, depth - 1)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) or (isinstance(value, Tensor) and value.dim() == 0)


def _is_of(found: float | list[float], losses: list[float]) -> bool:
    """Whether that is the plain sum of these, or all of these."""
    if isinstance(found, list):
        return all(math.isclose(one, other, rel_tol=CLOSE) for one, other in zip(found, losses, strict=True))
    return math.isclose(found, sum(losses), rel_tol=CLOSE)


@cache
def _additions(code: CodeType, name: str) -> list[int]:
    """The lines of a function that add to something of this name, where that comes to a mean of the batches' numbers."""
    try:
        tree = ast.parse("".join(linecache.getlines(code.co_filename)))
    except SyntaxError:
        return []
    nodes = list(inside(tree, code))
    if not any(_is_share(node, name) for node in nodes):
        return []
    return [node.lineno for node in nodes if _added_to(node) == name]


def _is_share(node: ast.AST, name: str) -> bool:
    """It is divided by a number, or the mean of it taken; or it is told elsewhere how many samples a number is of."""
    match node:
        case ast.BinOp(op=ast.Div(), left=whole) | ast.AugAssign(op=ast.Div(), target=whole):
            return _speaks_of(whole, name)
        case ast.Call(func=ast.Attribute(attr="update"), args=args, keywords=keywords):
            return len(args) + len(keywords) == 2
        case ast.Call(func=ast.Attribute(attr=called) | ast.Name(id=called)):
            return called in MEANS and _speaks_of(node, name)
        case _:
            return False


def _speaks_of(node: ast.AST, name: str) -> bool:
    return any(isinstance(each, ast.Name) and each.id == name for each in ast.walk(node))


def _added_to(node: ast.AST) -> str:
    """What a statement adds to: `total` of `total += loss`, `losses.append(loss)`, `losses[i] = loss`, `total.update(loss)`."""
    match node:
        case ast.AugAssign(target=target, op=ast.Add()):
            return _root(target)
        case ast.Assign(targets=[target], value=ast.BinOp(left=left, op=ast.Add())) if ast.unparse(left) == ast.unparse(target):
            return _root(target)
        case ast.Assign(targets=[ast.Subscript(value=target)]):
            return _root(target)
        case ast.Call(func=ast.Attribute(value=target, attr="append" | "update"), args=args, keywords=keywords):
            return _root(target) if len(args) + len(keywords) == 1 else ""
        case _:
            return ""


def _root(node: ast.AST) -> str:
    while isinstance(node, (ast.Subscript, ast.Attribute)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
