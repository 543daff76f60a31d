"""What is not imported: a linter that is called on every save must not load what it does not need."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from samples import BAD


def imported(*arguments: str, cwd: Path) -> set[str]:
    """The top-level packages, and the modules of loopcheck, that a call of the command line loads."""
    process = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "loopcheck", *arguments], cwd=cwd, capture_output=True, text=True, check=False
    )
    assert process.returncode in (0, 1), process.stderr
    names = {line.rpartition("|")[2].strip() for line in process.stderr.splitlines() if line.startswith("import time:")}
    return names | {name.partition(".")[0] for name in names}


@pytest.mark.parametrize("argument", ["--version", "--help"])
def test_a_word_about_itself_loads_nothing_more(argument: str, tmp_path: Path) -> None:
    loaded = imported(argument, cwd=tmp_path)
    assert "loopcheck.cli" in loaded
    assert not loaded & {"libcst", "torch", "numpy", "loopcheck_rules", "pygls", "lsprotocol"}


@pytest.mark.parametrize("command", [["check"], ["check", "--diff"], ["check", "--output-format", "json"], ["show"]])
def test_reading_loads_no_torch(command: list[str], tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(BAD)
    """And of the two parsers the costly one only where there is something to mend."""
    loaded = imported(*command, "train.py", cwd=tmp_path)
    assert ("libcst" in loaded) == (command[0] == "check")
    assert not loaded & {"torch", "numpy"}


def test_explaining_loads_no_torch_and_no_parser(tmp_path: Path) -> None:
    loaded = imported("explain", "clip-after-step", cwd=tmp_path)
    assert "loopcheck.show.page" in loaded
    assert not loaded & {"libcst", "torch", "numpy"}


def test_files_without_training_code_load_no_parser(tmp_path: Path) -> None:
    (tmp_path / "plain.py").write_text("print()\n")
    assert not imported("plain.py", cwd=tmp_path) & {"libcst", "torch"}


def test_nothing_that_lies_here_is_run(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(BAD)
    for name in ("click", "random", "re", "dataclasses", "torch", "loopcheck_rules"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('planted')\n")
    assert "loopcheck.read.program" in imported("check", "--diff", "train.py", cwd=tmp_path)
    process = subprocess.run(
        [sys.executable, "-m", "loopcheck.record"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert "planted" not in process.stderr


def test_a_proof_without_torch_says_what_is_missing(tmp_path: Path) -> None:
    program = "import sys; sys.modules['torch'] = None; from loopcheck.cli import main; main()"
    process = subprocess.run(
        [sys.executable, "-c", program, "prove", "clip-after-step"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    told = "Error: proofs run training scripts and need torch: pip install 'loopcheck[prove]'\n"
    assert (process.returncode, process.stderr) == (2, told)
