"""What there is to judge: events, whom each is about, and the region that is left of them. Found once for all chains."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from loopcheck.bug import concerns, is_of_a_part, may_concern
from loopcheck.loop import Either, Event, Fork, Frame, Leave, Region, Repeat, Role, Seq, Test

Own: TypeAlias = "Mapping[Event, bool]"
"""The events that concern an object, in order, each with whether it does for sure."""


class History:
    """Events in their order, by verb and by the objects that they concern."""

    def __init__(self, events: Iterable[Event]) -> None:
        self.events = tuple(events)
        self._placed: dict[str, list[tuple[int, Event]]] = {}
        for place in enumerate(self.events):
            self._placed.setdefault(place[1].verb, []).append(place)
        self._about: dict[tuple[Role, str], list[tuple[int, Event, bool]]] = {}
        self._touched: dict[tuple[Role, str, tuple[Role, ...], tuple[Role, ...], bool, bool], bool | None] = {}

    def of(self, verbs: Iterable[str]) -> Iterator[Event]:
        """The events of these verbs."""
        return (event for verb in verbs for _, event in self._placed.get(verb, ()))

    def surely(self, role: Role, verbs: Iterable[str]) -> Iterator[Event]:
        """The events of these verbs that concern an object for sure."""
        return (event for verb in verbs for _, event, sure in self._concerned(role, verb) if sure)

    def objects(self, kind: str) -> Iterable[Role]:
        """Every object of a kind that an event touches, or that something it touches was built from; those with a name first."""
        return self._objects.get(kind, ())

    def concerns(self, role: Role, event: Event) -> bool | None:
        """Whether an event concerns an object for sure, or may; None where it is nothing to it."""
        key = role, event.verb, event.on, event.also, event.open, is_of_a_part(event)
        if key not in self._touched:
            self._touched[key] = concerns(event, role) or (False if may_concern(event, role) else None)
        return self._touched[key]

    def own(self, role: Role, verbs: Collection[str]) -> Own:
        """The events that can matter to an object and a chain of these verbs; what makes it or takes it out of sight can."""
        found = [each for verb in {*verbs, "escape"} - {"build"} for each in self._concerned(role, verb)]
        beside = self._together(role.kind) if "build" in verbs else {role}
        found += [each for each in self._concerned(role, "build") if not beside.isdisjoint(each[1].on)]
        return {event: sure for _, event, sure in sorted(found, key=lambda each: each[0])}

    def places(self, own: Collection[Event]) -> Sequence[int]:
        """Where in the order these events stand."""
        return sorted(place for event in own for place in self._places[event])

    def along(self, own: Own) -> Iterator[tuple[Event, bool]]:
        """These events as they happened, as often as they did."""
        return ((self.events[place], own[self.events[place]]) for place in self.places(own))

    @cached_property
    def _places(self) -> Mapping[Event, Sequence[int]]:
        """An event is at several where a part of the region is."""
        found: dict[Event, list[int]] = {}
        for place, event in enumerate(self.events):
            found.setdefault(event, []).append(place)
        return found

    @cached_property
    def _objects(self) -> Mapping[str, dict[Role, None]]:
        found: dict[str, dict[Role, None]] = {}
        touched = dict.fromkeys(role for event in self.events if not _makes_part(event) for role in event.on)
        for role in touched:
            for source in role.sources:
                found.setdefault(source.kind, {})[source] = None
        return {kind: dict.fromkeys(sorted(roles, key=lambda role: not role.name)) for kind, roles in found.items()}

    def _together(self, kind: str) -> Set[Role]:
        return self._objects.get(kind, {}).keys()

    def _concerned(self, role: Role, verb: str) -> list[tuple[int, Event, bool]]:
        key = role, verb
        if key not in self._about:
            told = ((place, event, self.concerns(role, event)) for place, event in self._near(role, verb))
            self._about[key] = [(place, event, sure) for place, event, sure in told if sure is not None]
        return self._about[key]

    def _near(self, role: Role, verb: str) -> Iterable[tuple[int, Event]]:
        """The events of a verb without those that have nothing in common with an object: of many objects each has few."""
        if any(source.open for source in role.made_from):
            return self._placed.get(verb, ())
        at = self._by_object.get(verb, {})
        found = {place for near in (None, *role.made_from, *role.sources) for place in at.get(near, ())}
        return [(place, self.events[place]) for place in sorted(found)]

    @cached_property
    def _by_object(self) -> Mapping[str, Mapping[Role | None, Sequence[int]]]:
        """By verb and by object where the events are that touch it, a part of it, or what is made of either; under None the
        others, which may touch what is out of sight."""
        found: dict[str, dict[Role | None, list[int]]] = {}
        for place, event in enumerate(self.events):
            at = found.setdefault(event.verb, {})
            far = event.open or any(on.open for on in event.on)
            touched = [*event.also, *(each for on in event.on for each in (on, *on.one_of))]
            for near in [None] if far else {role for each in touched for role in each.sources}:
                at.setdefault(near, []).append(place)
        return found


class Survey:
    """A region with its history, to be cut down to what matters to one object and one chain."""

    def __init__(self, region: Region) -> None:
        seen: list[Event] = []
        self._root = _look(region, seen)
        self.history = History(seen)

    def reduced(self, own: Collection[Event]) -> Region:
        """The region with nothing in it but these events, and the ways around them."""
        places = self.history.places(own)
        return _kept(self._root, places, 0, len(places)) or Seq()


def _makes_part(event: Event) -> bool:
    """A layer is made; what happens to it happens to the whole, unless it is spoken of again."""
    return event.verb == "build" and all(role.part_of for role in event.on)


@dataclass(frozen=True, eq=False)
class _Part:
    """A region before its reduction.

    end: how many events there are up to its end. bare: what is left of it without any. ways: those on which that is left.
    """

    region: Region
    parts: tuple[_Part, ...]
    end: int
    bare: Region | None
    ways: frozenset[str]

    @cached_property
    def ends(self) -> Sequence[int]:
        return [each.end for each in self.parts]

    @cached_property
    def left(self) -> Sequence[int]:
        """Which of the parts are left without any event."""
        return [number for number, each in enumerate(self.parts) if each.bare is not None]


def _look(region: Region, seen: list[Event]) -> _Part:
    parts: tuple[_Part, ...] = ()
    bare: Region | None = None
    match region:
        case Event():
            seen.append(region)
        case Leave():
            bare = region
        case Seq(inner):
            parts = tuple(_look(part, seen) for part in inner)
            bare = _seq(part.bare for part in parts)
        case Either(test, then, other):
            parts = _look(then, seen), _look(other, seen)
            bare = _either(test, parts[0].bare, parts[1].bare)
        case Repeat(body, over=over):
            parts = _look(body, seen), _look(over, seen)
        case Frame(body):
            parts = (_look(body, seen),)
    ways = [part.ways for part in parts] if bare else []
    return _Part(region, parts, len(seen), bare, frozenset({bare.how} if isinstance(bare, Leave) else ()).union(*ways))


def _kept(part: _Part, places: Sequence[int], low: int, high: int, over: str = "") -> Region | None:
    """A region with the events at `places[low:high]`; None where nothing is left.

    over: what is left so after the last of them is over as if it were not left: a call by its `return`, a pass by `continue`.
    """
    if low == high:
        return part.bare
    match part.region:
        case Either(test):
            middle = bisect_left(places, part.parts[0].end, low, high)
            then, other = part.parts
            return _either(test, _kept(then, places, low, middle), _kept(other, places, middle, high))
        case Repeat(_, binds, given=given, brings=brings, tells=tells, begins=begins):
            body, ending = part.parts
            middle = bisect_left(places, body.end, low, high)
            kept = _kept(body, places, low, middle, "continue") or Seq()
            ended = _kept(ending, places, middle, high) or Seq()
            return Repeat(kept, binds, over=ended, given=given, brings=brings, tells=tells, begins=begins)
        case Frame():
            return Frame(_kept(part.parts[0], places, low, high, "return") or Seq())
        case Seq():
            return _seq(_along(part, places, low, high, over))
        case _:
            return part.region


def _along(part: _Part, places: Sequence[int], low: int, high: int, over: str) -> Iterator[Region | None]:
    """What is left of each part, in order; only those are looked at that hold one of the events or are left without."""
    number = 0
    while low < high:
        holding = bisect_right(part.ends, places[low])
        yield from (part.parts[each].bare for each in part.left[bisect_left(part.left, number) : bisect_left(part.left, holding)])
        end = bisect_left(places, part.ends[holding], low, high)
        yield _kept(part.parts[holding], places, low, end, over if end == high else "")
        low, number = end, holding + 1
    rest = (part.parts[each] for each in part.left[bisect_left(part.left, number) :])
    yield from (each.bare for each in rest if not each.ways <= {over})


def _seq(parts: Iterable[Region | None]) -> Seq | None:
    kept = tuple(part for part in parts if part is not None)
    return Seq(kept) if kept else None


def _either(test: Test | Fork, then: Region | None, other: Region | None) -> Either | None:
    return Either(test, then or Seq(), other or Seq()) if then or other else None
