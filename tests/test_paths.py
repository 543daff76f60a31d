"""What is told when there are more paths than are walked: less and less, and never nothing without a word."""

from __future__ import annotations

import pytest
from regions import OPTIMIZER, either, event, judged, seq

from loopcheck import backward, clip, no, step
from loopcheck.loop import Region
from loopcheck.loop import Test as Condition
from loopcheck.paths import MOST_PATHS

AFTER_STEP = step >> no(backward) >> clip
FIVE_STEPS = step >> step >> step >> step >> step >> clip
FLAGS = [Condition(f"flag {number}") for number in range(10)]
COUNTERS = [Condition(f"counter {number}", counter=True) for number in range(10)]


def unbounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("loopcheck.paths.MOST_PATHS", 10**6)


def test_what_counters_came_to_is_forgotten_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """That both of their outcomes happen in every run is not seen any more: what was certain is possible, and still told."""

    def counting(counters: int) -> Region:
        return seq("step", *(either(test, "backward") for test in COUNTERS[:counters]), "clip")

    assert MOST_PATHS == 2**7
    for counters, certain in ((7, True), (8, False)):
        found, undecided = judged(AFTER_STEP, counting(counters))
        assert [verdict.certain for verdict in found] == [certain]
        assert not undecided
    unbounded(monkeypatch)
    assert [verdict.certain for verdict in judged(AFTER_STEP, counting(8))[0]] == [True]


def steps_by_flags(*more: str) -> Region:
    """A step for each flag, so that it matters how many of them hold; and each flag is met again, so none is forgotten."""
    one = event("step")
    return seq(*(either(test, one) for test in FLAGS), *(either(test, "clip") for test in FLAGS), *more)


def test_then_tests_are_not_told_apart_and_doubts_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    found, undecided = judged(FIVE_STEPS, steps_by_flags())
    assert (found, undecided) == ([], [OPTIMIZER])
    unbounded(monkeypatch)
    found, undecided = judged(FIVE_STEPS, steps_by_flags())
    assert ([verdict.certain for verdict in found], undecided) == ([True], [])


def test_what_holds_on_every_path_is_believed_all_the_same() -> None:
    last = steps_by_flags("step", "step", "step", "step", "step", "clip")
    found, undecided = judged(FIVE_STEPS, last)
    assert found
    assert all(verdict.certain for verdict in found)
    assert undecided == [OPTIMIZER], "of the clips before that nobody knows"


def test_then_nothing_is_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each step is at a place of its own, and each may be the one: as many ways as there are sets of them."""

    def steps(flags: int) -> Region:
        return seq(*(either(test, event("step", at=str(test.key))) for test in FLAGS[:flags]), "clip")

    assert judged(AFTER_STEP, steps(8)) == ([], [OPTIMIZER])
    assert judged(AFTER_STEP, seq(steps(8), "step", "clip")) == ([], [OPTIMIZER]), "not even what comes after"
    found, undecided = judged(AFTER_STEP, steps(7))
    assert (len(found), undecided) == (7, [])
    unbounded(monkeypatch)
    found, undecided = judged(AFTER_STEP, steps(8))
    assert (len(found), undecided) == (8, [])


def test_one_test_is_not_many() -> None:
    """Paths that remember the same and have come as far are one, and a test both of whose outcomes lead there is forgotten."""
    same = [either(test, "backward", "zero_grad") for test in FLAGS] * 3
    found, undecided = judged(AFTER_STEP, seq(*same, "step", "clip"))
    assert ([verdict.certain for verdict in found], undecided) == ([True], [])


def test_how_many_matches_are_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each step may be the one that comes before a clip: a chain is under way once for each."""
    ends = [event("step") for _ in range(129)]
    found, undecided = judged(AFTER_STEP, seq(*ends[:128], "clip"))
    assert len(found) == 1
    assert not undecided
    assert judged(AFTER_STEP, seq(*ends, "clip")) == ([], [OPTIMIZER])
