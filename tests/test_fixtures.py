"""Whole programs: both judges point at exactly the marked lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from loopcheck import testing

FIXTURES = Path(__file__).parent.parent / "fixtures"
PROGRAMS = sorted({*FIXTURES.glob("*.py"), *FIXTURES.glob("*/main.py"), *FIXTURES.glob("*/train.py")})


def files(program: Path) -> list[Path]:
    """The program's own files: one, or all of its folder."""
    return [program] if program.parent == FIXTURES else sorted(program.parent.rglob("*.py"))


each_program = pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: str(path.relative_to(FIXTURES).with_suffix("")))


@each_program
def test_static_judge(program: Path) -> None:
    for file in files(program):
        assert testing.linted(file, file.read_bytes()) == testing.marks(file), file


@each_program
def test_run_time_judge(program: Path, runs: testing.Runs) -> None:
    run = runs.of(program)
    found = testing.audited(run)
    for file in files(program):
        assert found.pop(file, set()) == testing.marks(file), file
    assert not found
    assert (run.raised is not None) == program.stem.endswith("_raises"), run.raised
