"""Networks that answer in train mode with something else than in eval mode: with their losses, or with more than one output."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from loopcheck.loop import Role
from loopcheck.read.domain.values import Function
from loopcheck.read.front import ir
from loopcheck.read.interpret.lineage import method_of
from loopcheck.read.interpret.machine import Machine
from loopcheck.words import LOSSES, words


def answers_by_mode(m: Machine, role: Role) -> bool:
    """Whether what the forward of a network of the project returns in train mode is of another kind than in eval mode: who goes
    on with it wants that mode, or would fail."""
    made = m.made_of.get(role)
    method = made and method_of(m, made.cls, "forward", made)
    return isinstance(method, Function) and _answers(method.code)


@lru_cache(maxsize=1024)
def _answers(code: ir.Code) -> bool:
    return any(bool(then) and bool(other) and then.isdisjoint(other) for then, other in _by_mode(code.body))


def _by_mode(block: ir.Block, after: ir.Block = ()) -> Iterator[tuple[set[object], set[object]]]:
    """The kinds of what is returned in either mode, for each test of the mode in a block and below it. after: what comes next."""
    for index, node in enumerate(block):
        rest = (*block[index + 1 :], *after)
        match node:
            case ir.If(test=test, then=then, other=other) if _asks_own_mode(test):
                yield {*_returned(then)}, {*_returned(other or rest)}
            case ir.Return(value=ir.Conditional(test=test, then=one, other=another)) if _asks_own_mode(test):
                yield {_kind(one)}, {_kind(another)}
        for inner in ir.blocks(node):
            yield from _by_mode(inner, rest)


def _asks_own_mode(test: ir.Node) -> bool:
    """Whether a test asks for the mode that a network is in: what it is told by its caller is another thing."""
    return any(isinstance(each, ir.Attribute) and each.name == "training" for each in ir.walk(test))


def _returned(block: ir.Block) -> Iterator[object]:
    """The kind of each value that a block returns."""
    return (_kind(node.value) for node in ir.walk(*block) if isinstance(node, ir.Return) and node.value is not None)


def _kind(value: ir.Expression) -> object:
    """What an expression gives: a loss, nothing, a dictionary, of several values that of each, and else one thing."""
    match value:
        case ir.Sequence(elements=elements):
            return tuple(map(_kind, elements))
        case ir.Mapping():
            return "several"
        case ir.Literal(value=None):
            return "nothing"
        case ir.Name(name=name) | ir.Attribute(name=name) | ir.Call(function=ir.Name(name=name) | ir.Attribute(name=name)):
            return "loss" if words(name) & LOSSES else "one"
        case ir.Binary(left=left):
            return _kind(left)
        case _:
            return "one"
