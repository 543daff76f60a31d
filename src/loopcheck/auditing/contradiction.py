"""Whether a run has decided what the source was said to do, and what it did instead."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence

from loopcheck.auditing.places import shown
from loopcheck.auditing.sightings import statement
from loopcheck.bug import Chain, Match, glossary
from loopcheck.finding import Finding
from loopcheck.layout import Rows
from loopcheck.loop import Event
from loopcheck.record.run import Run
from loopcheck.record.site import Site

Spot = tuple[str, str, Rows]
"""A verb, and the statement at which it happens."""


class Visits:
    """What happened where, over all runs."""

    def __init__(self, runs: Sequence[Run]) -> None:
        self._traces = [run.trace for run in runs]
        self._ended = all(run.whole and run.stopped is None for run in runs)
        self._at: dict[Spot, list[Event]] = {}
        for trace in self._traces:
            for event in trace:
                if isinstance(event.at, Site) and event.at.file:
                    self._at.setdefault(_spot(event), []).append(event)

    def contradiction(self, finding: Finding) -> str | None:
        """What the run did where the finding says that it goes wrong; None where it did not come there, or did not decide it.

        The finding is contradicted where all of its events happened, with all that its rule asks of them known, and still made no
        such chain; of one that reaches to the end, where that was seen.
        """
        spots = [(note.text, os.path.realpath(note.span.path), note.span.row) for note in finding.witness]
        wanted = Counter((verb, path, statement(path, row)) for verb, path, row in spots)
        if not wanted or any(len(self._at.get(spot, ())) < number for spot, number in wanted.items()):
            return None
        told = None
        for chain in finding.rule.chains:
            links = [link.match for link in chain.links if isinstance(link.match, Match)]
            matches = [match for match in links if match.verbs.isdisjoint(("start", "end"))]
            if any(match.verbs == {"end"} for match in links) and not self._ended:
                return None
            here = [(match, self._of(match, wanted)) for match in matches]
            if not all(events for _, events in here):
                continue
            if any(_unknown(match, event) for match, events in here for event in events):
                return None
            told = told or next(_otherwise(here), None) or self._between(chain, wanted)
        return told

    def _of(self, match: Match, spots: Counter[Spot]) -> list[Event]:
        return [event for spot in spots if spot[0] in match.verbs for event in self._at[spot]]

    def _between(self, chain: Chain, spots: Counter[Spot]) -> str:
        """What broke the chain, where something did that stands in a gap of it."""
        for before, link in zip(chain.links, chain.links[1:], strict=False):
            if link.gap is None:
                continue
            for trace in self._traces:
                open_ = False
                for event in trace:
                    here = isinstance(event.at, Site) and _spot(event) in spots
                    if open_ and link.gap.match.possible(event) and isinstance(event.at, Site):
                        return f"`{event.at.text}` comes in between, at {shown(event.at.file)}:{event.at.line}"
                    if here and isinstance(before.match, Match):
                        open_ = before.match.certain(event)
        return "it went there, and this did not happen"


def _spot(event: Event) -> Spot:
    at = event.at
    assert isinstance(at, Site)
    path = os.path.realpath(at.file)
    return event.verb, path, statement(path, at.line)


def _unknown(match: Match, event: Event) -> bool:
    return any(name not in event.facts for word, facts in match.options if word.name == event.verb for name, _ in facts)


def _otherwise(here: list[tuple[Match, list[Event]]]) -> Iterator[str]:
    """Of an event that never is what the rule asks for, the fact that is another."""
    for match, events in here:
        if any(match.certain(event) for event in events):
            continue
        for word, facts in match.options:
            for name, value in facts:
                if all(event.verb == word.name and event.facts[name] != value for event in events):
                    sense = glossary[word.name].facts[name]
                    no = "not " if value is True else ""
                    yield f"for it, `{events[0].at.text}` was {no}{name.replace('_', ' ')}: {sense}"
