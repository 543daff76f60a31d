"""Why the source said nothing of what a run does: asked of what the reader has made of it, and of the judge."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from loopcheck.auditing.places import shown
from loopcheck.auditing.sightings import Sighting, statement
from loopcheck.bug import Chain, Match, glossary
from loopcheck.check import Unreadable, bytes_of, read_source
from loopcheck.finding import Finding, Report
from loopcheck.judge import Verdict, over_object
from loopcheck.layout import Rows
from loopcheck.loop import Event, Fact, Role
from loopcheck.read.library import Library
from loopcheck.read.program import Program
from loopcheck.record.site import Site
from loopcheck.rule import Rule
from loopcheck.survey import Own, Survey

Spot = tuple[str, str, Rows]
"""A verb, and the statement at which it happens."""


class Silence:
    """What is known of each file that ran.

    static: what its source was said to do. spares: which findings are not shown.
    """

    def __init__(self, static: Sequence[Report], spares: Callable[[Finding], bool]) -> None:
        self._reports = {os.path.realpath(report.path): report for report in static}
        self._spares = spares

    def faint(self, finding: Finding) -> str:
        """Why a check does not show what it finds; nothing where it does."""
        if not self._spares(finding):
            return ""
        return f"a check finds it, and does not show what it is so little sure of: {finding.because}"

    def why(self, sighting: Sighting) -> str:
        """Why the reader or the judge did not come to what was seen."""
        for event in _placed(sighting):
            if unread := self._unread(event.at.file):  # type: ignore[attr-defined]
                return unread
        spots = {_spot_of_run(event): event for event in _placed(sighting)}
        if told := self._told_elsewhere(sighting.rule, spots):
            return told
        best = max(self._entries, key=lambda entry: len(spots.keys() & entry.at.keys()), default=None)
        read = [spot for spot in spots if best and spot in best.at]
        if best is None or len(read) < len(spots):
            missing = next(spot for spot in spots if spot not in read)
            return self._not_seen(spots[missing], missing, best.at[read[0]][0].at.text if best and read else "")
        return _Case(sighting, best, read).why()

    def _unread(self, file: str) -> str:
        report = self._reports.get(os.path.realpath(file))
        if report is None:
            return f"{shown(file)} is not among the files that are read"
        told = report.skipped or next((problem.message for problem in report.problems if not problem.remark), "")
        return f"{shown(file)} was not read: {told}" if told else ""

    def _told_elsewhere(self, rule: Rule, spots: Collection[Spot]) -> str:
        for report in self._reports.values():
            for finding in report.findings:
                if finding.rule.code == rule.code and any(_spot_of_note(*each) in spots for each in _noted(finding)):
                    return f"it is told at {shown(finding.primary.path)}:{finding.primary.row}"
        return ""

    def _not_seen(self, event: Event, spot: Spot, beside: str) -> str:
        """Of an event of the run that the reader has none of, or has not with what is read of the rest of the story."""
        site = event.at
        assert isinstance(site, Site)
        if beside and any(spot in entry.at for entry in self._entries):
            return f"nothing in sight leads to both `{beside}` and `{site.text}`: each was read alone"
        for names, _, cause in (cut.partition(": ") for report in self._reports.values() for cut in report.cut):
            if left := next((each for each in site.functions if each in re.findall(r"\w+", names)), None):
                return f"`{left}` was not read where it is called: {cause}"
        around = site.functions[0] if site.functions else ""
        if around.isidentifier() and around not in self._reached.get(spot[1], ()):
            return f"`{around}` was not read: nothing in sight comes there with what it trains"
        return f"no {event.verb} is read in `{site.text}`: what it acts on or does is not known"

    @cached_property
    def _programs(self) -> list[Program]:
        library = Library([Path(report.path) for report in self._reports.values()])
        found: dict[Program, None] = {}
        for report in self._reports.values():
            try:
                program = read_source(bytes_of(Path(report.path), report.path), report.path, library)
            except Unreadable:
                continue
            found.update(dict.fromkeys((program, *program.callers)))
        return [*found]

    @cached_property
    def _entries(self) -> list[_Entry]:
        return [_Entry(Survey(entry)) for program in self._programs for entry in program.entries]

    @cached_property
    def _reached(self) -> dict[str, set[str]]:
        """The functions that were read, by their file."""
        found: dict[str, set[str]] = {}
        for program in self._programs:
            for path, name in program.reached:
                found.setdefault(os.path.realpath(path), set()).add(name.rpartition(".")[2])
        return found


@dataclass(frozen=True)
class _Entry:
    """An entry of a program, and what is read where in it."""

    survey: Survey

    @cached_property
    def at(self) -> dict[Spot, list[Event]]:
        found: dict[Spot, list[Event]] = {}
        for event in self.survey.history.events:
            if (span := getattr(event.at, "span", None)) is not None:
                found.setdefault(_spot_of_note(event.verb, span.path, span.row), []).append(event)
        return found


class _Case:
    """Something seen in a run, and an entry in which all of its events are read."""

    def __init__(self, sighting: Sighting, entry: _Entry, spots: Sequence[Spot]) -> None:
        self._rule = sighting.rule
        self._entry = entry
        self._spots = spots
        self._events = [entry.at[spot] for spot in spots]

    def why(self) -> str:
        chains = [
            chain for chain in self._rule.chains if all(any(event.verb in chain.verbs for event in e) for e in self._events)
        ]
        for chain in chains:
            if told := self._fact(chain) or self._object():
                return told
        for chain in chains:
            for role in self._roles():
                if told := self._course(chain, role):
                    return told
        return "as far as the code is understood, no way through it comes to this"

    def _fact(self, chain: Chain) -> str:
        """What is not known, or thought to be otherwise, of an event that the chain asks for."""
        for here in self._events:
            verb = here[0].verb
            asked = [link.match for link in chain.links if isinstance(link.match, Match) and verb in link.match.verbs]
            if not asked or any(match.certain(event) for match in asked for event in here):
                continue
            for name, value in (fact for match in asked for fact in _asked(match, verb)):
                known = [event.facts[name] for event in here if name in event.facts]
                if value not in known:
                    return _otherwise(here[0], name, value, known)
        return ""

    def _object(self) -> str:
        """Which of the events are not known to be about one object."""
        if self._roles():
            return ""
        history, per = self._entry.survey.history, self._rule.per
        texts = [f"`{events[0].at.text}`" for events in self._events]
        if not history.objects(per):
            return f"no {per} is known of that {texts[0]} would be about"
        if len(texts) == 1:
            return f"which {per} {texts[0]} is about is not known for sure"
        return f"that {' and '.join(dict.fromkeys(texts))} are about one {per} is not known for sure"

    def _roles(self) -> list[Role]:
        history = self._entry.survey.history
        return [
            role
            for role in history.objects(self._rule.per)
            if all(any(history.concerns(role, event) for event in events) for events in self._events)
        ]

    def _course(self, chain: Chain, role: Role) -> str:
        """What keeps the chain from being met on an object, though all of its events are there."""
        survey = self._entry.survey
        own = dict(survey.history.own(role, chain.verbs))
        found, whole = self._met(chain, role, own)
        if found:
            return self._dropped(found)
        if not whole:
            return "too many ways lead through the code for all to be followed"
        gaps = [link.gap.match for link in chain.links if link.gap]
        here = [event for events in self._events for event in events]
        between = [event for event in own if event not in here and any(gap.possible(event) for gap in gaps)]
        for event in sorted(between, key=lambda event: _sure(event, own, gaps)):
            if self._met(chain, role, {each: sure for each, sure in own.items() if each.at.place != event.at.place})[0]:
                return _in_between(event, own[event], gaps, role)
        return ""

    def _met(self, chain: Chain, role: Role, own: Own) -> tuple[list[Verdict], bool]:
        """The verdicts where the run has its story, were nothing but these events read; and whether all ways were followed."""
        verdicts, whole = over_object(chain, role, self._entry.survey, own)
        return [each for each in verdicts if self._same_place(each)], whole

    def _same_place(self, verdict: Verdict) -> bool:
        at = self._rule.primary(verdict.witness)
        return any(at.at.place == event.at.place for events in self._events for event in events)

    def _dropped(self, found: Sequence[Verdict]) -> str:
        rule = self._rule
        if rule.every_path and not any(verdict.certain for verdict in found):
            return "on some ways through the code it does not happen, and the rule speaks where it does on every one"
        if not any(rule.stands(verdict.witness) for verdict in found):
            return "as it is read it may be meant so, and the rule spares it"
        return "another rule speaks of it, or it is told at another place"


def _placed(sighting: Sighting) -> Iterator[Event]:
    """The events of a story that stand in a file."""
    return (event for event in sighting.verdict.witness.events if isinstance(event.at, Site) and event.at.file)


def _spot_of_run(event: Event) -> Spot:
    assert isinstance(event.at, Site)
    return _spot_of_note(event.verb, event.at.file, event.at.line)


def _spot_of_note(verb: str, path: str, row: int) -> Spot:
    real = os.path.realpath(path)
    return verb, real, statement(real, row)


def _noted(finding: Finding) -> Iterator[tuple[str, str, int]]:
    return ((note.text, note.span.path, note.span.row) for note in finding.witness)


def _asked(match: Match, verb: str) -> Iterator[tuple[str, Fact]]:
    return (fact for word, facts in match.options if word.name == verb for fact in facts)


def _otherwise(event: Event, name: str, value: Fact, known: Sequence[Fact]) -> str:
    """A fact that is not known, or taken to be another than the run shows."""
    sense, words = glossary[event.verb].facts[name], name.replace("_", " ")
    if not known:
        return f"{'whether it is ' * isinstance(value, bool)}{words} is not known of `{event.at.text}`: {sense}"
    taken = f"{'not ' * (known[0] is False)}{words}" if isinstance(value, bool) else f"{words} {known[0]}"
    return f"`{event.at.text}` is read as {taken}: {sense}"


def _sure(event: Event, own: Own, gaps: Sequence[Match]) -> tuple[bool, bool]:
    """What is not known comes first: code out of sight, and then what may be another object or something else."""
    return event.verb != "escape", own[event] and any(gap.certain(event) for gap in gaps)


def _in_between(event: Event, sure: bool, gaps: Sequence[Match], role: Role) -> str:
    what = f"`{role.name}`" if role.name else f"the {role.kind}"
    if event.verb == "escape":
        could = " or ".join(dict.fromkeys(word.name for gap in gaps for word, _ in gap.options if role.kind in word.on))
        return f"`{event.at.text}` hands {what} to code that is not read, where there may be a {could}"
    if not sure:
        return f"`{event.at.text}` may be about {what}, too"
    if not any(gap.certain(event) for gap in gaps):
        return f"what `{event.at.text}` comes to is not known: it may be the {event.verb} that makes it right"
    return f"`{event.at.text}` is read as coming in between"
