"""What the two judges say of small regions and runs, and that they say the same."""

from __future__ import annotations

from random import Random

import pytest
from regions import MODEL, OPTIMIZER, Play, call, either, event, judged, loop, random_chain, random_region, seq

from loopcheck import again, backward, clip, end, no, packs, same, start, step, unscale, update, zero_grad
from loopcheck.automaton import END
from loopcheck.bug import Chain
from loopcheck.judge import Verdict, over_loop, over_trace
from loopcheck.loop import Event, Region, Role, Seq, events
from loopcheck.loop import Test as Condition
from loopcheck.paths import Share
from loopcheck.survey import History, Survey

FLAG = Condition("flag")
VALUE = Condition("x", frozenset(["x"]))
ONE, TWO = (Condition(f"x == {value}", frozenset(["x"]), subject="x", equals=value) for value in (1, 2))
HIT = Condition(("i", "%", "k"), frozenset(["i"]), counter=True)
BEFORE_HIT = Condition(("i + 1", "%", "k"), frozenset(["i"]), counter=True, following=HIT.key)
FIRST = Condition("i == 0", frozenset(["i"]), counter=True, first=True)
LAST = Condition("i + 1 == n", frozenset(["i"]), counter=True, last=True)

AFTER_STEP = step >> no(backward) >> clip
UNCLEARED = step >> no(zero_grad | backward) >> backward >> no(zero_grad) >> step


def told(found: list[Verdict]) -> list[tuple[str, bool]]:
    return sorted((" ".join(event.at.text for event in each.witness.events), each.certain) for each in found)


@pytest.mark.parametrize(
    ("chain", "region", "expected"),
    [
        # order
        (step >> clip, seq("step", "clip"), [("step clip", True)]),
        (step >> clip, seq("clip", "step"), []),
        (AFTER_STEP, seq("step", "backward", "clip"), []),
        (AFTER_STEP, seq("backward", "step", "clip"), [("step clip", True)]),
        (start >> no(backward) >> clip, seq("clip", "backward", "clip"), [("the start of the run clip", True)]),
        (step >> no(clip) >> end, seq("step", "clip", "step"), [("step the end of the run", True)]),
        # tests
        (AFTER_STEP, seq("step", either(FLAG, "backward"), "clip"), [("step clip", False)]),
        (AFTER_STEP, seq("step", either(FLAG, "backward", "backward"), "clip"), []),
        (AFTER_STEP, seq(either(FLAG, "step"), either(FLAG, "backward"), "clip"), []),
        (AFTER_STEP, seq(either(FLAG, "step"), either(FLAG, "", "backward"), "clip"), [("step clip", True)]),
        (AFTER_STEP, seq(either(ONE, "step"), either(TWO, "clip")), []),
        (AFTER_STEP, seq(either(ONE, "step"), either(TWO, "", "clip")), [("step clip", True)]),
        # a value that is bound again, and one that is not
        (AFTER_STEP, loop(either(VALUE, "step"), either(VALUE, "", "clip"), binds="x"), [("step clip", True)]),
        (AFTER_STEP, loop(either(VALUE, "step"), either(VALUE, "", "clip"), binds="y"), []),
        # the first pass and those after it
        (AFTER_STEP, seq(either(FLAG, "step"), loop(either(FLAG, "backward")), either(FLAG, "clip")), []),  # there is one
        (UNCLEARED, loop("backward", "step"), [("step backward step", True)]),
        (UNCLEARED, loop("backward", "step", "zero_grad"), []),
        (UNCLEARED, loop(either(FLAG, "zero_grad"), "backward", "step"), [("step backward step", False)]),
        (UNCLEARED, loop(either(FIRST, "zero_grad"), "backward", "step", binds="i"), [("step backward step", True)]),
        (start >> clip, loop(either(FIRST, "clip")), [("the start of the run clip", True)]),
        (start >> clip, loop(either(FIRST, "", "clip")), [("the start of the run clip", True)]),
        (step >> no(backward) >> clip, seq("step", loop(either(FIRST, "backward"), "clip", binds="i")), []),
        # the last pass
        (AFTER_STEP, loop("backward", "clip", either(LAST, "step"), binds="i"), []),
        (AFTER_STEP, loop("clip", "backward", either(LAST, "step"), binds="i"), []),
        (AFTER_STEP, loop("clip", "backward", either(HIT, "step"), binds="i"), [("step clip", True)]),
        # a counter moves on by one
        (AFTER_STEP, loop(either(HIT, "clip"), either(BEFORE_HIT, "step"), binds="i"), [("step clip", True)]),
        (AFTER_STEP, loop(either(HIT, "", "clip"), either(BEFORE_HIT, "step"), binds="i"), [("step clip", True)]),
        (AFTER_STEP, loop(either(HIT, "backward"), "clip", either(BEFORE_HIT, "step"), binds="i"), []),
        # ways out
        (AFTER_STEP, seq("step", either(FLAG, "raise"), "backward", "clip"), []),
        (AFTER_STEP, seq("step", either(FLAG, "raise", "backward"), "clip"), []),
        (AFTER_STEP, call(call("step", either(FLAG, "return"), "backward"), "clip"), [("step clip", False)]),
        (AFTER_STEP, loop("clip", either(FLAG, "break"), "step"), [("step clip", True)]),
        (AFTER_STEP, loop(either(FLAG, "continue"), "clip", "step", "break"), []),
        (AFTER_STEP, seq(loop("step", either(FLAG, "break"), "backward"), "clip"), [("step clip", False)]),
        (step >> end, seq("step", "raise"), []),
        # once more
        (backward >> no(zero_grad) >> again, loop("backward", "zero_grad"), []),
        (backward >> no(zero_grad) >> again, loop("backward"), [("backward backward", True)]),
        (backward >> again, seq(event("backward", at="one"), event("backward", at="two")), []),
        (step >> clip >> again(step), loop("step", "clip"), [("step clip step", True)]),
        (step >> same, seq(event("step", at="one"), event("step", at="two")), [("one two", True)]),
    ],
)
def test_over_loop(chain: Chain, region: Region, expected: list[tuple[str, bool]]) -> None:
    found, undecided = judged(chain, region)
    assert told(found) == expected
    assert not undecided


