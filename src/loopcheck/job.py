"""The work on files, from their paths to what is shown of them: judge each, and mend it where that is asked for."""

from __future__ import annotations

import difflib
import traceback
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from loopcheck.check import check_file, check_source
from loopcheck.excerpt import parts
from loopcheck.finding import Finding, Problem, Report, Span
from loopcheck.fix import SAFE, UNSAFE
from loopcheck.read.library import Library
from loopcheck.rule import Confidence, Rule

if TYPE_CHECKING:
    from loopcheck.write.apply import Mended


@dataclass(frozen=True)
class Job:
    """What is asked for of every file.

    least: findings that are less sure are left out. mend: make safe repairs. unsafe: and those that change the result.
    dry: show what mending would do, and write nothing.
    """

    rules: Sequence[Rule]
    least: Confidence = Confidence.LOW
    mend: bool = False
    unsafe: bool = False
    dry: bool = False

    def asks_for(self, finding: Finding) -> bool:
        return finding.confidence >= self.least

    @property
    def ways(self) -> tuple[str, ...]:
        """The applicabilities of the repairs that are asked for."""
        return ((SAFE, UNSAFE) if self.unsafe else (SAFE,)) if self.mend else ()


@dataclass(frozen=True)
class Outcome:
    """What came of one file. report: of what it holds in the end. trace: of an error of ours, for those who look for it."""

    report: Report
    before: bytes = b""
    mended: Mended | None = None
    trace: str | None = None

    @property
    def changed(self) -> bool:
        return self.mended is not None and self.mended.data != self.before


def work(paths: Sequence[Path], job: Job) -> list[Outcome]:
    """Do a job on files. Each is judged as if those mended before were on disk; a defect that several lead to is told once."""
    library = Library(paths)
    outcomes: list[Outcome] = []
    for path in paths:
        outcomes.append(_work(path, job, library))
        library = _holding(library, outcomes[-1])
    mended = {outcome.report.path for outcome in outcomes if outcome.changed}
    return _told_once([_judged_again(outcome, job, library, mended) for outcome in outcomes])


def _holding(library: Library, outcome: Outcome) -> Library:
    return library.holding(outcome.report.path, outcome.mended.data) if outcome.mended else library


def _judged_again(outcome: Outcome, job: Job, library: Library, mended: Set[str]) -> Outcome:
    """What came of a file in which was told of a defect that was mended later."""
    if any(finding.elsewhere and finding.elsewhere.path in mended for finding in outcome.report.findings):
        path = outcome.report.path
        data = outcome.mended.data if outcome.mended else Path(path).read_bytes()
        return replace(outcome, report=_asked(check_source(data, path, job.rules, library), job))
    return outcome


def _told_once(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """A finding at a call goes where the defect is told of in its own file, or at another call before."""
    findings = [finding for outcome in outcomes for finding in outcome.report.findings]
    first: dict[tuple[str, Span], Finding] = {}
    for finding in sorted(findings, key=lambda finding: finding.elsewhere is not None):
        first.setdefault(_defect(finding), finding)
    return [
        replace(outcome, report=_only(outcome.report, lambda finding: first[_defect(finding)] is finding)) for outcome in outcomes
    ]


def _defect(finding: Finding) -> tuple[str, Span]:
    return finding.rule.code, finding.elsewhere or finding.primary


def _work(path: Path, job: Job, library: Library) -> Outcome:
    """An error of ours becomes a problem of this file: it must not take the others along."""
    try:
        return _mend(path, job, library) if job.mend else Outcome(_asked(check_file(path, job.rules, library), job))
    except RecursionError:
        return Outcome(_failed(path, "too-deep", "the code is nested too deeply to be analysed"))
    except Exception as error:
        return Outcome(_failed(path, "internal", crash(error)), trace=traceback.format_exc())


def crash(error: Exception) -> str:
    """What to tell a person of an error that is ours."""
    at = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{Path(at.filename).name}:{at.lineno}"
    return f"loopcheck failed with {type(error).__name__}: {error} ({where}); this is a bug of loopcheck, please report it"


def diff(outcome: Outcome) -> Iterator[str]:
    """What mending changes in a file, as a unified diff, line by line."""
    if outcome.mended is None:
        return
    before, after = (parts(outcome.report.path, data) for data in (outcome.before, outcome.mended.data))
    for (name, old), (_, new) in zip(before, after, strict=True):
        for line in difflib.unified_diff(old, new, name, name):
            yield line if line.endswith(("\n", "\r")) else f"{line}\n\\ No newline at end of file\n"


def _mend(path: Path, job: Job, library: Library) -> Outcome:
    from loopcheck.write.apply import mend, overwrite

    report = check_file(path, job.rules, library)
    if not any(finding.repair for finding in report.findings):
        return Outcome(_asked(report, job))
    before = path.read_bytes()
    mended = mend(before, str(path), job.rules, unsafe=job.unsafe, only=job.asks_for, library=library)
    if not job.dry:
        try:
            overwrite(path, mended.data)
        except OSError as error:
            problem = _failed(path, "unwritable", f"the file cannot be changed: {error.strerror}").problems
            return Outcome(replace(_asked(report, job), problems=(*report.problems, *problem)))
    return Outcome(_asked(mended.report, job), before, mended)


def _asked(report: Report, job: Job) -> Report:
    return _only(report, job.asks_for)


def _only(report: Report, keep: Callable[[Finding], bool]) -> Report:
    return replace(report, findings=tuple(filter(keep, report.findings)))


def _failed(path: Path, code: str, message: str) -> Report:
    return Report(str(path), problems=(Problem(code, message, Span(str(path), 1, 1, 1, 1)),))
