"""Completion in shells: the scripts that are printed, and what they ask for."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest


def program(*arguments: str, **environment: str) -> str:
    return subprocess.run(
        [sys.executable, "-m", "loopcheck", *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    ).stdout


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_script_for_each_shell(shell: str) -> None:
    script = program("completion", shell)
    assert f"_LOOPCHECK_COMPLETE={shell}_complete" in script


@pytest.mark.parametrize(
    ("words", "completed"),
    [
        ("loopcheck ex", "explain"),
        ("loopcheck check --sta", "--staged"),
        ("loopcheck explain clip-af", "clip-after-step"),
        ("loopcheck prove LC10", "LC101"),
        ("loopcheck check --output-format sa", "sarif"),
    ],
)
def test_words_are_completed(words: str, completed: str) -> None:
    told = program(_LOOPCHECK_COMPLETE="bash_complete", COMP_WORDS=words, COMP_CWORD=str(len(words.split()) - 1))
    assert completed in [line.rpartition(",")[2] for line in told.splitlines()]
