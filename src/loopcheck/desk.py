"""What an editor asks of texts that are being written: what is found in them, and what would mend or silence it.

Nothing is written: the editor is told of edits. Settings, baseline and comments count as they do for `check`.
"""

from __future__ import annotations

import difflib
import gc
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import count
from pathlib import Path

from loopcheck.baseline import Baseline
from loopcheck.check import forget
from loopcheck.config import Projects
from loopcheck.excerpt import parts
from loopcheck.finding import Finding, Report, Span, TextEdit
from loopcheck.job import Job, holds_together, work_on
from loopcheck.layout import layout
from loopcheck.scope import Scope, Wishes

REASON = "<why it is right here>"
"""Stands in a comment where a person is to write; until then it is no reason, and the comment silences nothing."""

MOST_VERSIONS = 20
"""So many texts are judged before all that was read is let go of: each version of a text that is being written is one more."""
_judged = count(1)


class Desk:
    """The texts that are open, by their files."""

    def __init__(self, texts: Mapping[Path, bytes]) -> None:
        self._texts = texts
        self._projects = Projects()

    def report(self, path: Path) -> Report:
        """What is known of a text. Raises Misuse where settings cannot be used."""
        if next(_judged) % MOST_VERSIONS == 0:
            forget()
            gc.collect()
        scope = Scope(self._projects, Wishes(force_exclude=True))
        if path.exists() and not scope.files([path]):
            return Report(str(path), skipped="excluded")
        settings = self._projects.of(path.parent)
        job = Job(scope.rules([path]), spared=scope.spares, settled=scope.settled, same_as=settings.same_as)
        report = work_on(self._texts[path], path, job, beside=self._texts).report
        return Baseline.load(settings.home).without_known(report)

    def mends(self, path: Path, finding: Finding) -> bool:
        """Whether a finding's repair holds: what it makes of the text is judged again."""
        same_as = self._projects.of(path.parent).same_as
        job = Job([finding.rule], mend=True, unsafe=True, spared=lambda other: other != finding, same_as=same_as)
        if finding.repair and {edit.span.path for edit in finding.repair.edits} != {str(path)}:
            return holds_together(finding, replace(job, spared=lambda other: False), self._texts)
        mended = work_on(self._texts[path], path, job, beside=self._texts).mended
        return mended is not None and finding in mended.applied

    def mended(self, path: Path) -> list[TextEdit]:
        """The edits after which a text is as `--fix` leaves it."""
        scope = Scope(self._projects, Wishes())
        same_as = self._projects.of(path.parent).same_as
        job = Job(scope.rules([path]), mend=True, spared=scope.spares, settled=scope.settled, same_as=same_as)
        outcome = work_on(self._texts[path], path, job, beside=self._texts)
        return [*_edits(str(path), outcome.before, outcome.mended.data)] if outcome.mended else []

    def silencing(self, path: Path, finding: Finding) -> TextEdit:
        """A comment above the statement in which something is found, but for the reason."""
        at = finding.primary
        lines = parts(str(path), self._texts[path])[max(at.cell - 1, 0)][1]
        row, _ = layout("".join(lines)).statement(at.row)
        line = lines[row - 1]
        indent = line[: len(line) - len(line.lstrip())]
        newline = line[len(line.rstrip("\r\n")) :] or "\n"
        comment = f"{indent}# loopcheck: ignore[{finding.rule.name}] -- {REASON}{newline}"
        return TextEdit(Span(at.path, row, 1, row, 1, cell=at.cell), comment)


def _edits(path: str, before: bytes, after: bytes) -> Iterator[TextEdit]:
    """What turns the one into the other, by whole lines."""
    cells = zip(parts(path, before), parts(path, after), strict=True)
    for number, ((name, old), (_, new)) in enumerate(cells, 1):
        cell = number if name != path else 0
        for what, first, last, start, end in difflib.SequenceMatcher(a=old, b=new, autojunk=False).get_opcodes():
            if what != "equal":
                yield TextEdit(Span(path, first + 1, 1, last + 1, 1, cell=cell), "".join(new[start:end]))
