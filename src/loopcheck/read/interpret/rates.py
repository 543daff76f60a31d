"""Schedules written by hand: all groups of an optimizer are given a rate that is computed of the number of a step."""

from __future__ import annotations

from collections.abc import Iterator

from loopcheck.loop import Role
from loopcheck.read.domain.values import Bound, Function, Symbol, Value, leaves_of, role_of
from loopcheck.read.front import ir
from loopcheck.read.front.source import Entered
from loopcheck.read.interpret.factors import zero_at_first
from loopcheck.read.interpret.firsts import begins_at_zero, on_first_pass
from loopcheck.read.interpret.machine import Machine


def of_group(m: Machine, group: Symbol, groups: Value) -> None:
    """`for group in optimizer.param_groups`: what is done to this is done to all groups of the optimizer."""
    owners = [role_of(each.base) for each in leaves_of(groups) if isinstance(each, Bound) and each.name == "param_groups"]
    optimizers = tuple(owner for owner in owners if owner is not None and owner.kind == "optimizer")
    if optimizers:
        m.state.groups[group.term] = optimizers


def tell_rate(m: Machine, target: ir.Subscript, group: Symbol, rate: Value) -> None:
    """`group["lr"] = rate`: a schedule is made where the first rate is computed to be 0; once, whatever tells groups apart."""
    optimizers = m.state.groups.get(group.term)
    if optimizers is None:
        return
    m.state.shared()
    if not begins_at_zero(m, rate) or not on_first_pass(m):
        return
    del m.state.groups[group.term]
    around = m.active[-1].code.body if m.active else m.state.frame.source.body
    written = next((each.value for each in ir.walk(*around) if isinstance(each, ir.Assign) and target in each.targets), None)
    for call in _made(around, written, target.span[0]):
        function = m.evaluate(call.function)
        first = zero_at_first(m, function) if isinstance(function, Function) else None
        if isinstance(function, Function) and first is not None:
            with m.state.within(frame=function.frame, calls=(*m.state.here.calls, Entered(m.state.here.frame.source, call))):
                return _tell(m, first, function.code.name, optimizers)
    _tell(m, target, m.state.frame.name, optimizers)


def _tell(m: Machine, at: ir.Place, name: str, optimizers: tuple[Role, ...]) -> None:
    m.state.emit("build", [Role("scheduler", name, of=optimizers)], at, {"from_zero": True, "resumed": False}, {"class": name})


def _made(around: ir.Block, rate: ir.Expression | None, row: int) -> Iterator[ir.Call]:
    """The calls that may have computed it, the last ones before this row."""
    if isinstance(rate, ir.Name):
        bound = [
            each
            for each in ir.walk(*around)
            if isinstance(each, ir.Assign) and each.span[0] < row and [*map(_name, each.targets)] == [rate.name]
        ]
        rate = max(bound, key=lambda each: each.span[0]).value if bound else rate
    ways = (rate.then, rate.other) if isinstance(rate, ir.Conditional) else (rate,)
    yield from (each for each in ways if isinstance(each, ir.Call))


def _name(node: ir.Expression) -> str:
    return node.name if isinstance(node, ir.Name) else ""
