"""Nothing that is said does anything to a terminal, or to who reads lines: whatever files hold, and whatever they are called."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from samples import BAD, RULES

from loopcheck import packs
from loopcheck.cli import program
from loopcheck.printable import printable

RAW = {
    "a colour": "\x1b[31m",
    "a title": "\x1b]0;owned\x07",
    "one byte of an escape": "\x9b31m",
    "right to left": "\u202e",
    "isolated": "\u2066",
    "no width": "\u200b",
    "the end of a line": "\u2028",
    "a tag": "\U000e0041",
}
NAME = "a\n::error file=x::owned\x1b[31m\u202e.py"


@pytest.mark.parametrize("text", RAW.values(), ids=RAW)
def test_what_is_not_text_is_replaced(text: str) -> None:
    assert printable(f"a{text}b").startswith("a\N{REPLACEMENT CHARACTER}")
    assert printable(f"a{text}b", kept=text) == f"a{text}b"


@pytest.mark.parametrize("text", ["", "größer", "学習", "👩‍👧", "می‌خواهم", "e\u0301", "\u3000"])
def test_text_stays(text: str) -> None:
    assert printable(text) == text


Run = Callable[..., Result]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    monkeypatch.setattr(packs, "rules", lambda: RULES)
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str) -> Result:
        result = CliRunner().invoke(program, arguments, prog_name="loopcheck")
        said = result.stdout + result.stderr
        assert not re.search("[\x00-\x08\x0b-\x0c\x0e-\x1f\x7f-\x9f\u200b\u2028-\u202e\u2066-\u2069]", said), said
        assert "\n::error file=x" not in said
        return result

    return call


SAID = {
    "a report": (),
    "a report to programs": ("--output-format", "json"),
    "annotations": ("--output-format", "github"),
    "a patch": ("--diff",),
    "notes": ("--fix", "-v"),
}


@pytest.mark.parametrize("options", SAID.values(), ids=SAID)
def test_what_is_told_of_a_file(run: Run, options: tuple[str, ...]) -> None:
    raw = "".join(RAW.values()).replace("\u2028", "")
    Path(NAME).write_text(BAD.replace("1.0)", f"1.0)  # {raw}"), encoding="utf-8")
    Path("broken" + NAME).write_text(f"optim = (  # {raw}\n", encoding="utf-8")
    assert run(*options, ".").exit_code == 3


@pytest.mark.parametrize(
    "arguments", [(NAME,), (f"--{NAME}",), ("--select", NAME, "."), ("explain", NAME), ("--output-format", NAME), ("clean", NAME)]
)
def test_what_is_told_of_wrong_use(run: Run, arguments: tuple[str, ...]) -> None:
    assert run(*arguments).exit_code == 2


def test_a_patch_fits_the_file(run: Run) -> None:
    Path("train.py").write_bytes(BAD.replace("    ", "\t").replace("\n", "\r\n").encode())
    said = run("--diff", "train.py").stdout_bytes
    assert b"+\tnn.utils.clip_grad_norm_(model.parameters(), 1.0)\r\n \toptimizer.step()\r\n" in said
    assert os.listdir() == ["train.py"] or ".loopcheck_cache" in os.listdir()
