"""The table of mutants fits the house. What becomes of them takes minutes: `python tests/mutants.py`."""

from __future__ import annotations

from pathlib import Path

import mutants
import pytest
from mutants import Mutant


def test_no_row_is_stale() -> None:
    assert mutants.stale() == []


@pytest.mark.parametrize(
    ("row", "complaint"),
    [
        (Mutant("verdict.py", "no such code", "", ""), "stands there 0 times"),
        (Mutant("verdict.py", "return", "", ""), "stands there 5 times"),
        (
            Mutant("verdict.py", "def settle(", "", "", tests="tests/test_verdicts.py::test_it"),
            "no tests/test_verdicts.py::test_it",
        ),
    ],
)
def test_a_stale_row_is_told(row: Mutant, complaint: str) -> None:
    (told,) = mutants.stale([row])
    assert complaint in told


@pytest.mark.parametrize(
    ("fails", "by"), [([], ""), (["tests/test_words.py"], "tests/test_words.py"), (mutants.LINT, "the scripts")]
)
def test_a_mutant_dies_by_what_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails: list[str], by: str) -> None:
    file = tmp_path / "src" / "loopcheck" / "words.py"
    file.parent.mkdir(parents=True)
    file.write_text("one = 1\n")

    def passes(tree: Path, tests: list[str]) -> bool:
        assert file.read_text() == "one = 2\n"
        return tests != fails

    monkeypatch.setattr(mutants, "_passes", passes)
    assert mutants.killer(Mutant("words.py", "= 1", "= 2", "", "tests/test_words.py"), tmp_path) == by
    assert file.read_text() == "one = 1\n"
