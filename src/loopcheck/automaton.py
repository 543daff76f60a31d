"""A chain on its way over events: what has been matched, and what the next event makes of it."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from loopcheck.bug import Again, Chain, Match
from loopcheck.loop import Event
from loopcheck.structs import dataclass

Partial: TypeAlias = tuple[Event, ...]
"""How far a chain has come: the events that its first links have matched."""


@dataclass(frozen=True)
class Edge:
    """The site of the run's beginning and end."""

    text: str
    row: int = 0

    @property
    def place(self) -> str:
        return self.text


START = Event("start", (), Edge("the start of the run"))
END = Event("end", (), Edge("the end of the run"))


class Moved(NamedTuple):
    """What one event made of the partial matches.

    onward: those under way now. complete: those that it completed. broken: how many links the longest had matched of those
    that a gap has ended before they came any further.
    """

    onward: frozenset[Partial]
    complete: list[Partial]
    broken: int


def advance(chain: Chain, partials: frozenset[Partial], event: Event, sure: bool) -> Moved:
    """Move every partial match over one event.

    sure: the event concerns the object. One that only may concern it completes nothing, but can be what a gap excludes.
    """
    onward: set[Partial] = set()
    complete: list[Partial] = []
    broken = 0
    for partial in {*partials, ()}:
        link = chain.links[len(partial)]
        if isinstance(link.match, Again):
            meets = link.match.meets(_named(partial, link.match), event)
        else:
            meets = link.match.certain(event)
        if meets and sure:
            longer = (*partial, event)
            if len(longer) == len(chain.links):
                complete.append(longer)
            else:
                onward.add(longer)
        if partial and not (link.gap and link.gap.match.possible(event)):
            onward.add(partial)
        elif not (meets and sure):
            broken = max(broken, len(partial))
    return Moved(frozenset(onward), complete, broken)


def _named(partial: Partial, again: Again) -> Event:
    return partial[-1] if again.of is None else next(event for event in partial if event.verb == again.of)


def begin(chain: Chain) -> frozenset[Partial]:
    """What is under way before anything has happened."""
    return frozenset({(START,)}) if "start" in _first(chain) else frozenset()


def _first(chain: Chain) -> frozenset[str]:
    match = chain.links[0].match
    return match.verbs if isinstance(match, Match) else frozenset()
