"""The notation of chains, and whom events concern."""

from __future__ import annotations

import re

import pytest
from regions import MODEL, OPTIMIZER, event

from loopcheck import again, backward, build, clip, no, same, start, step, unscale, zero_grad
from loopcheck.bug import Again, Chain, Match, concerns, glossary, kinds_behind, may_concern
from loopcheck.loop import Event, Role


@pytest.mark.parametrize(
    ("chain", "text"),
    [
        (step >> clip, "step >> clip"),
        (step >> no(backward | zero_grad) >> clip(limits=True), "step >> no(backward | zero_grad) >> clip(limits=True)"),
        (start >> (step | clip(by="norm")) >> again, "start >> step | clip(by='norm') >> again"),
        (step >> clip >> again(step) >> same >> same(clip), "step >> clip >> again(step) >> same >> same(clip)"),
    ],
)
def test_a_chain_is_said_as_it_is_written(chain: Chain, text: str) -> None:
    assert str(chain) == text


def test_the_verbs_that_move_a_chain() -> None:
    assert (step >> no(backward) >> clip >> again).verbs == {"step", "backward", "clip"}


def test_which_link_is_meant_once_more() -> None:
    chain = (step | clip) >> backward >> again(step) >> again >> same
    assert [chain.before(number) for number in range(5)] == [{"step", "clip"}, {"backward"}, {"step"}, {"step"}, {"step"}]


@pytest.mark.parametrize(
    ("write", "message"),
    [
        (lambda: clip(limit=True), "the verb 'clip' has no fact 'limit'; did you mean 'limits'?"),
        (lambda: unscale(whatever=True), "the verb 'unscale' has no fact 'whatever'; it has none"),
        (lambda: step >> no(clip) >> no(backward), "two gaps in a row: write no(clip | backward)"),
    ],
)
def test_what_cannot_be_written(write: object, message: str) -> None:
    assert callable(write)
    with pytest.raises(TypeError, match=re.escape(message)):
        write()


STEP = event("step", at="here")
SCALER = Role("scaler", "scaler")


@pytest.mark.parametrize(
    ("word", "other", "meets"),
    [
        (again, event("step", at="here"), True),
        (again, event("step", at="there"), False),
        (again, event("clip", at="here"), False),
        (same, event("step", at="there"), True),
        (same, event("step", OPTIMIZER, SCALER, at="here"), False),
        (same, event("clip", at="here"), False),
        (same, Event("step", (OPTIMIZER,), STEP.at, open=True), False),
    ],
)
def test_again_is_the_site_and_same_the_objects(word: Again, other: Event, meets: bool) -> None:
    assert word.meets(STEP, other) is meets
    assert word.meets(other, STEP) is meets


def test_again_and_same_are_two_words() -> None:
    assert again(step) != same(step)
    assert again(step) == again(step)


@pytest.mark.parametrize(
    ("match", "facts", "certain", "possible"),
    [
        (clip(limits=True), {"limits": True}, True, True),
        (clip(limits=True), {"limits": False}, False, False),
        (clip(limits=True), {}, False, True),
        (clip, {"limits": False}, True, True),
        (step | clip, {}, True, True),
        (step, {}, False, False),
    ],
)
def test_an_absent_fact_is_not_known(match: Match, facts: dict[str, bool], certain: bool, possible: bool) -> None:
    happens = Event("clip", (OPTIMIZER,), STEP.at, facts)
    assert (match.certain(happens), match.possible(happens)) == (certain, possible)


def test_code_out_of_sight_may_do_what_is_done_to_what_it_holds() -> None:
    assert step.possible(event("escape", OPTIMIZER))
    assert step.possible(event("escape", SCALER))
    assert not step.possible(event("escape", MODEL))
    assert not step.certain(event("escape", OPTIMIZER))


SCHEDULER = Role("scheduler", "scheduler", of=(OPTIMIZER,))
LAYER = Role("model", "layer", part_of=MODEL)
HEAD = Role("optimizer", "head", of=(LAYER,))
OTHER = Role("optimizer", "other", of=(MODEL,))
STRANGER = Role("optimizer", "stranger", of=(Role("model", "elsewhere"),))
UNKNOWN = Role("optimizer", "unknown", open=True)


@pytest.mark.parametrize(
    ("happens", "role", "surely", "maybe"),
    [
        (event("step"), OPTIMIZER, True, True),
        (event("step"), SCHEDULER, True, True),
        (event("step"), OTHER, False, True),  # another of the same model
        (event("step", OTHER), SCHEDULER, False, False),  # a scheduler has its own optimizer
        (event("step"), STRANGER, False, False),
        (event("step", OPTIMIZER, SCALER), SCALER, True, True),
        (event("step", OPTIMIZER, SCALER), UNKNOWN, False, False),  # it has an optimizer, which is not this one
        (event("backward", MODEL), OPTIMIZER, True, True),
        (event("backward", MODEL), HEAD, True, True),
        (event("backward", LAYER), OPTIMIZER, True, True),
        (event("backward", MODEL), UNKNOWN, False, True),  # of whatever model it is
        (event("forward", LAYER), MODEL, False, True),  # a part that is applied is not the whole
        (event("forward", MODEL), LAYER, True, True),
        (Event("backward", (), STEP.at, open=True), OPTIMIZER, False, True),
        (Event("iterate", (), STEP.at, open=True), OPTIMIZER, False, False),
    ],
)
def test_whom_an_event_concerns(happens: Event, role: Role, surely: bool, maybe: bool) -> None:
    assert concerns(happens, role) is surely
    assert (surely or may_concern(happens, role)) is maybe


def test_what_an_object_is_built_from_is_of_these_kinds() -> None:
    assert kinds_behind("scheduler") == {"scheduler", "optimizer", "model"}
    assert kinds_behind("loader") == {"loader", "sampler"}
    assert kinds_behind("scaler") == {"scaler"}


def test_a_fact_of_one_kind_of_object_says_so() -> None:
    (verb,) = build.verbs
    assert glossary[verb].kind_of("shuffle") == "loader"
    assert glossary["step"].kind_of("scaled") == ""
