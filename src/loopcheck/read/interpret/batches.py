"""Batches: where a pass over a loader begins, and which loop takes what it hands out."""

from __future__ import annotations

from loopcheck.loop import Event, Role
from loopcheck.read.domain.values import NONE, Stream, Symbol, Value, role_of
from loopcheck.read.front import ir
from loopcheck.read.interpret.machine import Machine
from loopcheck.read.objects.evidence import adopt, roles


def begin(m: Machine, node: ir.Place, iterable: Value, written: str) -> list[Event]:
    """A pass over a loader begins; where it has one sampler or another, under the test that decides.

    written: the loader as it is written. Of an iterator the pass has begun where that was made.
    """
    if isinstance(iterable, Stream) and (drawn := _begun(iterable)):
        return drawn
    loader = _loader(m, iterable)
    if loader is None:
        return []
    epoch = next((each.counter for each in reversed(m.state.here.passes) if each.counter), "")
    names = {"loader": written} | ({"epoch": epoch} if epoch else {})
    begun: list[Event] = []
    kept = m.state.kept.get(loader, {})

    def under(sampler: Value) -> Value:
        role = role_of(sampler)
        order = m.state.kept.get(role, {}) if role else {}
        if sampler == NONE and "sampler" in kept:
            order = {"distributed": False, "shuffled": kept.get("shuffled")}
        facts = {name: fact if isinstance(fact := order.get(name), bool) else None for name in ("distributed", "shuffled")}
        begun.append(m.state.emit("iterate", [loader], node, facts, names))
        return NONE

    m.state.each(kept.get("sampler", NONE), under)  # type: ignore[arg-type]
    return begun


def _loader(m: Machine, iterable: Value) -> Role | None:
    """The loader that a loop runs over, through whatever hands out its batches."""
    if isinstance(iterable, Stream):
        return next((found for each in iterable.of if (found := _loader(m, m.state.settled(each)))), None)
    if isinstance(iterable, Symbol):
        adopt(m.state, iterable)
    return next((role for role in roles(m.state, iterable, "") if role.kind == "loader"), None)


def _begun(stream: Stream) -> list[Event]:
    """The passes that began when an iterator was made, through whatever hands on what it yields."""
    inner = [each for value in stream.of if isinstance(value, Stream) for each in _begun(value)]
    return [*stream.begun, *inner]


def iterator(m: Machine, node: ir.Place, over: Value, written: str) -> Stream:
    """`iter(loader)`: a pass begins."""
    around = m.state.here.passes[-1] if m.state.here.passes else None
    return Stream((over,), begun=tuple(begin(m, node, over, written)), around=around)


def draw(m: Machine, stream: Stream, written: str) -> None:
    """`next(batches)`: the loop around is a pass over what they are batches of, unless each of its passes begins anew."""
    turn = m.state.here.passes[-1] if m.state.here.passes else None
    if turn is None or turn is stream.around:
        return
    turn.over = " ".join([turn.over, written, m.state.frame.written.get(written, "")])
    turn.iterates += [each for each in stream.begun if each not in turn.iterates]
