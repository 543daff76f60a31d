"""One item of a report: a rule's finding, a file that could not be read, or a comment that silences nothing."""

from __future__ import annotations

from dataclasses import dataclass

from loopcheck.finding import Finding, Note, Problem, Repair, Report, Span
from loopcheck.rule import Confidence

ERROR = "error"
_PROBLEMS = {
    "syntax": ("LC000", "syntax-error", ERROR),
    "unreadable": ("LC000", "unreadable", ERROR),
    "unwritable": ("LC000", "unwritable", ERROR),
    "too-large": ("LC000", "too-large", ERROR),
    "too-deep": ("LC000", "too-deep", ERROR),
    "internal": ("LC000", "internal-error", ERROR),
    # It hides nothing, what it meant to silence is reported all the same: a remark, not an error.
    "suppression": ("LC001", "invalid-suppression", "advice"),
    "unused": ("LC002", "unused-suppression", "advice"),
}


@dataclass(frozen=True)
class Entry:
    """What every format tells. severity: the rule's group, or `error` for what could not be analysed.

    away: where the defect is, if that is in another file, to which the primary span leads.
    """

    code: str
    name: str
    severity: str
    message: str
    primary: Span
    confidence: Confidence = Confidence.HIGH
    related: tuple[Note, ...] = ()
    repair: Repair | None = None
    title: str = ""
    away: str = ""

    @property
    def by_rule(self) -> bool:
        """A rule can tell more about it (`loopcheck explain`)."""
        return bool(self.title)


LEVELS = ("bug", "advice")
"""From when on what is found fails a run: bugs alone, or whatever is told."""


def counts(entry: Entry, level: str) -> bool:
    """Whether an entry fails a run."""
    return level == "advice" or entry.severity == "bug"


def entries(report: Report) -> list[Entry]:
    """All that a report says, from top to bottom."""
    found = [*map(_of_finding, report.findings), *map(_of_problem, report.problems)]
    return sorted(found, key=lambda entry: (entry.primary, entry.code))


def _of_finding(finding: Finding) -> Entry:
    rule = finding.rule
    return Entry(
        code=rule.code,
        name=rule.name,
        severity=rule.group,
        message=finding.message,
        primary=finding.primary,
        confidence=finding.confidence,
        related=finding.related,
        repair=finding.repair,
        title=rule.title,
        away=f"the defect is in {finding.elsewhere.path}:{finding.elsewhere.row}, reached from here" if finding.elsewhere else "",
    )


def _of_problem(problem: Problem) -> Entry:
    code, name, severity = _PROBLEMS[problem.code]
    return Entry(code, name, severity, problem.message, problem.span)
