"""Programs of several files: each judge's findings are the marks of all files."""

from __future__ import annotations

from pathlib import Path

import pytest

from loopcheck import packs, testing
from loopcheck.check import check_file
from loopcheck.write.apply import mend

PROJECTS = sorted(path.parent for path in (Path(__file__).parent.parent / "fixtures" / "projects").glob("*/train.py"))
Marks = set[tuple[Path, str, int]]


def marked(project: Path) -> Marks:
    return {(file, *mark) for file in project.rglob("*.py") for mark in testing.marks(file)}


def read(project: Path) -> Marks:
    """What the static judge says of all files, wherever it points."""
    reports = [check_file(file, packs.rules()) for file in sorted(project.rglob("*.py"))]
    assert not any(report.problems or report.undecided for report in reports)
    findings = [finding for report in reports for finding in report.findings if finding.elsewhere is None]
    return {(Path(finding.primary.path), finding.rule.name, finding.primary.row) for finding in findings}


def ran(project: Path, runs: testing.Runs) -> Marks:
    run = runs.of(project / "train.py")
    assert run.raised is None
    return {(file, *mark) for file, found in testing.audited(run).items() for mark in found}


each_project = pytest.mark.parametrize("project", PROJECTS, ids=lambda path: path.name)


@each_project
def test_static_judge(project: Path) -> None:
    assert read(project) == marked(project)


@each_project
def test_run_time_judge(project: Path, runs: testing.Runs) -> None:
    assert ran(project, runs) == marked(project)


REPAIRED = {
    "accumulation_config", "objective_object", "options_elsewhere", "trainer_clips_late", "uniform_factory", "update_predicate",
}  # fmt: skip
"""The others' repairs would lie in several files, or their rules show them only."""


@each_project
def test_repairs_are_approved_by_the_callers(project: Path) -> None:
    repaired = False
    for file in sorted({file for file, _, _ in marked(project)}):
        mended = mend(file.read_bytes(), str(file), packs.rules(), unsafe=True)
        assert mended.withdrawn == ()
        assert len(mended.applied) + len(mended.report.findings) == len(testing.marks(file))
        repaired = repaired or bool(mended.applied)
    assert repaired == (project.name in REPAIRED)
