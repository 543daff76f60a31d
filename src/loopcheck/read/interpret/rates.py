"""Schedules written by hand: a function of the number of a step, of which all groups of an optimizer are given the rate."""

from __future__ import annotations

from collections.abc import Iterator

from loopcheck.loop import Role
from loopcheck.read.domain.values import Bound, Function, Symbol, Value, role_of
from loopcheck.read.front import ir
from loopcheck.read.front.source import Entered
from loopcheck.read.interpret.factors import zero_at_first
from loopcheck.read.interpret.machine import Machine


def tell_rate(m: Machine, loop: ir.For, groups: Value) -> None:
    """`for group in optimizer.param_groups: group["lr"] = rate(step)`: such a schedule is made where its function says the first
    rate, if that is 0."""
    optimizer = role_of(groups.base) if isinstance(groups, Bound) and groups.name == "param_groups" else None
    rate = _written(loop)
    if optimizer is None or optimizer.kind != "optimizer" or rate is None:
        return
    around = m.active[-1].code.body if m.active else m.state.frame.source.body
    for call in _made(around, rate, loop.span[0]):
        function = m.evaluate(call.function)
        match call.arguments:
            case (ir.Argument(value=ir.Name() as step, star=""),) if isinstance(function, Function):
                first = zero_at_first(m, function) if _counts_from_zero(m, around, step) else None
                if first is not None:
                    _tell(m, call, function, first, optimizer)


def _tell(m: Machine, call: ir.Call, function: Function, first: ir.Return, optimizer: Role) -> None:
    here = m.state.here
    with m.state.within(frame=function.frame, calls=(*here.calls, Entered(here.frame.source, call))):
        schedule = Role("scheduler", function.code.name, of=(optimizer,))
        m.state.emit("build", [schedule], first, {"from_zero": True, "resumed": False}, {"class": function.code.name})


def _written(loop: ir.For) -> ir.Expression | None:
    """What all groups are given as their rate."""
    for each in loop.body:
        match loop.target, each:
            case ir.Name(name=group), ir.Assign(
                targets=(ir.Subscript(base=ir.Name(name=of), index=ir.Literal(value="lr")),), value=rate
            ) if of == group:
                return rate
    return None


def _made(around: ir.Block, rate: ir.Expression, row: int) -> Iterator[ir.Call]:
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


def _counts_from_zero(m: Machine, around: ir.Block, step: ir.Name) -> bool:
    """A loop's counter that begins at 0, or a variable that is 0 before it is counted up for the first time, below this place."""
    value = m.evaluate(step)
    if isinstance(value, Symbol) and value.term in m.state.begins:
        return m.state.begins[value.term] == 0
    row, begins = step.span[0], list[object]()
    for each in ir.walk(*around):
        match each:
            case ir.Augment(target=ir.Name(name=name)) if name == step.name and each.span[0] < row:
                return False
            case ir.Assign(targets=(ir.Name(name=name),), value=ir.Literal(value=number)) if name == step.name:
                begins.append(number)
    return begins == [0]


def _name(node: ir.Expression) -> str:
    return node.name if isinstance(node, ir.Name) else ""
