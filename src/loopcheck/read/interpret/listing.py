"""Outputs of models that a loop puts into a list: what is listed has a graph where a backward goes through it."""

from __future__ import annotations

from functools import lru_cache

from loopcheck.api import ACTIVATIONS, GATHERS, MOVES
from loopcheck.read.domain.here import Pass
from loopcheck.read.domain.values import Tensor, Value
from loopcheck.read.front import ir
from loopcheck.read.front.bound import bound_by
from loopcheck.read.interpret.machine import Machine

_KEEPING = (MOVES | ACTIVATIONS.keys() | {"clone"}) - {"int", "long", "to"}
"""Methods and functions that keep the graph of a tensor, whatever they are given: of whole numbers there is none."""


def lists_output(m: Machine, target: ir.Expression, added: ir.Expression, value: Value, turn: Pass) -> bool:
    """Whether a pass adds what a model has put out in it to a list that only grows, moved or made probabilities at most.

    Of several outputs some may have no graph, and of what is computed of one as well.
    """
    if not isinstance(turn.node, (ir.For, ir.While)) or not isinstance(target, ir.Name) or not isinstance(value, Tensor):
        return False
    applied = m.state.applied.get(value.term)
    forward = getattr(applied.at, "node", None) if applied else None
    return forward is not None and _is_of(forward, added, turn.node, frozenset()) and _only_grows(target.name, turn.node)


def _is_of(forward: ir.Place, node: ir.Expression, loop: ir.For | ir.While, inside: frozenset[str]) -> bool:
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
    mentions = sum(isinstance(each, ir.Name) and each.name == name for each in nodes)
    return mentions == sum(_is_harmless(name, each) for each in nodes)


def _is_harmless(name: str, node: ir.Node) -> bool:
    """Whether code appends to a list of this name, or puts together what it holds."""
    match node:
        case ir.Call(function=ir.Attribute(base=ir.Name(name=of), name="append")) if of == name:
            return True
        case ir.Call(function=ir.Attribute(name=function), arguments=(ir.Argument(value=ir.Name(name=given)), *_)) if (
            given == name
        ):
            return function in GATHERS
        case _:
            return False
