"""A chain that cannot mean what it says fails when its rule is made, and the message says what to write."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from regions import OPTIMIZER, event

from loopcheck import (
    Rule,
    Witness,
    again,
    backward,
    build,
    clip,
    end,
    evaluate,
    forward,
    iterate,
    no,
    schedule,
    start,
    step,
    unscale,
    update,
)
from loopcheck.bug import Chain, Match
from loopcheck.loop import Role


@pytest.mark.parametrize(
    ("bug", "per", "message"),
    [
        (step >> clip, "optimiser", "nothing happens to an object of kind 'optimiser'; did you mean 'optimizer'?"),
        (step >> clip, "engine", "nothing happens to an object of kind 'engine'; it is one of model, optimizer, scheduler, "),
        (
            step >> schedule,
            "optimizer",
            "`schedule` can never be met: `schedule` happens to a scheduler, and the chain is judged per optimizer; "
            "judge it per='scheduler'",
        ),
        (
            step >> iterate,
            "loader",
            "`step` can never be met: `step` happens to an optimizer or a scaler, and the chain is judged per loader; "
            "leave it out, or make two chains of it",
        ),
        (
            unscale >> no(update) >> unscale,
            "optimizer",
            "`no(update)` can never be met: `update` happens to a scaler, and the chain is judged per optimizer; "
            "judge it per='scaler'",
        ),
        (step >> no(backward | iterate) >> clip, "optimizer", "`no(backward | iterate)` can never be met: `iterate` happens to"),
        (build(shuffle=True), "optimizer", "`build` happens to a loader, and the chain is judged per optimizer"),
        (build(shuffle=True, decays=True), "loader", "`build` happens to no one kind of object"),
        (step >> no(end) >> clip, "optimizer", "no(end) can never be met: between two events the run neither begins nor ends"),
        (step >> start >> clip, "optimizer", "nothing comes before `start`; write it first"),
        (step >> end >> clip, "optimizer", "nothing comes after `end`; write it last"),
        (Chain(()) >> again >> clip, "optimizer", "`again` speaks of an event before, and the chain begins with it"),
        (step >> again(clip), "optimizer", "`again(clip)` speaks of a `clip` that no link before it is"),
        (step >> no(backward), "optimizer", "the chain ends in no(backward); write what it must not come before, `end`"),
    ],
)
def test_what_cannot_be_meant(bug: Chain | Match, per: str, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)) as error:
        Rule(code="X1", bug=bug, per=per, says="")
    assert str(error.value).startswith(f"X1, {bug}: ")


@pytest.mark.parametrize(
    ("bug", "per"),
    [
        (schedule >> no(step) >> schedule, "scheduler"),
        (backward >> no(step) >> evaluate, "model"),  # the step of an optimizer of this model
        (step(scaled=True) >> no(update) >> again(step), "scaler"),
        (start >> no(backward) >> clip >> end, "optimizer"),
        (build(shuffle=True) >> end, "loader"),
    ],
)
def test_what_can_be_meant(bug: Chain, per: str) -> None:
    assert Rule(code="X1", bug=bug, per=per, says="").chains == (bug,)


def test_a_chain_begins_with_an_event() -> None:
    with pytest.raises(TypeError, match=r"no\(step\) stands between two events"):
        no(step) >> clip


def test_what_is_pointed_at_is_in_the_chain() -> None:
    with pytest.raises(ValueError, match=re.escape("X1, step >> clip: at=forward is none of its links")):
        Rule(code="X1", bug=step >> clip, at=forward, says="")
    assert Rule(code="X1", bug=step >> clip >> again(step), at=step, says="").at is step


def test_what_is_pointed_at_is_told_by_its_facts() -> None:
    """Of two events of one verb the facts say which; a fact that no link asks for might be none of them."""
    plain, scaled = (event("backward", at=text, scaled=text == "scaled") for text in ("plain", "scaled"))
    rule = Rule(code="X1", bug=backward(scaled=False) >> backward(scaled=True), at=backward(scaled=False), says="")
    witness = Witness((plain, scaled), OPTIMIZER)
    assert rule.primary(witness) is witness[backward(scaled=False)] is plain
    assert replace(rule, at=backward).primary(witness) is witness[backward(scaled=True)] is scaled
    with pytest.raises(ValueError, match=re.escape("at=step(scaled=True) is none of its links")):
        Rule(code="X1", bug=step >> clip >> again(step), at=step(scaled=True), says="")


def test_a_sentence_names_what_the_witness_has() -> None:
    witness = Witness((event("step"), event("clip")), OPTIMIZER)
    assert Rule(code="X1", bug=step >> clip, says="{clip} after {step}").sentence(witness) == "`clip` after `step`"
    with pytest.raises(ValueError, match=re.escape("X1 says {clib}, and its witness has only step, optimizer, clip")):
        Rule(code="X1", bug=step >> clip, says="{clib} after {step}").sentence(witness)


def test_a_sentence_speaks_of_an_object_without_a_name() -> None:
    unnamed = Role("optimizer", "")
    witness = Witness((event("step", unnamed),), unnamed)
    assert Rule(code="X1", bug=step >> clip, says="{step} of {optimizer}").sentence(witness) == "`step` of the optimizer"


def test_a_release_of_torch_is_told_in_numbers() -> None:
    with pytest.raises(ValueError, match=re.escape("X1: since='1.x' is no release of torch; write it in numbers, '1.1'")):
        Rule(code="X1", bug=step >> clip, says="", since="1.x")
