"""One finding for one defect: what one change mends is told once, in the file that is mended where that is asked about."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import replace

from loopcheck.finding import Finding, Note, Report


def first_told(findings: Iterable[Finding]) -> set[int]:
    """Of the findings of each defect the one that is told, by its identity: one at its place, one of the file that is mended, the
    surest.

    One place is one defect, and so is what one change mends, wherever it is met.
    """
    first: set[int] = set()
    seen: set[Hashable] = set()
    for finding in sorted(findings, key=lambda each: (each.elsewhere is not None, each.away, -each.confidence)):
        keys = set(_keys(finding))
        if seen.isdisjoint(keys):
            first.add(id(finding))
        seen |= keys
    return first


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
