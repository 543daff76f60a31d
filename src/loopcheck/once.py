"""One finding for one defect: what one change mends is told once, in the file that is mended where that is asked about."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import replace

from loopcheck.finding import Finding, Note, Report


def first_told(findings: Iterable[Finding]) -> dict[int, Finding]:
    """The findings that are told, by the identity of each: of a defect one at its place, one of the file that is mended, the
    surest; one is as sure of it as of the surest of them. It shows where else its change mends something, as far as that is known
    when it is told.

    One place is one defect, and so is what one change mends, wherever it is met.
    """
    first: dict[int, Finding] = {}
    seen: dict[Hashable, int] = {}
    for finding in sorted(findings, key=lambda each: (each.elsewhere is not None, each.away, -each.confidence)):
        keys = list(_keys(finding))
        known = next((seen[key] for key in keys if key in seen), None)
        if known is None:
            first[id(finding)] = finding
        else:
            first[known] = _also(first[known], finding)
        for key in keys:
            seen.setdefault(key, id(finding) if known is None else known)
    return first


def _also(told: Finding, other: Finding) -> Finding:
    """A finding that shows the place of another that it stands for, and is no less sure; one told before the end of a run,
    of its own file.
    """
    if other.confidence > told.confidence:
        told = replace(told, confidence=other.confidence, because=other.because)
    away = other.elsewhere is not None or (other.primary.path != told.primary.path and not told.away)
    if away or other.primary in told.spans:
        return told
    what = next((note.text for note in other.witness if note.span == other.primary), "call")
    related = sorted((*told.related, Note(other.primary, what)), key=lambda note: note.span)
    return replace(told, related=tuple(related))


def brought_home(reports: Sequence[Report]) -> list[Report]:
    """The reports, with what is told at a call told in the file that the call leads to, where that is asked about and mended.

    Nobody mends a defect of a function at its call if one change in the function does, least of all where the call does other
    things as well.
    """
    asked = {report.path for report in reports}
    coming: dict[str, list[Finding]] = {}
    for finding in (each for report in reports for each in report.findings if _has_home(each) in asked):
        coming.setdefault(_has_home(finding), []).append(_at_home(finding))
    return [_settled(report, coming.get(report.path, []), asked) for report in reports] if coming else list(reports)


def _keys(finding: Finding) -> Iterator[Hashable]:
    yield finding.rule.code, finding.elsewhere or finding.primary
    for change in finding.changes:
        yield finding.rule.code, change


def _has_home(finding: Finding) -> str:
    """The file in which a finding at a call is mended, if it really is in that; empty of any other."""
    return finding.elsewhere.path if finding.elsewhere and finding.elsewhere.path == finding.mended_in else ""


def _at_home(finding: Finding) -> Finding:
    assert finding.elsewhere
    related = {*finding.related, Note(finding.primary, "call")}
    return replace(
        finding,
        primary=finding.elsewhere,
        elsewhere=None,
        related=tuple(sorted((note for note in related if note.span != finding.elsewhere), key=lambda note: note.span)),
        unmended=f"what it is called with is known in {finding.primary.path} alone",
    )


def _settled(report: Report, coming: Sequence[Finding], asked: Iterable[str]) -> Report:
    findings = [*(each for each in report.findings if _has_home(each) not in asked), *coming]
    return replace(report, findings=tuple(sorted(findings, key=lambda each: (each.primary, each.rule.code))))
