"""The notation in which a bug is written: a chain of events, `step >> no(backward) >> clip`.

    a >> b                 a, and later b
    a >> no(x) >> b        a, and later b with no x between
    a | b                  either
    step(scaled=True)      the event with this fact
    again                  the site of the previous event, reached once more
    again(step)            the site of the chain's step, reached once more
    same                   what the previous event does, done to the same objects once more, at whatever site
    same(unscale)          what the chain's unscale does, to the same objects once more

A chain is judged once per object of a kind, over the events that concern this object. Where one of these has a part for each of
several others, as a scaler unscales each optimizer once, `same` tells these apart: `unscale >> no(update) >> same` per scaler is
one optimizer's gradients unscaled twice, whatever is done to another's. Objects that are not all known are never the same.

What a chain asks for must be known: an unknown fact matches nothing. What it excludes need only be possible: a fact that
is not known, or code out of sight that holds the object, may have done it. Either way doubt ends in silence.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache
from typing import ClassVar

from loopcheck.loop import Event, Fact, Role

__all__ = ["Again", "Chain", "Gap", "Link", "Match", "Same", "Verb", "again", "glossary", "no", "same", "verb"]


@dataclass(frozen=True)
class Verb:
    """A word of the glossary.

    parts: done to a submodule, it is done to a part of the whole as well. lasts: of an object that is made of another later it
    holds, too: a mode.
    """

    name: str
    meaning: str
    on: tuple[str, ...]
    facts: Mapping[str, str] = field(default_factory=dict, hash=False)
    parts: bool = True
    lasts: bool = False

    def kind_of(self, fact: str) -> str:
        """The only kind of object that a fact is known of: its meaning begins with that. Nothing where there is no such kind."""
        kind, colon, _ = self.facts[fact].partition(": ")
        return kind if colon and kind in self.on else ""


glossary: dict[str, Verb] = {}


@dataclass(frozen=True)
class Match:
    """One or more verbs with the facts that an event must have."""

    options: tuple[tuple[Verb, tuple[tuple[str, Fact], ...]], ...]

    def __call__(self, **facts: Fact) -> Match:
        return Match(tuple((word, _checked(word, facts)) for word, _ in self.options))

    def __or__(self, other: Match) -> Match:
        return Match(self.options + other.options)

    def __rshift__(self, other: Match | Again | Gap) -> Chain:
        return Chain((Link(self),)) >> other

    @cached_property
    def verbs(self) -> frozenset[str]:
        return frozenset(word.name for word, _ in self.options)

    def certain(self, event: Event) -> bool:
        """The event is one of these beyond doubt."""
        for word, facts in self.options:  # asked of every event of every chain
            if event.verb == word.name and (not facts or all(event.facts.get(name) == value for name, value in facts)):
                return True
        return False

    def possible(self, event: Event) -> bool:
        """The event is one of these, or may be as far as is known."""
        if event.verb == "escape":
            held = {role.kind for role in event.on}
            return any(held.intersection(word.on) for word, _ in self.options)
        return any(
            event.verb == word.name and all(event.facts.get(name, value) == value for name, value in facts)
            for word, facts in self.options
        )

    def unknown(self, events: Iterable[Event]) -> str:
        """What the first fact means that this asks for and nobody knows of such an event; nothing where all are known."""
        asked = (
            (event, word, name)
            for event in events
            for word, facts in self.options
            if event.verb == word.name
            for name, _ in facts
        )
        return next((word.facts[name] for event, word, name in asked if name not in event.facts), "")

    def __str__(self) -> str:
        return " | ".join(
            word.name + (f"({', '.join(f'{name}={value!r}' for name, value in facts)})" if facts else "")
            for word, facts in self.options
        )


@dataclass(frozen=True)
class Again:
    """The site of an earlier event of the chain, reached once more: the previous link's, or that of `of`."""

    of: str | None = None
    word: ClassVar[str] = "again"

    def __call__(self, of: Match) -> Again:
        (name,) = of.verbs
        return replace(self, of=name)

    def meets(self, before: Event, event: Event) -> bool:
        """The event is the earlier one once more. At one site a library does much, so the verb must be the same, too."""
        return (event.verb, event.at) == (before.verb, before.at)

    def __str__(self) -> str:
        return f"{self.word}({self.of})" if self.of else self.word


