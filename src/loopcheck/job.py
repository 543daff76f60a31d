"""The work on one file, from its path to what is shown of it: judge it, and mend it where that is asked for."""

from __future__ import annotations

import difflib
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from loopcheck.check import check_file, check_source
from loopcheck.excerpt import parts
from loopcheck.finding import Finding, Problem, Report, Span
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


def work(path: Path, job: Job) -> Outcome:
    """Do a job on one file. An error of ours becomes a problem of this file: it must not take the others along."""
    try:
        return _mend(path, job) if job.mend else Outcome(_asked(check_file(path, job.rules), job))
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


def _mend(path: Path, job: Job) -> Outcome:
    from loopcheck.write.apply import mend, overwrite

    report = check_file(path, job.rules)
    if not any(finding.repair for finding in report.findings):
        return Outcome(_asked(report, job))
    before = path.read_bytes()
    mended = mend(before, str(path), job.rules, unsafe=job.unsafe, only=job.asks_for)
    if not job.dry:
        try:
            overwrite(path, mended.data)
        except OSError as error:
            problem = _failed(path, "unwritable", f"the file cannot be changed: {error.strerror}").problems
            return Outcome(replace(_asked(report, job), problems=(*report.problems, *problem)))
    return Outcome(_asked(check_source(mended.data, str(path), job.rules), job), before, mended)


def _asked(report: Report, job: Job) -> Report:
    return replace(report, findings=tuple(filter(job.asks_for, report.findings)))


def _failed(path: Path, code: str, message: str) -> Report:
    return Report(str(path), problems=(Problem(code, message, Span(str(path), 1, 1, 1, 1)),))
