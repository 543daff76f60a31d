"""One report of two judges: what the source was said to do, and what the run did."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from loopcheck import excerpt, suppress
from loopcheck.auditing import places
from loopcheck.auditing.clock import at, timed
from loopcheck.auditing.contradiction import Visits
from loopcheck.auditing.sightings import Key, Met, Sighting, key_of, statement
from loopcheck.auditing.silence import Silence
from loopcheck.cache import digest
from loopcheck.finding import Finding, Note, Report, Silenced, Span
from loopcheck.record.run import Run
from loopcheck.rule import Confidence, Rule

CONFIRMED, CONTRADICTED, UNREACHED, ONLY_SEEN = "confirmed", "contradicted", "not reached", "seen only in the run"


def shows(finding: Finding) -> bool:
    """The run does it, whatever the source says."""
    return finding.run.startswith((CONFIRMED, ONLY_SEEN))


def join(
    static: Iterable[Report],
    seen: Met,
    more: Iterable[Finding],
    runs: Sequence[Run],
    silence: Silence | None = None,
) -> list[Report]:
    """The reports of all files, with what the run says of each finding, and with what only the run shows.

    seen: what rules see in the run. more: findings that are of the run alone. silence: tells why the source alone would not have
    shown something.
    """
    visits = Visits(runs)
    static = list(static)
    silenced = (each.finding for report in static for each in report.silenced)
    sought = _Sought(seen, [*(finding for report in static for finding in report.findings), *silenced])
    reports: dict[str, Report] = {}
    for report in static:
        found = tuple(_told(finding, sought, visits, silence) for finding in report.findings)
        quiet = tuple(replace(each, finding=_told(each.finding, sought, visits, silence)) for each in report.silenced)
        reports[report.path] = replace(report, findings=found, silenced=quiet)
    return [*with_more(reports, [*(_of_run(each, silence) for each in sought.left), *more]).values()]


class _Sought:
    """What of a run stands for which finding of the source."""

    def __init__(self, seen: Met, findings: Iterable[Finding]) -> None:
        self._seen = seen
        self._rivals = Counter(key_of(each.rule, each.primary.path, each.primary.row) for each in findings)
        self._told: set[tuple[Key, str]] = set()

    def of(self, finding: Finding) -> Sighting | None:
        """The sighting in the statement that a finding is in; of several calls that are told of in it, the one it points at.

        It stands for those at its other places, too: what mends it mends them.
        """
        found = [each for span in filter(None, (finding.elsewhere, *finding.spans)) if (each := self._at(finding, span))]
        return next(iter(found), None)

    def _at(self, finding: Finding, span: Span) -> Sighting | None:
        key = key_of(finding.rule, span.path, span.row)
        calls = self._seen.get(key, {})
        several = self._rivals[key] > 1
        found = [text for text, each in calls.items() if not several or _overlap(places.span(each.site), span)]
        if not found:
            return None
        self._told |= {(key, text) for text in (found[:1] if several else calls)}
        return calls[found[0]]

    def alone(self, finding: Finding) -> bool:
        """Whether all that the run did in the statement is of this finding, and not of another call in it."""
        return self._rivals[key_of(finding.rule, finding.primary.path, finding.primary.row)] < 2

    @property
    def left(self) -> Iterator[Sighting]:
        """What no finding of the source stands for."""
        seen = ((key, text, each) for key, calls in self._seen.items() for text, each in calls.items())
        return (each for key, text, each in seen if not each.cut and (key, text) not in self._told)


def _overlap(one: Span, other: Span) -> bool:
    begin, end = max(_begin(one), _begin(other)), min(_end(one), _end(other))
    return begin < end


def _begin(span: Span) -> tuple[int, int]:
    return span.row, span.column


def _end(span: Span) -> tuple[int, int]:
    return span.end_row, span.end_column


def with_more(reports: Mapping[str, Report], more: Iterable[Finding]) -> dict[str, Report]:
    """Reports with further findings, which comments silence as they do others."""
    told = dict(reports)
    by_file: dict[str, list[Finding]] = {}
    for finding in more:
        by_file.setdefault(finding.primary.path, []).append(finding)
    for path, findings in by_file.items():
        report = told.get(path) or Report(path)
        ignores, _ = suppress.ignores("".join(excerpt.lines(path)), path, [each.rule for each in findings], lambda span: span)
        kept, silenced = suppress.apply(findings, ignores)
        told[path] = _with(report, kept, silenced)
    return told


def _with(report: Report, kept: Iterable[Finding], silenced: Iterable[Silenced]) -> Report:
    both = (*report.silenced, *silenced)
    used = {each.by for each in both}
    return replace(
        report,
        findings=tuple(sorted((*report.findings, *kept), key=lambda finding: (finding.primary, finding.rule.code))),
        problems=tuple(each for each in report.problems if each.code != "unused" or each.span not in used),
        silenced=both,
        skipped=None,
    )


def _told(finding: Finding, sought: _Sought, visits: Visits, silence: Silence | None) -> Finding:
    """A finding of the source, and what the run says of it."""
    if sighting := sought.of(finding):
        return _with_reason(_confirmed(finding, sighting), silence.faint(finding) if silence else "")
    if sought.alone(finding) and (instead := visits.contradiction(finding)) is not None:
        doubt = Confidence(max(Confidence.LOW, finding.confidence - 1))
        return replace(finding, confidence=doubt, because="the run did otherwise", run=f"{CONTRADICTED}: {instead}")
    return replace(finding, run=f"{UNREACHED}: what the run did does not decide it")


def _confirmed(finding: Finding, sighting: Sighting) -> Finding:
    told: dict[tuple[str, str, tuple[int, int]], str] = {}
    for event, when in zip(sighting.verdict.witness.events, sighting.whens, strict=True):
        file, line = getattr(event.at, "file", ""), getattr(event.at, "line", 0)
        if file:
            told.setdefault((event.verb, os.path.realpath(file), statement(os.path.realpath(file), line)), when)

    def with_time(note: Note) -> Note:
        path = os.path.realpath(note.span.path)
        when = told.get((note.text, path, statement(path, note.span.row)))
        return replace(note, text=timed(note.text, when)) if when else note

    said = f"{CONFIRMED} {at(sighting.when)}"
    told_of = replace(finding, related=tuple(map(with_time, finding.related)), witness=tuple(map(with_time, finding.witness)))
    if sighting.cut:
        return replace(told_of, run=f"{said}, as far as it was recorded")
    return replace(told_of, confidence=Confidence.HIGH, because="the run does it", run=said)


def _with_reason(finding: Finding, why: str) -> Finding:
    return replace(finding, run=f"{finding.run}; {why}") if why else finding


def _of_run(sighting: Sighting, silence: Silence | None) -> Finding:
    """A finding of a rule that only the run shows."""
    rule, witness = sighting.rule, sighting.verdict.witness
    primary = places.span(sighting.site)
    notes: dict[Span, Note] = {}
    story = []
    for event, when in zip(witness.events, sighting.whens, strict=True):
        site = event.at
        if getattr(site, "file", ""):
            place = places.span(site)  # type: ignore[arg-type]
            story.append(Note(place, timed(event.verb, when)))
            if place != primary:
                notes.setdefault(place, story[-1])
    found = finding(
        rule,
        rule.sentence(witness),
        primary,
        notes=tuple(sorted(notes.values(), key=lambda note: note.span)),
        story=tuple(story),
        when=sighting.when,
        around=sighting.site.functions[:1],
    )
    return _with_reason(found, f"the source is silent: {silence.why(sighting)}" if silence else "")


def finding(
    rule: Rule,
    message: str,
    primary: Span,
    *,
    notes: tuple[Note, ...] = (),
    story: tuple[Note, ...] = (),
    when: str = "",
    around: Sequence[str] = (),
    confidence: Confidence = Confidence.HIGH,
) -> Finding:
    """A finding of a run. around: what it stands in, whatever its rows."""
    told = [rule.code, *around, *(note.text.partition(",")[0] for note in story), message if not story else ""]
    return Finding(
        rule=rule,
        message=message,
        confidence=confidence,
        primary=primary,
        related=notes,
        because="the run does it",
        witness=story,
        fingerprint=digest("\n".join(told).encode(errors="surrogatepass")),
        run=f"{ONLY_SEEN}, {at(when)}" if when else ONLY_SEEN,
    )
