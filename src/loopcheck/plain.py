"""Reports as lists and strings, for a file or another process to hold, and back: what comes out is equal to what went in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from loopcheck.finding import Finding, Note, Problem, Repair, Report, Span, TextEdit
from loopcheck.rule import Confidence, Rule


def pack(report: Report) -> list[Any]:
    """A report as JSON can write it; its rules by their codes."""
    return [
        report.path,
        list(map(_finding, report.findings)),
        [[problem.code, problem.message, _span(problem.span)] for problem in report.problems],
        report.skipped,
        list(report.undecided),
        list(report.cut),
    ]


def unpack(data: Any, rules: Sequence[Rule]) -> Report:
    """The report that was packed. Raises ValueError, TypeError or KeyError where the data is none."""
    by_code = {rule.code: rule for rule in rules}
    path, findings, problems, skipped, undecided, cut = data
    return Report(
        path,
        tuple(_to_finding(finding, by_code) for finding in findings),
        tuple(Problem(code, message, _to_span(span)) for code, message, span in problems),
        skipped,
        tuple(undecided),
        tuple(cut),
    )


def _finding(finding: Finding) -> list[Any]:
    return [
        finding.rule.code,
        finding.message,
        int(finding.confidence),
        _span(finding.primary),
        [[_span(note.span), note.text] for note in finding.related],
        finding.repair and _repair(finding.repair),
        finding.elsewhere and _span(finding.elsewhere),
    ]


def _to_finding(data: Any, rules: dict[str, Rule]) -> Finding:
    code, message, confidence, primary, related, repair, elsewhere = data
    return Finding(
        rules[code],
        message,
        Confidence(confidence),
        _to_span(primary),
        tuple(Note(_to_span(span), text) for span, text in related),
        repair and _to_repair(repair),
        elsewhere and _to_span(elsewhere),
    )


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
