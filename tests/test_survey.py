"""Whom events concern, and what is left of a region when only some of them matter."""

from __future__ import annotations

import pytest
from regions import MODEL, OPTIMIZER, call, either, event, loop, seq

from loopcheck.loop import Decision, Either, Event, Fork, Frame, Leave, Region, Repeat, Role, Seq, events
from loopcheck.loop import Test as Condition
from loopcheck.survey import History, Survey


def shown(region: Region) -> str:
    """`step (flag ? clip : ) [loop] {call}`"""
    match region:
        case Event(verb):
            return verb
        case Leave(how):
            return how
        case Seq(parts):
            return " ".join(filter(None, map(shown, parts)))
        case Either(test, then, other):
            return f"({asked(test)} ? {shown(then)} : {shown(other)})"
        case Repeat(body):
            return f"[{shown(body)}]"
        case Frame(body):
            return f"{{{shown(body)}}}"


def asked(tree: Condition | Decision) -> str:
    """A test by its key; of a decision tree, `a ? b ? yes : no : no`."""
    match tree:
        case bool():
            return "yes" if tree else "no"
        case Fork(test, then, other):
            return f"{test.key} ? {asked(then)} : {asked(other)}"
        case _:
            return str(tree.key)


BOTH = Fork(Condition("t"), Fork(Condition("u"), True, False), False)


@pytest.mark.parametrize(
    ("region", "expected"),
    [
        (seq("step", "forward", "clip"), "step clip"),
        (seq(loop("forward"), call("forward"), either("t", "forward")), ""),
        (seq(either("t", "forward"), either("u", "forward", "step")), "(u ?  : step)"),
        (seq(either("t", "raise"), "step"), "(t ? raise : ) step"),
        (
            seq(either(BOTH, "raise"), "step"),
            "(t ? u ? yes : no : no ? raise : ) step",
        ),
        (seq(loop("forward", either("t", "break")), "step"), "step"),
        # after the last event of a pass or a call, what only ends it is nothing
        (loop("step", either("t", "continue"), "forward"), "[step]"),
        (call("step", either("t", "return"), "forward"), "{step}"),
        (loop(seq("step", seq(either("t", "continue")))), "[step]"),
        # but what leaves more than that is something
        (loop("step", either("t", "break"), "forward"), "[step (t ? break : )]"),
        (loop("step", "break"), "[step break]"),
        (call("step", either("t", "raise")), "{step (t ? raise : )}"),
        (call(loop("step", either("t", "return"))), "{[step (t ? return : )]}"),
        # and before the last event everything matters
        (loop(either("t", "continue"), "step"), "[(t ? continue : ) step]"),
        (call(either("t", seq("step", "return")), "clip"), "{(t ? step return : ) clip}"),
    ],
)
def test_what_is_left_of_a_region(region: Region, expected: str) -> None:
    survey = Survey(region)
    assert shown(survey.reduced([event for event in events(region) if event.verb in ("step", "clip")])) == expected


def test_an_event_that_is_there_twice_is_kept_twice() -> None:
    once = event("step")
    assert shown(Survey(seq(once, "clip", once)).reduced([once])) == "step step"
    history = History([once, event("clip"), once])
    assert [each for each, _ in history.along(history.own(OPTIMIZER, {"step"}))] == [once, once]


def test_whom_events_concern() -> None:
    layer = Role("model", "layer", part_of=MODEL)
    other = Role("optimizer", "other", of=(MODEL,))
    stranger = Role("optimizer", "stranger", of=(Role("model", "elsewhere"),))
    step, others, strangers = (event("step", role) for role in (OPTIMIZER, other, stranger))
    backward, escape, makes = event("backward", layer), event("escape", stranger), event("build", OPTIMIZER)
    history = History([makes, backward, step, others, strangers, escape, event("build", layer)])
    assert history.own(OPTIMIZER, {"step", "backward"}) == {makes: True, backward: True, step: True, others: False}
    assert list(history.own(OPTIMIZER, {"step"})) == [makes, step, others]
    assert list(history.own(stranger, {"step"})) == [strangers, escape]


def test_what_happens_to_an_object_in_place_of_many_happens_to_each() -> None:
    """To what is built from one of them as well; where a test nobody can read may tell them apart, it only may."""
    one, other = (Role("loader", name) for name in ("one", "other"))
    many = Role("loader", "many", one_of=(one, other))
    sure, unsure = event("iterate", many), event("iterate", many)
    sure.also = many.one_of
    assert History([sure, unsure]).own(one, {"iterate"}) == {sure: True, unsure: False}
    assert History([sure, unsure]).own(many, {"iterate"}) == {sure: True, unsure: True}
    assert History([sure, unsure]).own(Role("loader", "stranger"), {"iterate"}) == {}


def test_objects_are_those_that_events_touch_and_what_they_were_built_from() -> None:
    """A layer is one only where more happens to it than that it is made."""
    first, second = (Role("model", name, part_of=MODEL) for name in ("first", "second"))
    nameless = Role("optimizer", "")
    history = History(
        [event("build", first), event("build", second), event("step", nameless), event("step"), event("train", second)]
    )
    assert list(history.objects("optimizer")) == [OPTIMIZER, nameless]
    assert {role.name for role in history.objects("model")} == {"model", "second"}
    assert list(history.objects("loader")) == []


def test_what_is_made_beside_an_object_matters_where_it_is_asked_for() -> None:
    """A head put into a model that is there already is a part of it; a layer that only is made with it is nothing."""
    layer, head = (Role("model", name, part_of=MODEL) for name in ("layer", "head"))
    made = {role: event("build", role) for role in (MODEL, layer, head)}
    history = History([*made.values(), train := event("train", head)])
    assert history.own(MODEL, {"build"}) == {made[MODEL]: True, made[head]: True}
    assert history.own(MODEL, {"train"}) == {made[MODEL]: True, train: False}
