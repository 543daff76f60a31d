"""One item of a report: a rule's finding, a file that could not be read, or a comment that silences nothing."""

from __future__ import annotations

from pathlib import Path

from loopcheck.cache import digest
from loopcheck.finding import Finding, Note, Problem, Repair, Report, Silenced, Span
from loopcheck.rule import Confidence
from loopcheck.structs import dataclass

ERROR = "error"
_LEVELS = {ERROR: "error", "bug": "error", "advice": "warning"}
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
    "renamed": ("LC003", "renamed-rule", "advice"),
}


def level_of(severity: str) -> str:
    """How grave something is to those who know three degrees: `error`, `warning` or `note`."""
    return _LEVELS.get(severity, "note")


@dataclass(frozen=True)
class Entry:
    """What every format tells. severity: the rule's group, or `error` for what could not be analysed.

    because: why one is that sure. unmended: why there is no repair. run: what a recorded run says of it. witness: what happens,
    in that order. away: where the defect is, if that is in another file, to which the primary span leads. page: the rule's.
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
    because: str = ""
    witness: tuple[Note, ...] = ()
    fingerprint: str = ""
    run: str = ""
    unmended: str = ""
    page: Path | None = None

    @property
    def level(self) -> str:
        return level_of(self.severity)

    @property
    def by_rule(self) -> bool:
        """A rule can tell more about it (`loopcheck explain`)."""
        return bool(self.title)


LEVELS = ("bug", "advice")
"""From when on what is found fails a run: bugs alone, or whatever is told."""


def counts(entry: Entry, level: str) -> bool:
    """Whether an entry fails a run."""
    return level == "advice" or entry.severity == "bug"


def silenced(report: Report) -> list[tuple[Entry, Silenced]]:
    """What a report keeps to itself, from top to bottom."""
    return [(of_finding(each.finding), each) for each in report.silenced]


def entries(report: Report) -> list[Entry]:
    """All that a report says, from top to bottom."""
    found = [*map(of_finding, report.findings), *map(_of_problem, report.problems)]
    return sorted(found, key=lambda entry: (entry.primary, entry.code))


def of_finding(finding: Finding) -> Entry:
    """A rule's finding as an item of a report."""
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
        because=finding.because,
        witness=finding.witness,
        fingerprint=finding.fingerprint,
        run=finding.run,
        unmended=finding.unmended,
        page=rule.folder / "page.md" if rule.folder.name else None,
    )


def _of_problem(problem: Problem) -> Entry:
    code, name, severity = _PROBLEMS[problem.code]
    told = digest(f"{code} {name} {problem.message}".encode(errors="surrogatepass"))
    return Entry(code, name, severity, problem.message, problem.span, repair=problem.repair, fingerprint=told)
