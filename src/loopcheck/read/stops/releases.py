"""The release of torch that code is written for: what was right in that may be a bug since."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from loopcheck.read.front.source import Source
from loopcheck.read.stops.running import FUNCTION
from loopcheck.read.stops.written import Written


def indexes_numbers(source: Source) -> bool:
    """Whether a file asks for `loss.data[0]` of a loss that goes backward, and so has no dimension: torch has raised IndexError
    since its release 0.5."""
    tree = Written.of(source).tree if ".data[0]" in source.text else ast.Module([], [])
    scopes = [ast.walk(each) for each in ast.walk(tree) if isinstance(each, FUNCTION)]
    return any(map(_indexes_a_loss, [_outside(tree), *scopes]))


def _outside(tree: ast.AST) -> Iterator[ast.AST]:
    """What a module does by itself, outside of functions."""
    rest = [tree]
    while rest:
        yield (each := rest.pop())
        rest += [child for child in ast.iter_child_nodes(each) if not isinstance(child, FUNCTION)]


def _indexes_a_loss(scope: Iterator[ast.AST]) -> bool:
    nodes = [*scope]
    losses = _indexed(nodes)
    return any(_goes_backward(each, losses) for each in nodes)


def _indexed(nodes: list[ast.AST]) -> set[str]:
    """The names of which `.data[0]` is asked."""
    found = set()
    for each in nodes:
        match each:
            case ast.Subscript(value=ast.Attribute(value=ast.Name(id=name), attr="data"), slice=ast.Constant(value=0)):
                found.add(name)
    return found


def _goes_backward(node: ast.AST, losses: set[str]) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="backward"), args=[]):
            return name in losses
        case _:
            return False
