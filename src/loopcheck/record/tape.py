"""The events of a run as they happen."""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from loopcheck.loop import Event, Fact, Role
from loopcheck.record.site import Site, Sites

MOST_EVENTS = 500_000
"""A run goes on after so many, the tape does not: what is left out is more of the same."""

MOST_MEANWHILE = 100
"""Of a step that is under way, the events after which it is not put off any more."""

T = TypeVar("T")


class Known(Generic[T]):
    """What is known of living objects, by identity. It keeps none of them alive."""

    def __init__(self) -> None:
        self._entries: dict[int, tuple[Any, T]] = {}

    def get(self, thing: object) -> T | None:
        entry = self._entries.get(id(thing))
        return entry[1] if entry and entry[0]() is thing else None

    def put(self, thing: object, value: T) -> T:
        try:
            alive: Any = weakref.ref(thing)
        except TypeError:  # a list given as a sampler, say
            alive = lambda: thing  # noqa: E731
        self._entries[id(thing)] = (alive, value)
        return value

    def living(self) -> list[tuple[Any, T]]:
        found = [(alive(), value) for alive, value in self._entries.values()]
        return [(thing, value) for thing, value in found if thing is not None]


@dataclass(frozen=True)
class Method:
    """A method of a model that is running. frames: how many of the user's frames, its own the last, its call lies behind."""

    role: Role
    frames: int


@dataclass(frozen=True)
class Moment:
    """An event, the same site and facts for those who know them better, and where the data stood.

    passes: the passes over loaders that the batch at hand came from. draws: how many batches had been drawn in all. methods:
    those of models around a forward of their part, the innermost first.
    """

    event: Event
    at: Site
    facts: dict[str, Fact]
    passes: frozenset[int]
    draws: int
    methods: tuple[Method, ...] = ()


class Tape:
    """Takes events down. What torch does inside one of its own calls is hushed.

    under_way: the steps of the user's own optimizers that have begun. Gradients that one limits it limits before it reads them.
    """

    def __init__(self, sites: Sites) -> None:
        self.sites = sites
        self.moments: list[Moment] = []
        self.passes: frozenset[int] = frozenset()
        self.draws = 0
        self.hushed = 0
        self._used = False
        self.under_way: list[Moment] = []

    @contextmanager
    def hush(self) -> Iterator[None]:
        self.hushed += 1
        try:
            yield
        finally:
            self.hushed -= 1

    def drawn(self, number: int) -> None:
        """A pass has given a batch. With others given since the last forward it is what is at hand."""
        self.passes = frozenset({number}) if self._used else self.passes | {number}
        self._used = False
        self.draws += 1

    def emit(self, verb: str, *on: Role, **facts: Fact) -> Moment:
        """Take an event down, at the user's line that is running."""
        return self.emit_at(self.sites.here(), verb, *on, **facts)

    def emit_at(self, at: Site, verb: str, /, *on: Role, **facts: Fact) -> Moment:
        """Take an event down at this place. The moment is there to work with even where the tape is hushed or full."""
        return self.take(verb, on, at, facts)

    def take(self, verb: str, on: tuple[Role, ...], at: Site, facts: dict[str, Fact], methods: tuple[Method, ...] = ()) -> Moment:
        """Take an event down, its facts in a dictionary."""
        moment = Moment(Event(verb, on, at, facts), at, facts, self.passes, self.draws, methods)
        for role in on if verb == "build" else ():
            role.built = moment.event
        self._used = self._used or verb == "forward"
        if not self.hushed and len(self.moments) < MOST_EVENTS:
            self.moments.append(moment)
            if verb == "clip":
                self._put_off(self.under_way)
        return moment

    def _put_off(self, begun: list[Moment]) -> None:
        """These come after what came last, where they are among the latest."""
        for late in begun:
            back = next((at for at, each in enumerate(reversed(self.moments[-MOST_MEANWHILE:]), 1) if each is late), None)
            if back is not None:
                self.moments.append(self.moments.pop(-back))
