"""A chain moved over one event after the other."""

from __future__ import annotations

from dataclasses import replace

import pytest
from regions import event

from loopcheck import again, backward, clip, no, start, step, zero_grad
from loopcheck.automaton import START, advance, begin
from loopcheck.bug import Chain

TWO_GAPS = step >> no(zero_grad) >> backward >> no(zero_grad) >> clip


@pytest.mark.parametrize(
    ("chain", "verbs", "onward", "complete", "broken"),
    [
        (step >> clip, "step", ["step"], [], 0),
        (step >> clip, "step clip", ["step"], ["step clip"], 0),
        (step >> clip, "clip", [], [], 0),
        (step >> no(backward) >> clip, "step backward", [], [], 1),
        (step >> no(backward) >> clip, "step zero_grad", ["step"], [], 0),
        (step >> no(clip) >> clip, "step clip", [], ["step clip"], 0),  # it came as far as there is, and is over
        (TWO_GAPS, "step backward zero_grad", [], [], 2),
        (TWO_GAPS, "step backward zero_grad step", ["step"], [], 0),
        (step >> no(backward) >> backward >> clip, "step backward", ["step backward"], [], 0),  # it came further
        (start >> no(step) >> clip, "step", [], [], 1),
        (start >> clip, "", ["start"], [], 0),
        (backward >> again, "backward backward", ["backward"], ["backward backward"], 0),
        (step >> clip >> again(step), "step clip step", ["step", "step clip"], ["step clip step"], 0),
    ],
)
def test_advance(chain: Chain, verbs: str, onward: list[str], complete: list[str], broken: int) -> None:
    """What is said of the last event. An event of a verb is one and the same each time."""
    happen = {verb: event(verb) for verb in verbs.split()}
    moved = advance(chain, begin(chain), event("forward"), True)
    for verb in verbs.split():
        moved = advance(chain, moved.onward, happen[verb], True)
    assert sorted(" ".join(each.verb for each in partial) for partial in moved.onward) == onward
    assert [" ".join(each.verb for each in partial) for partial in moved.complete] == complete
    assert moved.broken == broken


@pytest.mark.parametrize(
    ("verb", "facts", "complete", "onward"),
    [("clip", {"limits": True}, 1, 1), ("clip", {"limits": False}, 0, 1), ("clip", {}, 0, 0), ("escape", {}, 0, 0)],
)
def test_what_is_asked_for_is_known_and_what_is_excluded_need_only_be_possible(
    verb: str, facts: dict[str, bool], complete: int, onward: int
) -> None:
    asked = step >> clip(limits=True)
    excluded = step >> no(clip(limits=True)) >> backward
    happens = replace(event(verb), facts=facts)
    under_way = frozenset([(event("step"),)])
    assert len(advance(asked, under_way, happens, True).complete) == complete
    if complete == 0:
        assert len(advance(excluded, under_way, happens, True).onward) == onward


def test_what_may_concern_another_object_matches_nothing_and_excludes() -> None:
    under_way = frozenset([(event("step"),)])
    assert not advance(step >> clip, under_way, event("clip"), False).complete
    assert advance(step >> no(clip) >> backward, under_way, event("clip"), False).broken == 1


def test_the_beginning_is_under_way_before_anything_has_happened() -> None:
    assert begin((start | step) >> clip) == {(START,)}
    assert begin(step >> clip) == frozenset()
