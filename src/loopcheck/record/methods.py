"""A method of a model, `model.encode(x)`: where all that it does is to apply parts of the model, it is one forward of that."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
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
        kept = call.rest(told[at:end], known, before)
        if kept is None:  # it does more than to apply the model
            told[at] = replace(told[at], methods=told[at].methods[1:])
        else:
            told[at:end] = kept
    return told, known


@dataclass(frozen=True)
class _Call:
    """A call of a method. at: where it is written; name: of the function that is called."""

    method: Method
    at: Site
    name: str
    draws: int
    passes: frozenset[int]

    @staticmethod
    def of(moment: Moment) -> _Call:
        """The innermost call of a method around a forward."""
        method, site = moment.methods[0], moment.at
        return _Call(method, _behind(site, method.frames), site.functions[method.frames - 1], moment.draws, moment.passes)

    def holds(self, moment: Moment) -> bool:
        """The event happens in it, or in its repetition with the same batch."""
        frames = len(moment.at.stack) - len(self.at.stack)
        if (
            frames <= 0
            or moment.at.functions[frames - 1] != self.name
            or (moment.draws, moment.passes) != (self.draws, self.passes)
        ):
            return False
        behind = _behind(moment.at, frames)
        others = [each.role for each in moment.methods if each.frames == frames]
        return (behind, behind.text) == (self.at, self.at.text) and others in ([], [self.method.role])

    def rest(
        self, moments: Sequence[Moment], learned: set[Event], before: Mapping[Event, Sequence[Event]]
    ) -> list[Moment] | None:
        """What is told of it instead; None where it does something else than to apply parts of the model."""
        built = [moment for moment in moments if moment.event.verb == "build"]  # met for the first time
        forwards = [moment for moment in moments if moment.event.verb != "build"]
        whole = self.method.role
        if any(moment.event.verb != "forward" or not all(whole in on.wholes for on in moment.event.on) for moment in forwards):
            return None
        first = forwards[0]
        if any(whole in role.wholes for fed in before.get(first.event, ()) for role in fed.on):
            return built
        facts: dict[str, Fact] = {**first.facts}
        for name in ("grad", "moded", "bypasses", "normalizes"):
            if any(moment.facts.get(name) for moment in forwards):
                facts[name] = True
        event = Event("forward", (whole,), self.at, facts)
        if any(moment.event in learned for moment in forwards):
            learned.add(event)
        outer = [replace(each, frames=each.frames - self.method.frames) for each in first.methods[1:]]
        return [*built, Moment(event, self.at, facts, self.passes, self.draws, tuple(outer))]


def _behind(site: Site, frames: int) -> Site:
    """The place of the call that so many of the user's frames lie behind."""
    return Site(*site.stack[frames], site.calls[frames], site.stack[frames:], site.functions[frames:], site.calls[frames:])
