"""A rule: a bug with a code, a sentence and a repair."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from itertools import combinations
from pathlib import Path

from loopcheck.bug import Chain, Link, Match
from loopcheck.fix import Edit, Wrap
from loopcheck.loop import Event, Role, above
from loopcheck.sense import complaints

_RELEASE = re.compile(r"\d+(\.\d+)*")
GROUPS = ("bug", "advice", "speed", "pedantic")


class Confidence(IntEnum):
    """How sure a finding is: on every path and of known objects; only on some, or by names alone; or as likely wrong as right."""

    LOW = 1
    MEDIUM = 2
    HIGH = 3

    def __str__(self) -> str:
        return self.name.lower()


@dataclass(frozen=True)
class Witness:
    """The events that make the bug, one for each link of the chain, and the object that it is about."""

    events: tuple[Event, ...]
    role: Role

    def __getitem__(self, match: Match) -> Event:
        """The last event that is this, by its verb and its facts; KeyError where the witness has none."""
        for event in reversed(self.events):
            if match.certain(event):
                return event
        raise KeyError(str(match))

    @property
    def last(self) -> Event:
        return self.events[-1]

    def beyond(self, match: Match) -> bool:
        """Whether an event is about a whole of which the object has a part: it may be there for another's part."""
        wholes = {whole for part in self.role.of for whole in part.wholes} - {self.role, *self.role.of}
        return not wholes.isdisjoint(self[match].on)

    def apart(self, match: Match) -> bool:
        """Whether the events that are this, where there are several, are about models of the object, each about others."""
        found = [event for event in self.events if match.certain(event)]
        models = [[role for role in event.on if role.kind == "model"] for event in found]
        wholes = [frozenset[Role]().union(*(role.wholes for role in roles)) for roles in models]
        own = all(roles and all(not self.role.made_from.isdisjoint(role.wholes) for role in roles) for roles in models)
        known = own and not any(event.open for event in found)
        return len(found) < 2 or (known and all(one.isdisjoint(other) for one, other in combinations(wholes, 2)))

    def above(self, match: Match, other: Match) -> bool:
        """Whether an event stands above another in the text of the program, at the level that both share."""
        return above(self[match].at, self[other].at)

    @cached_property
    def words(self) -> Mapping[str, str]:
        """What a sentence or a fix may name: each event's text by its verb, the first's of several, each object's by its kind."""
        words: dict[str, str] = {}
        for event in self.events:
            words.setdefault(event.verb, event.at.text)
            words.update({role.kind: role.name for role in event.on})
            words.update(event.names)
        spellings = [event.spelled[self.role] for event in self.events if self.role in event.spelled]
        words[self.role.kind] = spellings[-1] if spellings else self.role.name or words.get(self.role.kind, "")
        return words


