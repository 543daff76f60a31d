"""The static judge on regions made by hand, and what remains of its verdicts: one line of a table for each thing it promises."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import pytest

from loopcheck import Rule, again, backward, build, clip, evaluate, exhaust, forward, no, schedule, step, train, zero_grad
from loopcheck.bug import Chain
from loopcheck.judge import Verdict, over_loop
from loopcheck.loop import Either, Event, Fact, Frame, Leave, Region, Repeat, Role, Seq, Told, events
from loopcheck.loop import Test as Condition
from loopcheck.paths import MOST_PATHS, Share, Walk
from loopcheck.rule import Witness
from loopcheck.survey import Survey
from loopcheck.verdict import settle

MODEL = Role("model", "model")
PART, SIBLING = (Role("model", name, part_of=MODEL) for name in ("part", "sibling"))
OPTIMIZER = Role("optimizer", "optimizer", (MODEL,))
OTHER = Role("optimizer", "other", (MODEL,))
UNKNOWN = Role("optimizer", "unknown", open=True)
SCHEDULER = Role("scheduler", "scheduler", (OPTIMIZER,))


@dataclass(frozen=True)
class Place:
    text: str
    row: int = 0

    @property
    def place(self) -> str:
        return self.text


def event(verb: str, on: Role | None = OPTIMIZER, at: str = "", open: bool = False, **facts: Fact) -> Event:
    """One at a place that has the verb's name where no other is given."""
    return Event(verb, (on,) if on else (), Place(at or verb), facts, open=open)


def either(test: str | Condition, then: Region | None = None, other: Region | None = None) -> Either:
    return Either(test if isinstance(test, Condition) else Condition(test, frozenset([test])), then or Seq(), other or Seq())


def seq(*parts: Region) -> Seq:
    return Seq(parts)


def loop(*parts: Region) -> Repeat:
    """It binds `i` on every pass."""
    return Repeat(Seq(parts), frozenset("i"), given=frozenset("i"))


def counted(key: str, following: str = "", first: bool = False, last: bool = False, counter: bool = True) -> Condition:
    """A test of `i`."""
    return Condition(key, frozenset("i"), counter, following=following, first=first, last=last)


STEP, BACKWARD, CLIP, ZERO = event("step"), event("backward"), event("clip"), event("zero_grad")
LATE = step >> no(backward) >> clip

LEFT = backward >> no(step) >> exhaust
OVER = event("exhaust")


def ended(*parts: Region) -> Repeat:
    """A loop after whose own end its loader has no more."""
    return Repeat(Seq(parts), frozenset("i"), over=OVER)


DONE = Condition("done", frozenset({"done"}))
FULL = Condition("full", frozenset({"full"}))


def flagged(*told: Told, over: Region = CLIP) -> Repeat:
    """A loop that does something until a flag is set, and then steps where a window is full."""
    return Repeat(seq(either(DONE, seq(), over), either(FULL, STEP)), frozenset({"done", "full"}), tells=told)


def as_told(test: str) -> Repeat:
    """A loop that steps where a flag is set, which it is where a test holds before it."""
    begins = tuple((((test, holds),), "done", holds) for holds in (True, False))
    as_it_was = tuple(((("done", holds),), "done", holds) for holds in (True, False))
    return Repeat(seq(either(DONE, STEP)), frozenset({"done"}), tells=as_it_was, begins=begins)


