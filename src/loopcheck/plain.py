"""Reports as lists and strings, for a file or another process to hold, and back: what comes out is equal to what went in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from loopcheck.finding import Finding, Note, Problem, Repair, Report, Silenced, Span, TextEdit
from loopcheck.rule import Confidence, Rule


def pack(report: Report) -> list[Any]:
    """A report as JSON can write it; its rules by their codes."""
    return [
        report.path,
        list(map(_finding, report.findings)),
        [_problem(problem) for problem in report.problems],
        report.skipped,
        list(report.undecided),
        list(report.cut),
        [[_finding(each.finding), each.reason, each.by and _span(each.by)] for each in report.silenced],
    ]


def unpack(data: Any, rules: Sequence[Rule]) -> Report:
    """The report that was packed. Raises ValueError, TypeError or KeyError where the data is none."""
    by_code = {rule.code: rule for rule in rules}
    path, findings, problems, skipped, undecided, cut, silenced = data
    return Report(
        path,
        tuple(_to_finding(finding, by_code) for finding in findings),
        tuple(map(_to_problem, problems)),
        skipped,
        tuple(undecided),
        tuple(cut),
        tuple(Silenced(_to_finding(finding, by_code), reason, by and _to_span(by)) for finding, reason, by in silenced),
    )


def _problem(problem: Problem) -> list[Any]:
    return [problem.code, problem.message, _span(problem.span), problem.repair and _repair(problem.repair)]


def _to_problem(data: Any) -> Problem:
    code, message, span, repair = data
    return Problem(code, message, _to_span(span), repair and _to_repair(repair))


def _finding(finding: Finding) -> list[Any]:
    return [
        finding.rule.code,
        finding.message,
        int(finding.confidence),
        _span(finding.primary),
        _notes(finding.related),
        finding.repair and _repair(finding.repair),
        finding.elsewhere and _span(finding.elsewhere),
        finding.because,
        _notes(finding.witness),
        finding.fingerprint,
        finding.unmended,
        list(finding.changes),
        finding.mended_in,
    ]


def _to_finding(data: Any, rules: dict[str, Rule]) -> Finding:
    (
        code,
        message,
        confidence,
        primary,
        related,
        repair,
        elsewhere,
        because,
        witness,
        fingerprint,
        unmended,
        changes,
        mended_in,
    ) = data
    return Finding(
        rules[code],
        message,
        Confidence(confidence),
        _to_span(primary),
        _to_notes(related),
        repair and _to_repair(repair),
        elsewhere and _to_span(elsewhere),
        because,
        _to_notes(witness),
        fingerprint,
        "",
        unmended,
        tuple(changes),
        mended_in,
    )


def _notes(notes: Sequence[Note]) -> list[Any]:
    return [[_span(note.span), note.text] for note in notes]


def _to_notes(data: Any) -> tuple[Note, ...]:
    return tuple(Note(_to_span(span), text) for span, text in data)


def _repair(repair: Repair) -> list[Any]:
    return [repair.applicability, repair.message, [[_span(edit.span), edit.content] for edit in repair.edits]]


def _to_repair(data: Any) -> Repair:
    applicability, message, edits = data
    return Repair(applicability, message, tuple(TextEdit(_to_span(span), content) for span, content in edits))


def _span(span: Span) -> list[Any]:
    return [span.path, span.cell, span.row, span.column, span.end_row, span.end_column]


def _to_span(data: Any) -> Span:
    path, cell, *place = data
    return Span(path, *place, cell=cell)
