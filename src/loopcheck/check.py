"""From a file to its findings: read it, judge every rule, find the places, plan the repairs."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from loopcheck import packs, suppress
from loopcheck.finding import Finding, Note, Problem, Report, Span
from loopcheck.judge import Verdict, over_loop
from loopcheck.loop import Event, Frame
from loopcheck.rule import Confidence, Rule
from loopcheck.verdict import settle

if TYPE_CHECKING:
    from loopcheck.read.source import Source


class Unreadable(Exception):
    """A file that cannot be analysed, with what is to be told of it."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem


def check_file(path: Path, rules: Sequence[Rule], display: str | None = None) -> Report:
    """The report of one file. `display` is the path to show; unreadable files come back as a problem, never as an error."""
    name = display or str(path)
    try:
        return check_source(bytes_of(path, name), name, rules)
    except Unreadable as error:
        return Report(name, problems=(error.problem,))


def check_source(data: bytes, path: str, rules: Sequence[Rule]) -> Report:
    """The report of a file's bytes."""
    from loopcheck.read.triage import worth_reading

    if not worth_reading(data):
        return Report(path, skipped="no training code")

    try:
        source, entries = read_source(data, path)
    except Unreadable as error:
        return Report(path, problems=(error.problem,))
    undecided: list[str] = []
    verdicts: list[tuple[Rule, Verdict]] = []
    for rule in _with_speakers(rules):
        for chain, entry in itertools.product(rule.chains, entries):
            found, lost = over_loop(chain, rule.per, entry)
            verdicts += [(rule, verdict) for verdict in found if _span(rule.primary(verdict.witness))]
            undecided += [f"{rule.name}: {role.name}" for role in lost]
    found_here = [_finding(rule, verdict) for rule, verdict in settle(verdicts) if rule in rules]
    findings, misspelled = suppress.apply(found_here, source.text, path, rules, source.place)
    problems = (*source.problems, *misspelled)
    return Report(path, tuple(sorted(findings, key=_place)), problems, source.skipped, tuple(undecided))


def bytes_of(path: Path, name: str) -> bytes:
    """What a file holds. Raises Unreadable."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise Unreadable(Problem("unreadable", error.strerror or str(error), Span(name, 1, 1, 1, 1))) from None


def read_source(data: bytes, path: str) -> tuple[Source, Sequence[Frame]]:
    """A file's bytes as source, and the entries of the program in it. Raises Unreadable."""
    from loopcheck.read.program import read
    from loopcheck.read.source import Source
    from loopcheck.read.text import SourceError

    try:
        source = Source.parse(path, data)
        return source, read(source)
    except SourceError as error:
        at = Span(path, error.row, error.column, error.row, error.column)
        raise Unreadable(Problem(error.code, str(error), at)) from None
    except RecursionError:
        message = "the code is nested too deeply to be analysed"
        raise Unreadable(Problem("too-deep", message, Span(path, 1, 1, 1, 1))) from None


def _with_speakers(rules: Sequence[Rule]) -> list[Rule]:
    """The rules, and those that speak instead of one of them: they are judged even where they are not selected."""
    named = {name for rule in rules for name in rule.unless}
    return [*rules, *(rule for rule in packs.rules() if rule.name in named and rule not in rules)]


def _finding(rule: Rule, verdict: Verdict) -> Finding:
    from loopcheck.write.plan import plan

    witness = verdict.witness
    primary = rule.primary(witness)
    places = {event.at.place: event for event in reversed(witness.events) if event.at.place != primary.at.place}
    notes = [Note(span, event.verb) for event in places.values() if (span := _span(event)) is not None]
    span = _span(primary)
    assert span is not None, f"{rule.name} points at an event that stands nowhere"
    return Finding(
        rule=rule,
        message=rule.sentence(witness),
        confidence=_confidence(rule, verdict),
        primary=span,
        related=tuple(sorted(notes, key=lambda note: note.span)),
        witness=witness,
        repair=plan(rule, witness),
    )


def _span(event: Event) -> Span | None:
    return getattr(event.at, "span", None)


_EVIDENCE = {"built": Confidence.HIGH, "annotated": Confidence.HIGH, "used": Confidence.HIGH, "named": Confidence.MEDIUM}


def _confidence(rule: Rule, verdict: Verdict) -> Confidence:
    """The weakest of: is the chain met on every path, are its objects known, what does the rule itself think."""
    objects = {role.evidence for event in verdict.witness.events for role in event.on}
    doubts = [Confidence.HIGH if verdict.certain else Confidence.MEDIUM]
    doubts += [_EVIDENCE[evidence] for evidence in objects]
    doubts += [rule.confidence(verdict.witness)] if rule.confidence else []
    return min(doubts)


def _place(finding: Finding) -> tuple[Span, str]:
    return finding.primary, finding.rule.code
