"""Some files of the torture table; `python tests/torture.py` judges them all."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from torture import MOST_MEGABYTES, MOST_SECONDS, YARDSTICK, Outcome, in_common_seconds, table, yardstick

TORTURE = Path(__file__).parent / "torture.py"
SEEN = (
    "40 v = v + v of unknown",
    "40 v = zip(v, v) of unknown",
    "40 v = v(v) in a function",
    "v = 10 ** 10 ** 8",
    "v = 'a' * 10 ** 12",
    "100 kB of letters in a string",
    "400 loops",
    "2 thousand backwards and steps",
    "a list of 20 thousand rows",
    "50 thousand lines",
    "90 patterns",
    "90 patterns of mappings",
    "5 MB",
    "says punycode",
    "a notebook, a large number",
    "a notebook, indented",
    "HTML in an f-string",
    "9999 … 5000",
)
"""What once took a minute, or all memory, or was an error of ours."""


def test_the_table_is_long_and_no_name_stands_for_two() -> None:
    names = [name for name, _ in table()]
    assert len(names) >= 200
    assert len({*names}) == len(names)
    assert [word for word in SEEN if not any(word in name for name in names)] == []


@pytest.mark.parametrize("arguments", [SEEN, ("25",)], ids=["seen", "one of many"])
def test_every_file_comes_to_a_verdict_within_the_budget(arguments: tuple[str, ...]) -> None:
    process = subprocess.run([sys.executable, TORTURE, *arguments], capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stdout + process.stderr


@pytest.mark.parametrize(
    ("outcome", "wrong"),
    [
        (Outcome("a", 1.0, 50, 0, "Found nothing in 1 file (1 checked)."), ""),
        (Outcome("a", 1.0, 50, 3, "error[LC000] syntax-error: no"), ""),
        (Outcome("a", MOST_SECONDS + 1, 50, 0, ""), "took too long"),
        (Outcome("a", 1.0, MOST_MEGABYTES + 1, 0, ""), "took too much memory"),
        (Outcome("a", 1.0, 50, -11, ""), "ended with -11: ''"),
        (Outcome("a", 1.0, 50, 0, "\x1b[31m"), "said '\\x1b'"),
        (Outcome("a", 1.0, 50, 0, "error[LC000]"), "the exit code does not fit what is told: 'error[LC000]'"),
    ],
)
def test_what_is_held_against_a_file(outcome: Outcome, wrong: str) -> None:
    assert outcome.wrong == wrong


@pytest.mark.parametrize(("slower", "seconds"), [(0.5, 9.0), (1.0, 9.0), (3.0, 3.0)])
def test_a_machine_that_is_slow_is_given_more_and_a_fast_one_no_less(slower: float, seconds: float) -> None:
    assert in_common_seconds(9.0, slower * YARDSTICK) == pytest.approx(seconds)


def test_the_yardstick_is_short_beside_what_it_is_held_against() -> None:
    assert 0 < yardstick() < MOST_SECONDS