class Same(Again):
    """An earlier event of the chain once more, by what it does and to which objects; where it is reached does not matter."""

    word = "same"

    def meets(self, before: Event, event: Event) -> bool:
        known = not (before.open or event.open or event.facts.get("varied"))
        return known and before.verb == event.verb and set(before.on) == set(event.on)


@dataclass(frozen=True)
class Gap:
    """What must not happen between two events."""

    match: Match

    def __rshift__(self, other: object) -> Chain:
        raise TypeError(f"{self} stands between two events; write what it comes after, `start` for the start of the run")

    def __str__(self) -> str:
        return f"no({self.match})"


@dataclass(frozen=True)
class Link:
    """The next event of a chain, and what must not come before it."""

    match: Match | Again
    gap: Gap | None = None


@dataclass(frozen=True)
class Chain:
    """Events in the order in which they are a bug."""

    links: tuple[Link, ...]
    open: Gap | None = None

    def __rshift__(self, other: Match | Again | Gap) -> Chain:
        if isinstance(other, Gap):
            if self.open:
                raise TypeError(f"two gaps in a row: write {Gap(self.open.match | other.match)}")
            return Chain(self.links, other)
        return Chain((*self.links, Link(other, self.open)))

    def before(self, number: int) -> frozenset[str]:
        """The verbs that an `again` in this place can be."""
        match = self.links[number].match
        if isinstance(match, Match):
            return match.verbs
        return frozenset({match.of}) if match.of else self.before(number - 1)

    def holds(self, match: Match) -> bool:
        """Whether a link is this event, and asks of it all that the match does; of an `again` only the verb is known."""
        links = [(word.name, facts) for link in self.links if isinstance(link.match, Match) for word, facts in link.match.options]
        links += [(name, ()) for number in range(len(self.links)) for name in self.before(number)]
        return any(word.name == name and {*facts} <= {*asked} for word, facts in match.options for name, asked in links)

    @property
    def so_far(self) -> Chain:
        """What of the chain comes before the end of the run, for a run of which the end was not seen."""
        last = self.links[-1].match
        return Chain(self.links[:-1]) if isinstance(last, Match) and last.verbs == {"end"} else self

    @cached_property
    def verbs(self) -> frozenset[str]:
        """Every verb that can move this chain on or end it."""
        words: set[str] = set()
        for link in self.links:
            words |= link.match.verbs if isinstance(link.match, Match) else set()
            words |= link.gap.match.verbs if link.gap else set()
        return frozenset(words)

    @cached_property
    def needed(self) -> tuple[Match, ...]:
        """The links that an event of the program must be."""
        matches = [link.match for link in self.links if isinstance(link.match, Match)]
        return tuple(match for match in matches if match.verbs.isdisjoint(("start", "end")))

    def __str__(self) -> str:
        parts = []
        for link in self.links:
            parts += ([str(link.gap)] if link.gap else []) + [str(link.match)]
        return " >> ".join(parts)


again = Again()
same = Same()


def no(match: Match) -> Gap:
    """Nothing of this between the event before and the event after."""
    return Gap(match)


def verb(name: str, meaning: str, on: tuple[str, ...], parts: bool = True, lasts: bool = False, **facts: str) -> Match:
    """A new word of the glossary, as the match that rules are written with.

    on: the kinds of object it acts on. facts: what may be known about it, each with its meaning.
    """
    word = glossary[name] = Verb(name, meaning, on, facts, parts, lasts)
    return Match(((word, ()),))


_MADE_OF = {"state": "optimizer", "scheduler": "optimizer", "optimizer": "model", "loader": "sampler"}