@pytest.mark.parametrize(
    ("region", "certain"),
    [
        (seq(either(FLAG, "step"), "clip"), True),  # where the flag is off there is nothing to be said
        (seq("step", "backward", either(FLAG, "step"), "clip"), False),  # there it is, that is as it should be
        (seq(either(FLAG, seq("step", "backward")), "step", "clip"), True),  # it was broken, and came as far again
        (seq("step", either(HIT, "backward"), "clip"), True),  # a counter turns both ways in every run
        (seq("step", either(FLAG, event("escape", MODEL)), "clip"), False),  # out of sight anything may happen
    ],
)
def test_what_speaks_against_a_witness(region: Region, certain: bool) -> None:
    assert [each.certain for each in judged(AFTER_STEP, region)[0]] == [certain]


@pytest.mark.parametrize(("test", "share"), [(FLAG, Share.CONFIGURED), (VALUE, Share.SOME)])
def test_what_comes_to_the_same_in_a_whole_run_is_a_configuration(test: Condition, share: Share) -> None:
    for later in ("", either(test, "backward")):  # which makes a path remember what the test came to
        (found,) = judged(AFTER_STEP, loop("step", either(test, "backward"), "clip", later, binds="x"))[0]
        assert found.share is share


def test_a_path_on_which_a_counter_has_not_hit_yet_is_of_every_configuration() -> None:
    chain = clip >> no(backward) >> step >> no(zero_grad) >> again(clip)
    of_a_window = loop("zero_grad", loop("backward", "clip", either(HIT, either(FLAG, "step")), binds="i"))
    (found,) = judged(chain, of_a_window)[0]
    assert found.share is Share.CONFIGURED


def test_a_way_that_waits_for_its_next_link_says_nothing() -> None:
    chain = step >> no(zero_grad) >> backward >> no(zero_grad) >> clip
    assert told(judged(chain, seq("step", either(FLAG, "backward"), "clip"))[0]) == [("step backward clip", True)]
    begun_again = seq("step", "zero_grad", "step", either(FLAG, "backward"), "clip")
    assert told(judged(chain, begun_again)[0]) == [("step backward clip", True)]
    broken = seq("step", either(FLAG, "backward", "zero_grad"), "clip")
    assert told(judged(chain, broken)[0]) == [("step backward clip", False)]


