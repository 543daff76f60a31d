"""The findings that a project lives with for now: they are in a file, and a run tells of the others only.

A finding is known by its rule, the function around it and the text of its events, not by its row. Whoever mends one takes it out
of the file: in the next run it is one that is not found any more, and the file shrinks.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import groupby
from pathlib import Path, PurePath

from loopcheck.finding import Finding, Report, Silenced
from loopcheck.misuse import Misuse
from loopcheck.rule import Confidence

FILE = "loopcheck-baseline.json"
REASON = "in the baseline"
_VERSION = 1


@dataclass(frozen=True, order=True)
class Known:
    """A finding of the baseline. path: from the baseline's folder, with slashes. row and message: for those who read the file."""

    path: str
    row: int
    code: str
    name: str
    message: str
    confidence: str
    fingerprint: str

    @property
    def key(self) -> tuple[str, str]:
        return self.code, self.fingerprint


def told(number: int) -> str:
    """So many findings, and the verb: `1 finding is`."""
    return "1 finding is" if number == 1 else f"{number} findings are"


@dataclass(frozen=True)
class Baseline:
    """What is in the file. An empty one needs no file."""

    file: Path
    known: tuple[Known, ...] = ()

    @classmethod
    def load(cls, folder: Path) -> Baseline:
        """The baseline of a project. Raises Misuse where it cannot be read."""
        file = folder / FILE
        try:
            data = json.loads(file.read_text(encoding="utf-8"))
            if data["version"] != _VERSION:
                raise ValueError("another version of loopcheck wrote it")
            known = [Known(path=path, **each) for path, several in data["findings"].items() for each in several]
            return cls(file, tuple(sorted(known)))
        except FileNotFoundError:
            return cls(file)
        except (OSError, ValueError, TypeError, LookupError, AttributeError) as error:
            raise Misuse(f"{file} is no baseline: {error}; `loopcheck baseline write` makes one") from None

    def save(self) -> None:
        """Write the file in one step; where nothing is known, remove it. Raises Misuse."""
        found = {
            path: [{name: value for name, value in asdict(each).items() if name != "path"} for each in several]
            for path, several in groupby(sorted(self.known), key=lambda each: each.path)
        }
        beside = self.file.with_name(f".{self.file.name}.{os.getpid()}~")
        try:
            if not found:
                return self.file.unlink(missing_ok=True)
            beside.write_text(json.dumps({"version": _VERSION, "findings": found}, indent=2) + "\n", encoding="utf-8")
            os.replace(beside, self.file)
        except OSError as error:
            raise Misuse(f"{self.file} cannot be written: {error.strerror}") from None

    def without_known(self, report: Report) -> Report:
        """A report whose known findings are silenced."""
        here = self._path(report.path)
        left = Counter(each.key for each in self.known if each.path == here)
        new: list[Finding] = []
        silenced: list[Silenced] = []
        for finding in report.findings:
            if left[_key(finding)]:
                left[_key(finding)] -= 1
                silenced.append(Silenced(finding, REASON))
            else:
                new.append(finding)
        return replace(report, findings=tuple(new), silenced=(*report.silenced, *silenced))

    def holding(self, reports: Iterable[Report]) -> Baseline:
        """The baseline with what these reports tell of, in the place of what it held of their files."""
        found = [self._known(report.path, each) for report in reports for each in _findings(report)]
        judged = {self._path(report.path) for report in reports}
        return replace(self, known=tuple(sorted([*(each for each in self.known if each.path not in judged), *found])))

    def pruned(self, reports: Sequence[Report], omits: Callable[[str, str, Confidence], bool]) -> Baseline:
        """The baseline without what is not there any more: in files that were judged in full, and in those that are gone.

        omits: whether what a rule finds in a file, this sure, is not asked for.
        """
        judged = {self._path(report.path): report for report in reports if _in_full(report)}
        found = {path: Counter(map(_key, _findings(report))) for path, report in judged.items()}
        kept: list[Known] = []
        for each in self.known:
            report = judged.get(each.path)
            if report is None:
                stays = (self.file.parent / each.path).exists()
            else:
                stays = found[each.path][each.key] > 0 or omits(report.path, each.code, Confidence[each.confidence.upper()])
                found[each.path][each.key] -= 1
            kept += [each] if stays else []
        return replace(self, known=tuple(kept))

    def _known(self, path: str, finding: Finding) -> Known:
        rule = finding.rule
        told = finding.primary.row, rule.code, rule.name, finding.message, str(finding.confidence), finding.fingerprint
        return Known(self._path(path), *told)

    def _path(self, path: str) -> str:
        return PurePath(os.path.relpath(path, self.file.parent)).as_posix()


def _findings(report: Report) -> list[Finding]:
    """What a report found, less what comments silence."""
    return [*report.findings, *(each.finding for each in report.silenced if each.by is None)]


def _key(finding: Finding) -> tuple[str, str]:
    return finding.rule.code, finding.fingerprint


def _in_full(report: Report) -> bool:
    return not report.partial and all(problem.remark for problem in report.problems)
