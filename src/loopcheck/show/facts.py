"""What is known of an event, in the glossary's words: `scaled, not windowed, averaged ?`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

from loopcheck.bug import Chain, Match, glossary
from loopcheck.loop import Event, Frame, events
from loopcheck.rule import Rule

UNKNOWN = "?"
Word: TypeAlias = "tuple[str, str]"
"""A fact of the glossary: its verb and its name."""
_EVERYWHERE = {"start", "end"}


class Facts:
    """Tells the facts of an entry's events.

    That a fact holds is always told. That it does not, or is not known, is told where it decides: where the chain of a rule
    could be met in this entry, as far as everything else is known.
    """

    def __init__(self, rules: Iterable[Rule], entry: Frame) -> None:
        self._chains = [_matches(chain) for rule in rules for chain in rule.chains]
        self._seen = [event for event in events(entry) if event.verb != "escape"]
        self.told: set[Word] = set()

    def of(self, event: Event, said: str = "") -> tuple[str, ...]:
        """Each fact as it is called, negated, or with a `?` where it is not known; less the values that are `said` already."""
        verb = glossary[event.verb]
        kinds = {role.kind for role in event.on}
        found = {name: self._word(event, name) for name in verb.facts if verb.kind_of(name) in ("", *kinds)}
        found = {name: word for name, word in found.items() if word and event.facts.get(name) != said.lower()}
        self.told |= {(verb.name, name) for name in found}
        return tuple(found.values())

    def _word(self, event: Event, name: str) -> str:
        word = name.replace("_", " ")
        match event.facts.get(name):
            case True:
                return word
            case False:
                return f"not {word}" if self._decides(event, name) else ""
            case None:
                return f"{word} {UNKNOWN}" if self._decides(event, name) else ""
            case value:
                return f"{word} {value}"

    def _decides(self, event: Event, name: str) -> bool:
        """Were it not for this fact, some chain that asks for it could be met."""
        without = replace(event, facts={fact: value for fact, value in event.facts.items() if fact != name})
        return any(
            match.possible(without) and (event.verb, name) in _asked(match) and self._can_be_met(chain, match)
            for chain in self._chains
            for match in chain
        )

    def _can_be_met(self, chain: Sequence[Match], but: Match) -> bool:
        """All else that the chain needs is somewhere in the entry."""
        rest = [match for match in chain if match is not but and not match.verbs & _EVERYWHERE]
        return all(any(map(match.possible, self._seen)) for match in rest)


def meanings(told: Collection[Word]) -> Iterator[tuple[str, str]]:
    """Each word and what the glossary says it means."""
    for verb in glossary.values():
        for name, meaning in verb.facts.items():
            if (verb.name, name) in told:
                yield name.replace("_", " "), meaning if verb.kind_of(name) else f"{verb.name}: {meaning}"


def _matches(chain: Chain) -> list[Match]:
    """What must be met for the chain to be."""
    return [link.match for link in chain.links if isinstance(link.match, Match)]


def _asked(match: Match) -> Iterator[Word]:
    return ((verb.name, name) for verb, facts in match.options for name, _ in facts)
