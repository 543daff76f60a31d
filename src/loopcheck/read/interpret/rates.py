"""Schedules written by hand: all groups of an optimizer are given a rate that is computed of the number of a step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from loopcheck.loop import UNWRITABLE, Role
from loopcheck.read.domain.parts import leaves_of, role_of, term_of
from loopcheck.read.domain.terms import Term
from loopcheck.read.domain.values import Bound, Choice, Function, Object, Symbol, Value
from loopcheck.read.front import ir
from loopcheck.read.front.source import Entered, Site
from loopcheck.read.interpret.factors import zero_at_first
from loopcheck.read.interpret.firsts import begins_at_zero, changes, on_first_pass
from loopcheck.read.interpret.machine import Machine
from loopcheck.read.objects.evidence import adopt


def of_group(m: Machine, group: Symbol, groups: Value) -> None:
    """`for group in optimizer.param_groups`: what is done to this is done to all groups of the optimizer."""
    owners = [_owner(m, each) for each in leaves_of(groups)]
    optimizers = tuple(owner for owner in owners if owner is not None and owner.kind == "optimizer")
    if optimizers:
        m.state.groups[group.term] = optimizers


def _owner(m: Machine, groups: Value) -> Role | None:
    """What has these groups: an optimizer, also where nothing else tells."""
    match groups:
        case Bound(base=owner, name="param_groups"):
            return role_of(owner)
        case Symbol(term=Term(head="attribute", operands=(Term() as owner, "param_groups"))) if owner in m.state.symbols:
            return adopt(m.state, m.state.symbols[owner], "optimizer")
        case _:
            return None


def tell_rate(m: Machine, target: ir.Subscript, group: Symbol, rate: Value) -> None:
    """`group["lr"] = rate`: a schedule is made where the first rate is computed to be 0; once, whatever tells groups apart.

    Where a setting decides between two rates, it is made under that setting.
    """
    optimizers = m.state.groups[group.term] if group.term in m.state.groups else _of_all(m, group.term)
    if not optimizers:
        return
    m.state.shared()
    rate = m.state.settled(rate)
    if isinstance(rate, Choice) and not changes(m, rate.test):
        then, other = rate.then, rate.other
        m.state.branch(rate.test, lambda: tell_rate(m, target, group, then), lambda: tell_rate(m, target, group, other))
        return
    if not on_first_pass(m):
        return
    if not begins_at_zero(m, rate):
        return _tell_later(m, target, optimizers)
    m.state.groups[group.term] = ()
    around = m.active[-1].code.body if m.active else m.state.frame.source.body
    written = next((each.value for each in ir.walk(*around) if isinstance(each, ir.Assign) and target in each.targets), None)
    computed: list[Site] = []
    for call in _made(around, written, target.span[0]):
        function = m.evaluate(call.function)
        if not isinstance(function, Function):
            continue
        first = zero_at_first(m, function)
        with m.state.within(frame=function.frame, calls=(*m.state.here.calls, Entered(m.state.here.frame.source, call))):
            if first is not None:
                return _tell(m, first, function.code.name, optimizers)
            computed.append(m.state.site(function.code))
    _tell(m, target, m.state.frame.name, optimizers, computed)


def _of_all(m: Machine, group: Term) -> tuple[Role, ...]:
    """`optimizer.param_groups[0]` is all that an optimizer has which was given parameters, and no groups."""
    match group.head, group.operands:
        case "item", (Term(head="attribute", operands=(Term() as owner, "param_groups")), Term(head="constant")):
            known = ((role, kept) for role, kept in m.state.kept.items() if term_of(Object(role)) is owner)
            return tuple(role for role, kept in known if role.kind == "optimizer" and "rate" in kept)
        case _:
            return ()


def _tell(m: Machine, at: ir.Place, name: str, optimizers: tuple[Role, ...], computed: Iterable[Site] = ()) -> None:
    """computed: the functions that the rate comes from, where it is not told there."""
    role = Role("scheduler", name, of=optimizers)
    facts = {"from_zero": True, "resumed": False}
    names = {"class": name, "shifted": UNWRITABLE}
    m.state.emit("build", [role], at, facts, names, origins=tuple(("rate", site) for site in computed))
    m.state.kept[role] = {"by_hand": True}


def _tell_later(m: Machine, at: ir.Place, optimizers: tuple[Role, ...]) -> None:
    """The rate that a schedule began with is another one from here on: it was stepped, or goes on from a saved state."""
    begun = (role for role, kept in m.state.kept.items() if kept.get("by_hand") and not set(role.of).isdisjoint(optimizers))
    if roles := list(begun):
        m.state.emit("schedule", roles, at, {"epoch": True})


def _made(around: ir.Block, rate: ir.Expression | None, row: int) -> Iterator[ir.Call]:
    """The calls that may have computed it, or a factor of it, the last ones before this row."""
    match rate:
        case ir.Call():
            yield rate
        case ir.Conditional(then=then, other=other) | ir.Binary(operator="*", left=then, right=other):
            yield from (*_made(around, then, row), *_made(around, other, row))
        case ir.Binary(operator="/", left=divided):
            yield from _made(around, divided, row)
        case ir.Name(name=name):
            assigned = (each for each in ir.walk(*around) if isinstance(each, ir.Assign) and each.span[0] < row)
            bound = [each for each in assigned if [*map(_name, each.targets)] == [name]]
            last = max(bound, key=lambda each: each.span[0], default=None)
            yield from _made(around, last.value, last.span[0]) if last else ()
        case _:
            pass


def _name(node: ir.Expression) -> str:
    return node.name if isinstance(node, ir.Name) else ""