_BY_THEMSELVES = frozenset({"state"})
"""Kinds of which no object is another one, though both are of the same: each call of `state_dict()` makes one."""


def lasts(event: Event) -> bool:
    """What happens holds from here on, also of what is made of its objects later."""
    return event.verb in glossary and glossary[event.verb].lasts


@cache
def kinds_behind(kind: str) -> frozenset[str]:
    """A kind of object and all that it is built from: what happens to these concerns it."""
    return frozenset({kind}) | (kinds_behind(_MADE_OF[kind]) if kind in _MADE_OF else frozenset())


def concerns(event: Event, role: Role) -> bool:
    """The event happens to this object: to itself, to what it was built from, to the whole or to a part of that."""
    return _reaches(event, (*event.on, *event.also), role)


def _reaches(event: Event, objects: Iterable[Role], role: Role) -> bool:
    """Whether what happens to one of these happens to this object."""
    spreads = event.verb not in glossary or glossary[event.verb].parts
    made_from, sources = _origin(role)
    return any(each in sources or (spreads and not made_from.isdisjoint(_around(each))) for each in objects)


def is_of_a_part(event: Event) -> bool:
    """Whether a part is put in eval mode by itself, or comes so with its weights: its whole is in train mode as before."""
    return event.verb == "evaluate" and bool(event.facts.get("apart") or event.facts.get("loaded"))


def may_concern(event: Event, role: Role) -> bool:
    """As far as is known the event may happen to this object: it does to a part of it, or to another object that was built from
    the same or from a part or a whole of that (two optimizers, of one model, or of a part and of all), to one in place of many
    that it is one of, to one of unknown origin that may be this one, or one of the two has a side that is out of sight. A
    scheduler has its own optimizer, and what another does is nothing to it, nor to a state what becomes of another one of the
    same model, nor to a whole that a layer of it is put in eval mode apart from it, as frozen batch norms are."""
    if event.verb not in glossary or (is_of_a_part(event) and role not in event.on):
        return False
    kinds = glossary[event.verb].on
    made_from, sources = _origin(role)
    if event.open:
        return any(source.kind in kinds for source in sources) or role.kind in kinds
    apart = {source.kind for source in made_from if source is not role} | (_BY_THEMSELVES & {role.kind})
    if any(
        not made_from.isdisjoint(_around(on)) or (on.kind not in apart and _share(_origin(on), (made_from, sources)))
        for on in event.on
    ):
        return True
    if any(on.open and on.kind == role.kind for on in event.on):
        return True
    if _reaches(event, (each for on in event.on for each in on.one_of), role):
        return True
    unseen = {source.kind for source in made_from if source.open}
    others = any(on.kind == role.kind for on in event.on)
    return not others and any(on.kind in kinds and unseen - {on.kind} for on in event.on)


def _share(one: tuple[Set[Role], Set[Role]], other: tuple[Set[Role], Set[Role]]) -> bool:
    """Whether two objects were built from the same, or one from a part of what the other was built from."""
    return not (one[0].isdisjoint(other[1]) and one[1].isdisjoint(other[0]))


@lru_cache(maxsize=4096)
def _origin(role: Role) -> tuple[frozenset[Role], frozenset[Role]]:
    """What an object was built from, and that with all around it; an object that is judged is complete."""
    return frozenset(role.made_from), frozenset(role.sources)


@lru_cache(maxsize=4096)
def _around(role: Role) -> frozenset[Role]:
    return frozenset(role.wholes)


def _checked(word: Verb, facts: Mapping[str, Fact]) -> tuple[tuple[str, Fact], ...]:
    for name in facts:
        if name not in word.facts:
            near = difflib.get_close_matches(name, word.facts, 1)
            hint = f"; did you mean {near[0]!r}?" if near else f"; it has {', '.join(word.facts) or 'none'}"
            raise TypeError(f"the verb {word.name!r} has no fact {name!r}{hint}")
    return tuple(sorted(facts.items()))