def test_a_chain_is_of_one_object() -> None:
    other = Role("optimizer", "other", of=(Role("model", "another"),))
    region = seq("step", event("clip", other), event("step", other, at="step other"), "backward", event("clip", other))
    found, _ = judged(AFTER_STEP, region)
    assert told(found) == [("step other clip", True)]
    assert found[0].witness.role is other


SCALER = Role("scaler", "scaler")
SECOND = Role("optimizer", "second", of=(MODEL,))
TWICE = unscale >> no(update) >> same


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        (["optimizer", "second", "update", "optimizer", "second"], []),
        (["optimizer", "second", "optimizer", "update"], [("optimizer optimizer", True)]),
        (["optimizer", "update", "second", "second"], [("second second", True)]),
        (["unknown", "unknown"], []),
    ],
)
def test_the_same_objects_once_more(parts: list[str], expected: list[tuple[str, bool]]) -> None:
    """Two optimizers share one scaler, each is unscaled once between updates; of two unknown ones nobody knows."""
    unscales = {role.name: event("unscale", role, SCALER, at=role.name) for role in (OPTIMIZER, SECOND)}
    unknown = event("unscale", SCALER)
    unknown.open = True
    happens = {**unscales, "update": event("update", SCALER), "unknown": unknown}
    run = [happens[part] for part in parts]
    assert told(judged(TWICE, Seq(tuple(run)), "scaler")[0]) == expected
    assert told(over_trace(TWICE, "scaler", History(run))) == expected


def test_an_object_is_judged_from_when_it_is_made() -> None:
    made = event("build", OPTIMIZER)
    chain = start >> no(step) >> clip
    assert told(judged(chain, seq("step", made, "clip"))[0]) == [("the start of the run clip", True)]
    assert told(judged(chain, seq("step", either(FLAG, made), "clip"))[0]) == [("the start of the run clip", True)]
    assert told(judged(chain, seq(made, "step", "clip"))[0]) == []


def test_objects_with_the_same_history_are_told_once() -> None:
    both = event("clip", OPTIMIZER, SECOND)
    found, _ = judged(start >> clip, both)
    assert [verdict.witness.role for verdict in found] == [OPTIMIZER]


@pytest.mark.parametrize("seed", range(30))
def test_what_a_run_shows_is_read_as_well(seed: int) -> None:
    """Whatever is met in a run of a region is met in the region."""
    chance = Random(seed)
    shown = 0
    for _ in range(60):
        chain, region = random_chain(chance), random_region(chance)
        found, undecided = judged(chain, region)
        read = {tuple(event.at for event in each.witness.events) for each in found}
        made = [event for event in events(region) if event.verb == "build"]
        for _ in range(4 if not undecided else 0):
            play = Play(chance)
            how = play.run(region)
            if made and (not play.happened or play.happened[0] not in made):
                continue  # the object never came to be
            for verdict in over_trace(chain, "optimizer", History(play.happened)):
                if verdict.witness.role in (OPTIMIZER,) and (how == "fall" or verdict.witness.last is not END):
                    assert tuple(event.at for event in verdict.witness.events) in read, (chain, region, play.happened)
                    shown += 1
    assert shown


def test_twice_the_rules_do_not_look_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whom an event concerns is found once for a program, however many chains are judged."""
    looked: list[tuple[Event, Role]] = []

    def concerns(event: Event, role: Role) -> bool:
        looked.append((event, role))
        return role in event.on

    monkeypatch.setattr("loopcheck.survey.concerns", concerns)
    region = seq(*(event(verb, OPTIMIZER, at=verb) for verb in ("backward", "clip", "step", "zero_grad")), event("train", MODEL))
    program = Survey(region)
    for rule in [*packs.rules(), *packs.rules()]:
        for chain in rule.chains:
            over_loop(chain, rule.per, program)
    assert len(looked) == len(set(looked)) > 1
