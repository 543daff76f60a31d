"""Programs of libraries that tests do not install: the static judge points at exactly the marked lines."""

from pathlib import Path

import pytest

from loopcheck import testing

PROGRAMS = sorted((Path(__file__).parent.parent / "fixtures" / "frameworks").glob("*.py"))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_static_judge(program: Path) -> None:
    assert testing.linted(program, program.read_bytes()) == testing.marks(program)
