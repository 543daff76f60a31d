"""Room for the frames of deep calls."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest

from loopcheck import check
from loopcheck.frames import in_one_piece

resource = pytest.importorskip("resource", reason="page faults are counted where the system tells them")
in_pieces = pytest.mark.skipif(
    sys.version_info < (3, 11) or sys.implementation.name != "cpython", reason="frames lie in pieces since CPython 3.11"
)
PASSES = 500
"""Calls at each depth: so many pieces are asked for at a depth that ends one."""


def _leaf() -> None:
    return None


def _down(depth: int) -> None:
    if depth:
        return _down(depth - 1)
    for _ in range(PASSES):
        _leaf()


def _up_and_down() -> None:
    for depth in range(400):
        _down(depth)


def _faults(function: Callable[[], None]) -> int:
    """Pages that the system gave meanwhile; a new piece is a new page."""
    before: int = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    function()
    after: int = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    return after - before


@in_pieces
def test_calls_at_the_end_of_a_piece_of_memory_ask_for_none() -> None:
    assert _faults(_up_and_down) > PASSES  # there is something to mend
    assert _faults(in_one_piece(_up_and_down)) < PASSES // 2


@in_pieces
def test_a_file_is_judged_with_room(monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[int] = []

    def deep(data: bytes) -> bool:
        counted.append(_faults(_up_and_down))
        return False

    monkeypatch.setattr(check, "worth_reading", deep)
    check.check_source(b"", "train.py", [])
    assert counted[0] < PASSES // 2


def test_a_function_is_what_it_was() -> None:
    @in_one_piece
    def add(one: int, *, other: int) -> int:
        """A sum."""
        return one + other

    assert add(1, other=2) == 3
    assert (add.__name__, add.__doc__) == ("add", "A sum.")