REGIONS: dict[str, tuple[Chain, str, Region, str]] = {
    "one event after the other": (LATE, "optimizer", seq(STEP, CLIP), "clip"),
    "a loop's own end comes after its last pass": (LEFT, "optimizer", ended(BACKWARD), "exhaust"),
    "also where that is continued": (LEFT, "optimizer", ended(BACKWARD, Leave("continue")), "exhaust"),
    "a break is not its own end": (LEFT, "optimizer", ended(STEP, BACKWARD, Leave("break")), ""),
    "what comes after its own end comes after a break as well": (
        backward >> no(exhaust) >> clip,
        "optimizer",
        seq(ended(BACKWARD, either("full", Leave("break"))), CLIP),
        "clip?",
    ),
    "what a gap excludes breaks the chain": (LATE, "optimizer", seq(STEP, BACKWARD, CLIP), ""),
    "an unknown fact may be what a gap excludes": (
        step >> no(backward(scaled=True)) >> clip,
        "optimizer",
        seq(STEP, BACKWARD, CLIP),
        "",
    ),
    "a known fact is not": (
        step >> no(backward(scaled=True)) >> clip,
        "optimizer",
        seq(STEP, event("backward", scaled=False), CLIP),
        "clip",
    ),
    "an unknown fact completes nothing": (step >> clip(limits=True), "optimizer", seq(STEP, CLIP), ""),
    "code out of sight may do what a gap excludes": (LATE, "optimizer", seq(STEP, event("escape", MODEL), CLIP), ""),
    "so may an event of unknown origin": (LATE, "optimizer", seq(STEP, event("backward", None, open=True), CLIP), ""),
    "so may one on what an object may have been built from": (
        LATE,
        "optimizer",
        seq(event("step", UNKNOWN), event("backward", MODEL), event("clip", UNKNOWN)),
        "",
    ),
    "what only may concern an object completes nothing": (
        zero_grad >> step,
        "optimizer",
        seq(event("zero_grad", OTHER), STEP),
        "",
    ),
    "again is the same verb": (
        zero_grad >> backward >> again,
        "optimizer",
        seq(event("zero_grad", at="fit"), event("backward", at="fit"), event("zero_grad", at="fit")),
        "",
    ),
    "the mode of a part is not that of the whole": (
        train >> forward,
        "model",
        seq(event("train", PART), event("forward", SIBLING), event("forward", MODEL)),
        "forward of part",
    ),
    "a layer that is only made is not judged": (
        build >> forward,
        "model",
        seq(event("build", PART), event("forward", MODEL)),
        "",
    ),
    "of one place the certain verdict": (
        LATE,
        "optimizer",
        seq(STEP, either("t", BACKWARD), CLIP, event("step"), event("clip")),
        "clip",
    ),
    "the nearest story first": (
        LATE,
        "optimizer",
        seq(event("step", at="far"), event("step", at="near"), CLIP),
        "clip after near, clip after far",
    ),
    "on some paths": (LATE, "optimizer", seq(STEP, either("t", BACKWARD), CLIP), "clip?"),
    "the same test goes the same way": (LATE, "optimizer", seq(either("t", STEP), either("t", None, CLIP)), ""),
    "one value does not equal two constants": (
        LATE,
        "optimizer",
        seq(*(either(Condition(value, subject="mode", equals=value), what) for value, what in (("fit", STEP), ("try", CLIP)))),
        "",
    ),
    "until a name in it is bound again": (LATE, "optimizer", loop(either("i", CLIP), either("i", None, STEP)), "clip"),
    "what a counter comes to next": (
        LATE,
        "optimizer",
        loop(either(counted("next"), BACKWARD, CLIP), either(counted("now", following="next"), STEP)),
        "",
    ),
    "on the first pass": (LATE, "optimizer", seq(STEP, loop(either(counted("t", first=True), BACKWARD), CLIP)), ""),
    "on the first pass alone": (LATE, "optimizer", loop(either(replace(counted("t", first=True), alone=True), CLIP), STEP), ""),
    "on the first and on others": (LATE, "optimizer", loop(either(counted("t", first=True), CLIP), STEP), "clip"),
    "never again": (LATE, "optimizer", loop(either(replace(counted("t"), ebbs=True), CLIP, STEP)), ""),
    "a flag that nobody sets may be as it was": (LATE, "optimizer", flagged(), "clip"),
    "a flag that is set": (LATE, "optimizer", flagged(((), "done", True)), ""),
    "a flag that is set where something happens": (LATE, "optimizer", flagged(((("full", True),), "done", True)), "clip"),
    "and stays": (
        LATE,
        "optimizer",
        flagged(((("full", True),), "done", True), ((("done", True),), "done", True)),
        "",
    ),
    "a flag that is what a test says": (LATE, "optimizer", seq(as_told("scaled"), either("scaled", seq(), CLIP)), ""),
    "and not what another says": (LATE, "optimizer", seq(as_told("scaled"), either("clipped", seq(), CLIP)), "clip"),
    "after the last pass": (LATE, "optimizer", loop(CLIP, either(counted("t", last=True), STEP)), ""),
    "a counter is no doubt": (LATE, "optimizer", loop(either(counted("t"), STEP), CLIP), "clip"),
    "a flag is": (LATE, "optimizer", loop(either(counted("t", counter=False), STEP), CLIP), "clip"),
    "a return ends its call": (LATE, "optimizer", seq(Frame(seq(STEP, either("t", Leave("return")), BACKWARD)), CLIP), "clip?"),
    "a break ends its loop": (LATE, "optimizer", seq(loop(STEP, either("t", Leave("break")), BACKWARD), CLIP), "clip?"),
    "a raise ends all": (LATE, "optimizer", seq(Frame(seq(STEP, either("t", Leave("raise")), BACKWARD)), CLIP), ""),
    "a loop runs at least once": (LATE, "optimizer", seq(STEP, loop(BACKWARD), CLIP), ""),
    "and perhaps again": (backward >> no(zero_grad) >> again, "optimizer", loop(BACKWARD), "backward"),
    "nothing happens to what is not made": (
        build >> schedule,
        "scheduler",
        seq(either("t", event("build", SCHEDULER)), event("schedule", SCHEDULER)),
        "schedule",
    ),
    "a mode lasts, also for what is made later": (
        evaluate >> no(train) >> step,
        "optimizer",
        seq(event("evaluate", MODEL), event("build"), STEP, event("train", MODEL), event("step", at="trained")),
        "step",
    ),
    "what decides nothing is forgotten": (
        LATE,
        "optimizer",
        seq(*(either(f"t{n}", BACKWARD) for n in [*range(10), *range(10)]), either("u", STEP), CLIP),
        "clip",
    ),
    "with more paths counters are forgotten first": (
        LATE,
        "optimizer",
        seq(
            *(either(Condition(f"t{n}", counter=True), BACKWARD) for n in range(8)),
            either("u", STEP),
            CLIP,
            STEP,
            event("clip", at="x"),
        ),
        "x, clip",
    ),
}