@dataclass(frozen=True)
class Rule:
    """One rule. `name`, `title` and `folder` come from where it lives (`loopcheck.packs`), not from its author; so does `page`,
    of one without a folder.

    code: `LC101`. group: one of GROUPS.
    bug: the chain, a chain of one, or several of which any is the bug.
    says: the message, formatted with the witness's words.
    per: the kind of object that the chain is judged for.
    at: the event that the finding points at, the last of several; facts tell two of one verb apart, `backward(scaled=False)`.
        The last of the chain where not given.
    unless: names of rules that speak instead where they point at the same place.
    every_path: what is missing must be missing on every path; where only some lack it, a flag knows better.
    some_paths: how sure one may be where it holds on some paths alone, and not on all of one configuration: mostly a test that
        is not understood keeps those from happening. More, where both outcomes of such tests come about in every run.
    configured: the same where it holds on all paths of one configuration. Less, where who sets an option knows better.
    rests_on: what must hold of an event of the witness besides, `forward(moded=True)`: what is known to be otherwise is no bug,
        and where it is not known, the finding is for those who ask for what is not sure.
    shown_by: an event of the witness that speaks for what nobody knows, so that the finding is told after all: who calls
        `train()` says that modes matter.
    meant: the method that is missing, `eval`: who has left a call of it as a comment on the way there has thought of it.
    where: for what a chain cannot say; keep it rare.
    confidence: an upper bound that depends on the witness.
    since: the release of torch from which on it is so, of what was right before.
    by_hand: why a person has to mend it, in a clause: of a rule without a fix, or where its fix is for other events.
    formerly: names and codes that it had: who says them means it still.
    """

    code: str
    bug: Chain | Match | tuple[Chain | Match, ...]
    says: str
    group: str = "bug"
    per: str = "optimizer"
    at: Match | None = None
    unless: tuple[str, ...] = ()
    every_path: bool = False
    some_paths: Confidence = Confidence.LOW
    configured: Confidence = Confidence.MEDIUM
    rests_on: Match | None = None
    shown_by: Match | None = None
    meant: str = ""
    where: Callable[[Witness], bool] | None = None
    confidence: Callable[[Witness], Confidence] | None = None
    fix: Edit | None = None
    since: str = ""
    by_hand: str = ""
    formerly: tuple[str, ...] = ()
    name: str = ""
    title: str = ""
    folder: Path = Path()
    page: str = ""

    def __post_init__(self) -> None:
        if self.group not in GROUPS:
            raise ValueError(f"{self.code}: no group {self.group!r}; it is one of {', '.join(GROUPS)}")
        if self.since and not _RELEASE.fullmatch(self.since):
            raise ValueError(f"{self.code}: since={self.since!r} is no release of torch; write it in numbers, '1.1'")
        for chain in self.chains:
            for complaint in complaints(chain, self.per):
                raise ValueError(f"{self.code}, {chain}: {complaint}")
            if self.at and not chain.holds(self.at):
                raise ValueError(f"{self.code}, {chain}: at={self.at} is none of its links; name one")

    @cached_property
    def chains(self) -> tuple[Chain, ...]:
        bugs = self.bug if isinstance(self.bug, tuple) else (self.bug,)
        return tuple(bug if isinstance(bug, Chain) else Chain((Link(bug),)) for bug in bugs)

    @property
    def verbs(self) -> frozenset[str]:
        return frozenset[str]().union(*(chain.verbs for chain in self.chains))

    @property
    def spellings(self) -> tuple[str, ...]:
        """What it is called, by name and by code, and what it was called."""
        return (self.name, self.code, *self.formerly)

    @property
    def mends_passes(self) -> bool:
        """Its repair goes around a whole pass, whichever objects the pass is about."""
        return isinstance(self.fix, Wrap)

    def primary(self, witness: Witness) -> Event:
        """The event that the finding points at."""
        return witness.last if self.at is None else witness[self.at]

    def stands(self, witness: Witness) -> bool:
        """Whether nothing that is known of these events speaks against the bug."""
        possible = self.rests_on is None or any(self.rests_on.possible(event) for event in witness.events)
        return possible and (self.where is None or self.where(witness))

    def assumed(self, witness: Witness) -> str:
        """What it rests on and nobody knows of these events, in words; nothing where all is known."""
        return "" if self.rests_on is None else self.rests_on.unknown(witness.events)

    def is_shown(self, witness: Witness) -> bool:
        """Whether the program itself speaks for what nobody knows."""
        return self.shown_by is not None and any(self.shown_by.certain(event) for event in witness.events)

    def sentence(self, witness: Witness) -> str:
        """The message; of an object without a name, `the model`. Raises ValueError where it names what the witness has not."""
        told = self.primary(witness)
        texts = {**witness.words, told.verb: told.at.text}
        words = {word: f"`{text}`" if text else f"the {word}" for word, text in texts.items()}
        try:
            return self.says.format_map(words)
        except KeyError as error:
            raise ValueError(f"{self.code} says {{{error.args[0]}}}, and its witness has only {', '.join(words)}") from None
