"""What values the reader makes of small programs: `#? …` above a line says what that line is worth."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from worth import marks, observed

VALUES = Path(__file__).parent / "values"
PROGRAMS = sorted({*VALUES.glob("*.py"), *VALUES.glob("*/main.py")})


def files(program: Path) -> list[Path]:
    """A program, with what stands beside it."""
    return [program] if program.parent == VALUES else sorted(program.parent.rglob("*.py"))


@cache
def read(program: Path, summaries: bool = False) -> dict[tuple[str, int], str]:
    return observed(program, [place for file in files(program) for place in marks(file)], summaries)


each_mark = pytest.mark.parametrize(
    ("program", "place", "value"),
    [
        pytest.param(program, place, value, id=f"{file.relative_to(VALUES)}:{place[1]}")
        for program in PROGRAMS
        for file in files(program)
        for place, value in marks(file).items()
    ],
)


@each_mark
def test_value(program: Path, place: tuple[str, int], value: str) -> None:
    assert read(program)[place] == value


@each_mark
def test_a_summary_tells_the_same_or_less(program: Path, place: tuple[str, int], value: str) -> None:
    """What does nothing is summarised: a value of it is as it would be, or not known."""
    for each in read(program, summaries=True)[place].split(" | "):
        assert each in value.split(" | ") or re.search(r"Symbol\(|Counter\(|unreached", each)
