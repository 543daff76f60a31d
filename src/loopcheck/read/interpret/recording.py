"""Whether a network of the project leaves a graph where it is applied: it may switch autograd, or hold what is frozen."""

from __future__ import annotations

from typing import TypeAlias

from loopcheck.loop import Either, Event, Fact, Frame, Leave, Region, Repeat, Role, Seq
from loopcheck.read.domain.values import Arguments, Function, Instance
from loopcheck.read.front import ir
from loopcheck.read.interpret.functions import inline
from loopcheck.read.interpret.graphs import modules_of, reached_by_forward
from loopcheck.read.interpret.lineage import method_of
from loopcheck.read.interpret.machine import Machine
from loopcheck.read.vocabulary import switches_grad, without_grad


def recorded(m: Machine, node: ir.Place, module: Instance, args: Arguments) -> bool | None:
    """Whether a module that is applied where autograd records leaves a graph; None where that cannot be told.

    Where anything speaks for less than a graph, its forward is interpreted for this alone, and nothing of that stays. One that
    goes backward itself has no use for the graph any more, or has one for what it did not walk.
    """
    forward = method_of(m, module.cls, "forward", module)
    if module.role is not None and _goes_backward(m, module.role):
        return None
    if module.role is None or not isinstance(forward, Function) or not may_spare(m, module.role):
        return True
    state = m.state
    with state.undone(), state.within(passes=()):
        region = state.block(lambda: inline(m, node, forward, args))
    found = {fact for fact, _ in _ways(region)} - {_NOTHING}
    return False if found == {False} else True if found == {True} else None


def may_spare(m: Machine, model: Role) -> bool:
    """Whether a part of a module is frozen, or its forward or that of a part switches autograd."""
    doubted = m.state.frozen if model in m.state.renewed else m.state.frozen | m.state.unsettled
    if any(model in each.wholes for each in doubted):
        return True
    said = (name for each in modules_of(m, model) for facts in reached_by_forward(m, each) for name in facts.mentions)
    return any(switches_grad(name) or name in without_grad() for name in said)


def _goes_backward(m: Machine, model: Role) -> bool:
    """Whether the forward of a module, or of a part of it, differentiates what it has computed."""
    return any("backward" in facts.calls for each in modules_of(m, model) for facts in reached_by_forward(m, each))


_NOTHING = ""
_Way: TypeAlias = tuple[Fact | None, bool]
"""A way through a region: whether a graph is recorded on it, `_NOTHING` where no model is applied, and whether it goes on."""


def _ways(region: Region) -> frozenset[_Way]:
    match region:
        case Event(verb="forward", facts=facts):
            return frozenset([(facts.get("grad"), True)])
        case Seq(parts):
            ways = frozenset[_Way]([(_NOTHING, True)])
            for part in parts:
                ended = {way for way in ways if not way[1]}
                ways = frozenset((_both(fact, then), on) for fact, goes in ways if goes for then, on in _ways(part)) | ended
            return ways
        case Either(_, then, other):
            return _ways(then) | _ways(other)
        case Repeat(body) | Frame(body):
            return frozenset((fact, True) for fact, _ in _ways(body))
        case Leave():
            return frozenset([(_NOTHING, False)])
        case _:
            return frozenset([(_NOTHING, True)])


def _both(one: Fact | None, other: Fact | None) -> Fact | None:
    """A graph of a part is one of the whole."""
    if _NOTHING in (one, other):
        return other if one == _NOTHING else one
    return True if True in (one, other) else None if None in (one, other) else False
