"""The table of mutants fits the house. What becomes of them takes minutes: `python tests/mutants.py`."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import failing
import mutants
import pytest
from mutant import Mutant
from mutants import Fate


def test_no_row_is_stale() -> None:
    assert mutants.stale() == []


@pytest.mark.parametrize(
    ("row", "complaint"),
    [
        (Mutant("verdict.py", "no such code", "", ""), "stands there 0 times"),
        (Mutant("verdict.py", "return", "", ""), "stands there 6 times"),
        (Mutant("verdict.py", "def settle(", "def (", ""), "with `def (` it is no Python"),
        (
            Mutant("verdict.py", "def settle(", "def settled(", "", tests="tests/test_verdicts.py::test_it"),
            "no tests/test_verdicts.py::test_it",
        ),
    ],
)
def test_a_stale_row_is_told(row: Mutant, complaint: str) -> None:
    (told,) = mutants.stale([row])
    assert complaint in told


TESTS, SCRIPT = "tests/test_words.py", "fixtures/words.py"


@pytest.mark.parametrize(
    ("fails", "by"),
    [([], ""), ([f"{TESTS}::test_one"], f"{TESTS}::test_one"), ([SCRIPT], SCRIPT), (["exit status 1"], "exit status 1")],
)
def test_a_mutant_dies_by_the_first_that_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails: list[str], by: str
) -> None:
    file = _house(tmp_path)

    def fail(tree: Path, asked: Sequence[str]) -> str:
        if file.read_text() != "one = 2\n":
            return ""
        return next((each for each in fails if each.startswith("tests") == (list(asked) == [TESTS])), "")

    monkeypatch.setattr(mutants, "failing", fail)
    assert mutants.killer(Mutant("words.py", "= 1", "= 2", "", TESTS), tmp_path) == by
    assert file.read_text() == "one = 1\n"


def test_what_fails_without_the_mutant_kills_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _house(tmp_path)
    monkeypatch.setattr(mutants, "failing", lambda tree, asked: SCRIPT)
    with pytest.raises(mutants.Spoiled, match=SCRIPT):
        mutants.killer(Mutant("words.py", "= 1", "= 2", "", TESTS), tmp_path)


def _house(folder: Path) -> Path:
    """A file of a house with a test and a script."""
    file = folder / "src" / "loopcheck" / "words.py"
    for each in (file, folder / TESTS, folder / SCRIPT):
        each.parent.mkdir(parents=True)
        each.write_text("one = 1\n")
    return file


KNOWN = Mutant("words.py", "", "", "one is enough")
EXCUSED = Mutant("words.py", "", "", "two are as good", lives="they are one")


@pytest.mark.parametrize(
    ("fared", "status", "said"),
    [
        ([Fate(KNOWN, 1, by=SCRIPT), Fate(EXCUSED, 1)], 0, "2 mutants in 0 minutes: 1 die, 1 live for a reason, 0 without one"),
        ([Fate(KNOWN, 1)], 1, "words.py: one is enough: LIVES: nobody knows why"),
        ([Fate(KNOWN, 1, spoiled=SCRIPT)], 2, f"{SCRIPT} fails without it, too"),
    ],
)
def test_each_fate_is_told_and_all_are_counted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], fared: list[Fate], status: int, said: str
) -> None:
    def fates(chosen: Sequence[Mutant], jobs: int) -> Iterator[Fate]:
        yield from fared

    monkeypatch.setattr(mutants, "fates", fates)
    monkeypatch.setattr(mutants, "stale", list)
    assert mutants.main(["words.py"]) == status
    assert said in capsys.readouterr().out


def test_nothing_is_run_where_no_row_has_the_word(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.delattr(mutants, "fates")
    monkeypatch.setattr(mutants, "stale", list)
    assert mutants.main(["no such word"]) == 2
    assert capsys.readouterr().out == "no mutant has 'no such word' in its file or reason\n"


def test_the_first_test_that_fails_is_named(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "tests" / "test_it.py").write_text("def test_a(): pass\ndef test_b(): assert False\ndef test_c(): assert False\n")
    command = [sys.executable, failing.__file__, "tests/test_it.py"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8", check=False)
    assert (ran.returncode, ran.stdout.splitlines()[-1]) == (1, "tests/test_it.py::test_b")


def test_the_first_script_that_is_judged_otherwise_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    script = "fixtures/frameworks/clip_by_hand.py"
    assert failing.first_failing([script]) == ""
    monkeypatch.setattr("loopcheck.testing.linted", lambda script, data: {("clip-after-step", 1)})
    assert failing.first_failing([script]) == script
