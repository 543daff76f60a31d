"""Outputs that a loop puts into a list or tensor that only grows: what is kept has a graph where a backward goes through it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from loopcheck.api import ACTIVATIONS, GATHERS, LIMITS, MOVES, SMOOTH
from loopcheck.read.domain.here import Pass
from loopcheck.read.domain.values import Function, Tensor, Value
from loopcheck.read.front import ir
from loopcheck.read.front.bound import bound_by
from loopcheck.read.interpret.growing import begins_and_goes_on, joined_to
from loopcheck.read.interpret.machine import Machine

_KEEPING = (MOVES | ACTIVATIONS.keys() | {"clone"}) - {"int", "long", "to"}
"""Methods and functions that keep the graph of a tensor, whatever they are given: of whole numbers there is none."""


def lists_output(m: Machine, target: ir.Expression, added: ir.Node, value: Value, turn: Pass) -> bool:
    """Whether a pass adds what a model has put out in it to a list that only grows, moved or made probabilities at most.

    Of several outputs some may have no graph, and of what is computed of one as well.
    """
    if not isinstance(turn.node, (ir.For, ir.While)) or not isinstance(target, ir.Name) or not isinstance(value, Tensor):
        return False
    applied = m.state.applied.get(value.term)
    forward = getattr(applied.at, "node", None) if applied else None
    return forward is not None and _is_of(forward, added, turn.node, frozenset()) and _only_grows(target.name, turn.node)


def _is_of(forward: ir.Place, node: ir.Node, loop: ir.For | ir.While, inside: frozenset[str]) -> bool:
    """Whether an expression is what a call puts out, by whichever names of the loop. inside: those that are looked at already."""
    if node is forward:
        return True
    match node:
        case ir.Name(name=name):
            values = bound_to(name, loop)
            return name in inside or (bool(values) and all(_is_of(forward, each, loop, inside | {name}) for each in values))
        case ir.Call(function=ir.Attribute(base=base, name=name)) if name in _KEEPING and _is_of(forward, base, loop, inside):
            return True
        case ir.Call(function=ir.Attribute(name=name) | ir.Name(name=name), arguments=(ir.Argument(value=first, star=""), *_)):
            return name in ACTIVATIONS and _is_of(forward, first, loop, inside)
        case _:
            return False


def adds_output(m: Machine, added: ir.Expression, value: Tensor, turn: Pass) -> bool:
    """Whether a pass adds up numbers that are computed, by operations that keep its graph, of what a model has put out in it as
    one: of several outputs some may have no graph."""
    if not isinstance(turn.node, (ir.For, ir.While)):
        return False
    forwards = [getattr(m.state.applied[each].at, "node", None) for each in value.forwards]
    return any(each is not None and _Computed(m, each, turn.node, {}).of(added) for each in forwards)


_SMOOTH = (_KEEPING | SMOOTH | LIMITS) - {"type"}
_ARITHMETIC = frozenset({"+", "-", "*", "/", "**"})


@dataclass(frozen=True)
class _Computed:
    """Expressions of a loop that have the graph of a forward. given: what the parameters of a function stand for, that is read
    as the loop calls it; none outside of one. inside: the names that are looked at already."""

    m: Machine
    forward: ir.Place
    loop: ir.For | ir.While
    given: Mapping[str, ir.Expression]
    inside: frozenset[str] = frozenset()

    def of(self, node: ir.Expression) -> bool:
        """Whether an expression is computed of what the forward puts out, and cut nowhere."""
        match node:
            case _ if node is self.forward:
                return True
            case ir.Name(name=name) if self.given:
                return name in self.given and _Computed(self.m, self.forward, self.loop, {}).of(self.given[name])
            case ir.Name(name=name):
                values = bound_to(name, self.loop)
                again = _Computed(self.m, self.forward, self.loop, {}, self.inside | {name})
                return name in self.inside or (bool(values) and all(map(again.of, values)))
            case ir.Unary(operator="-", operand=operand):
                return self.of(operand)
            case ir.Binary(operator=operator, left=left, right=right):
                return operator in _ARITHMETIC and (self.of(left) or self.of(right))
            case ir.Call(function=ir.Attribute(base=base, name=name)) if name in _SMOOTH and self.of(base):
                return True
            case ir.Call(function=ir.Attribute(name=name), arguments=(ir.Argument(value=first, star=""), *_)):
                return name in _SMOOTH - MOVES and self.of(first)
            case ir.Call(function=ir.Name()) if not self.given:
                return self._of_function(node)
            case _:
                return False

    def _of_function(self, node: ir.Call) -> bool:
        """Whether a function of the project, which does no more than that, hands back what is computed so of its arguments."""
        called = self.m.evaluate(node.function)
        if (
            not isinstance(called, Function)
            or called.code.decorators
            or any(each.star or each.keyword for each in node.arguments)
        ):
            return False
        match called.code.body:
            case (ir.Return(value=value),) if value is not None:
                handed = dict(zip(called.code.parameters.names, (each.value for each in node.arguments), strict=False))
                return bool(handed) and _Computed(self.m, self.forward, self.loop, handed).of(value)
            case _:
                return False


@lru_cache(maxsize=4096)
def bound_to(name: str, loop: ir.For | ir.While) -> tuple[ir.Expression, ...]:
    """What the passes of a loop bind a name to; nothing where they bind it by other means than a plain assignment, too."""
    found = list[ir.Expression]()
    for node in ir.walk(*loop.body):
        match node:
            case ir.Assign(targets=(ir.Name(name=bound),), value=value) if bound == name:
                found.append(value)
            case _ if name in bound_by(node):
                return ()
    return tuple(found)


@lru_cache(maxsize=4096)
def _only_grows(name: str, loop: ir.For | ir.While) -> bool:
    """Whether the passes of a loop append to a list and put together what it holds, and nothing else."""
    nodes = [*ir.walk(*loop.body)]
    return _mentions(name, *nodes) == sum(_harmless(name, each) for each in nodes)


def _mentions(name: str, *nodes: ir.Node) -> int:
    return sum(isinstance(each, ir.Name) and each.name == name for each in nodes)


def _harmless(name: str, node: ir.Node) -> int:
    """How often code names what it appends to, or puts together with more, or puts together what that holds."""
    match node:
        case ir.Call(function=ir.Attribute(base=ir.Name(name=of), name="append" | "extend")) if of == name:
            return 1
        case ir.Call(function=ir.Attribute(name=function), arguments=(ir.Argument(value=ir.Name(name=given)), *_)) if (
            given == name
        ):
            return function in GATHERS
        case ir.Assign(targets=(ir.Name(name=of) as whole,), value=value) if of == name and _is_joined(whole, value):
            return _mentions(name, *ir.walk(node))
        case ir.If(test=test) if (begin := begins_and_goes_on(node)) is not None:
            return _mentions(name, *begin.targets) and _mentions(name, *ir.walk(test, begin))
        case _:
            return 0


def _is_joined(whole: ir.Expression, value: ir.Expression) -> bool:
    """Whether a target is put together with more, or begins with that where there is nothing yet."""
    match value:
        case ir.Conditional(then=then, other=other):
            return _is_joined(whole, then) or _is_joined(whole, other)
        case _:
            return bool(joined_to(whole, value))