def told(verdicts: Iterable[Verdict], role: bool, story: bool) -> str:
    """The last place of each verdict; `?` where it is not certain, the object and the story where a table asks for them."""
    said = []
    for each in verdicts:
        of = f" of {each.witness.role.name}" if role else ""
        after = f" after {each.witness.events[0].at.text}" if story else ""
        said.append(each.witness.last.at.text + of + after + ("" if each.certain else "?"))
    return ", ".join(said)


@pytest.mark.parametrize(("chain", "per", "region", "met"), REGIONS.values(), ids=REGIONS)
def test_regions(chain: Chain, per: str, region: Region, met: str) -> None:
    verdicts, undecided = over_loop(chain, per, Survey(region))
    assert told(verdicts, " of " in met, " after " in met) == met
    assert not undecided


def test_paths_are_bounded() -> None:
    many = MOST_PATHS.bit_length()
    steps = seq(*(either(f"t{n}", event("step", at=str(n))) for n in range(many)))
    assert over_loop(LATE, "optimizer", Survey(seq(steps, CLIP))) == ([], [OPTIMIZER])


def test_what_only_may_concern_an_object_is_not_walked_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """What does concern it, a step or a clip, meets no chain: the backward of who knows what need not be told apart."""
    walked: list[list[str]] = []
    run = Walk.run

    def noted(walk: Walk, region: Region) -> None:
        walked.append([each.verb for each in events(region)])
        run(walk, region)

    monkeypatch.setattr(Walk, "run", noted)
    unsure = [either(f"t{n}", event("backward", UNKNOWN, at=str(n))) for n in range(3)]
    region = seq(either("a", event("step")), *unsure, either("a", None, CLIP))
    assert over_loop(step >> no(backward) >> clip, "optimizer", Survey(region)) == ([], [])
    assert walked == [["step", "clip"]]


def rule(name: str, **options: object) -> Rule:
    return Rule("LC0", LATE, "", name=name, **options)  # type: ignore[arg-type]


def verdict(*events: Event, role: Role = OPTIMIZER, certain: bool = True) -> Verdict:
    return Verdict(Witness(events, role), Share.EVERY if certain else Share.SOME)


def test_a_rule_may_want_every_path() -> None:
    some = verdict(STEP, CLIP, certain=False)
    assert settle([(rule("all", every_path=True), some), (rule("any"), some)]) == [(rule("any"), some)]


def test_a_rule_may_refuse_a_witness() -> None:
    met = verdict(STEP, CLIP)
    assert settle([(rule("a", where=lambda witness: False), met)]) == []


def test_one_defect_is_told_by_the_rule_that_knows_it_better() -> None:
    general, special, elsewhere = rule("general", unless=("special",)), rule("special"), event("clip", at="elsewhere")
    met = verdict(STEP, CLIP)
    assert settle([(general, met), (special, met)]) == [(special, met)]
    assert len(settle([(general, met), (special, verdict(BACKWARD, elsewhere))])) == 2


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        (verdict(STEP, BACKWARD, CLIP), verdict(STEP, CLIP, certain=False)),
        (Verdict(Witness((STEP, BACKWARD, CLIP), OPTIMIZER), Share.CONFIGURED), verdict(STEP, CLIP, certain=False)),
        (verdict(BACKWARD, STEP, CLIP), verdict(STEP, CLIP, role=OTHER)),
        (verdict(STEP, CLIP), verdict(BACKWARD, STEP, CLIP)),
    ],
    ids=["certain", "of one configuration", "of the object itself", "the shorter story"],
)
def test_of_one_place_the_better_verdict(better: Verdict, worse: Verdict) -> None:
    for met in ([better, worse], [worse, better]):
        assert settle([(rule("a"), each) for each in met]) == [(rule("a"), better)]


def test_of_one_place_the_verdict_that_assumes_nothing() -> None:
    known = verdict(STEP, BACKWARD, event("clip", limits=True))
    unknown = verdict(STEP, event("clip"))
    for resting in (rule("a", rests_on=clip(limits=True)), rule("a", rests_on=clip(limits=True), shown_by=step)):
        for met in ([known, unknown], [unknown, known]):
            assert settle([(resting, each) for each in met]) == [(resting, known)]
