"""A method of a model, `model.encode(x)`: where all that it does is to apply parts of the model, it is one forward of that."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from loopcheck.loop import Event, Fact
from loopcheck.record.site import Site
from loopcheck.record.tape import Method, Moment


def told_as_one(
    moments: Iterable[Moment], learned: Collection[Event], before: Mapping[Event, Sequence[Event]]
) -> tuple[list[Moment], set[Event]]:
    """The moments with each such call as a forward where it is written, and the forwards that were learned from.

    before: the forwards that the inputs of each came from. `model.decode(z)` of what the model has encoded goes on with that one.
    The roles are tied. Innermost calls come first: `self.model.encode(x)` is one in a trainer's method that does more.
    """
    told, known = [*moments], set(learned)
    at = 0
    while at < len(told):
        if not told[at].methods:
            at += 1
            continue
        call = _Call.of(told[at])
        end = at
        while end < len(told) and call.holds(told[end]):
            end += 1
        told[at:end] = (
            call.forwards(told[at:end], known, before) if call.applies(told[at:end]) else map(call.left_out, told[at:end])
        )
    return told, known


@dataclass(frozen=True)
class _Call:
    """A call of a method. at: where it is written; name: of the function that is called."""

    method: Method
    at: Site
    name: str

    @staticmethod
    def of(moment: Moment) -> _Call:
        """The innermost call of a method around a forward."""
        method, site = moment.methods[0], moment.at
        return _Call(method, _behind(site, method.frames), site.functions[method.frames - 1])

    def holds(self, moment: Moment) -> bool:
        """The event happens in it, or in its repetition from the same place."""
        frames = self._frames(moment)
        if frames <= 0 or moment.at.functions[frames - 1] != self.name:
            return False
        behind = _behind(moment.at, frames)
        others = [each.role for each in moment.methods if each.frames == frames]
        return (behind, behind.text) == (self.at, self.at.text) and others in ([], [self.method.role])

    def applies(self, moments: Sequence[Moment]) -> bool:
        """All that happens is that parts of the model are applied, some of them for the first time."""
        events = [moment.event for moment in moments if moment.event.verb != "build"]
        return all(event.verb == "forward" and all(self.method.role in on.wholes for on in event.on) for event in events)

    def left_out(self, moment: Moment) -> Moment:
        """The moment without this call, which does more than to apply the model."""
        frames = self._frames(moment)
        return replace(moment, methods=tuple(each for each in moment.methods if each.frames != frames))

    def forwards(
        self, moments: Sequence[Moment], learned: set[Event], before: Mapping[Event, Sequence[Event]]
    ) -> Iterator[Moment]:
        """One forward of the whole for each batch, none where it goes on with what the model has computed."""
        yield from (moment for moment in moments if moment.event.verb == "build")
        batches: dict[tuple[int, frozenset[int]], list[Moment]] = {}
        for moment in moments:
            if moment.event.verb != "build":
                batches.setdefault((moment.draws, moment.passes), []).append(moment)
        for parts in batches.values():
            if not any(self.method.role in role.wholes for fed in before.get(parts[0].event, ()) for role in fed.on):
                yield self._forward(parts, learned)

    def _forward(self, parts: Sequence[Moment], learned: set[Event]) -> Moment:
        first = parts[0]
        facts: dict[str, Fact] = {**first.facts}
        facts |= {name: True for name in _OF_A_PART if any(moment.facts.get(name) for moment in parts)}
        event = Event("forward", (self.method.role,), self.at, facts)
        if any(moment.event in learned for moment in parts):
            learned.add(event)
        inner = self._frames(first)
        outer = tuple(replace(each, frames=each.frames - inner) for each in first.methods if each.frames > inner)
        return Moment(event, self.at, facts, first.passes, first.draws, outer)

    def _frames(self, moment: Moment) -> int:
        """How many of the user's frames lie between the event and the call."""
        return len(moment.at.stack) - len(self.at.stack)


_OF_A_PART = ("grad", "moded", "bypasses", "normalizes")
"""Facts that hold of the whole where they hold of a part."""


def _behind(site: Site, frames: int) -> Site:
    """The place of the call that so many of the user's frames lie behind."""
    return Site(*site.stack[frames], site.calls[frames], site.stack[frames:], site.functions[frames:], site.calls[frames:])
