"""What is skipped because it could not be met would not have been met."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from random import Random

import pytest
from regions import OPTIMIZER, either, event, judged, loop, random_chain, random_region, seq

from loopcheck import again, backward, clip, end, no, packs, start, step, testing, zero_grad
from loopcheck.bug import Chain
from loopcheck.judge import Verdict, over_loop
from loopcheck.loop import Region, Role, events
from loopcheck.maybe import possible
from loopcheck.read.library import Library
from loopcheck.survey import Own, Survey

FIXTURES = Path(__file__).parent.parent / "fixtures"
SCRIPTS = sorted([*FIXTURES.rglob("*.py"), *(script for rule in packs.rules() for script in testing.scripts(rule))])


def could_be(chain: Chain, region: Region, role: Role = OPTIMIZER) -> bool:
    return possible(chain, role, region, dict.fromkeys(events(region), True))


@pytest.mark.parametrize(
    ("chain", "region", "expected"),
    [
        (step >> clip, seq("step", "clip"), True),
        (step >> clip, seq("clip", "step"), False),
        (step >> clip, loop("clip", "step"), True),
        (step >> clip, loop("clip", "step", "break"), False),
        (step >> clip, loop(either("t", "continue"), "clip", "step", "break"), False),
        (step >> clip, loop("clip", either("t", "continue"), "step", "break"), False),
        (step >> clip, loop("clip", "step", either("t", "continue"), "break"), True),
        (step >> no(backward) >> clip, seq("step", "backward", "clip"), False),
        (step >> no(backward) >> clip, seq("step", either("t", "backward"), "clip"), True),
        (step >> no(backward) >> clip, seq("step", either("t", "backward", "backward"), "clip"), False),
        (step >> no(backward) >> clip, seq("step", either("t", "raise", "backward"), "clip"), False),
        (start >> no(backward) >> clip, seq("backward", "clip"), False),
        (start >> no(backward) >> clip, seq(either("t", "backward"), "clip"), True),
        (step >> no(backward) >> end, seq("step", "backward"), False),
        (step >> no(backward) >> end, seq("backward", "step"), True),
        (backward >> no(zero_grad) >> again, loop("backward", "zero_grad"), False),
        (backward >> no(zero_grad) >> again, loop("zero_grad", either("t", "backward"), "backward"), True),
        (step >> clip >> no(clip) >> again(step), loop("step", "clip"), True),
    ],
)
def test_possible(chain: Chain, region: Region, expected: bool) -> None:
    assert could_be(chain, region) == expected


def test_nothing_happens_to_what_is_not_made_yet() -> None:
    """A step before the optimizer exists is another's, and keeps the run's beginning from nothing."""
    made = event("build", OPTIMIZER)
    assert could_be(start >> no(step) >> clip, seq("step", made, "clip"))
    assert not could_be(start >> no(step) >> clip, seq(made, "step", "clip"))
    assert not could_be(step >> clip, seq("step", made, "clip"))


def test_what_is_only_possible_excludes_and_does_not_match() -> None:
    region = seq(first := event("step"), between := event("backward"), last := event("clip"))
    chain = step >> no(backward) >> clip
    assert not possible(chain, OPTIMIZER, region, {first: True, between: False, last: True})
    assert not possible(step >> clip, OPTIMIZER, region, {first: True, between: True, last: False})


class Skipped:
    """Stands in for `possible`: nothing is skipped, and what would have been is kept."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.seen: list[tuple[Chain, Role]] = []
        monkeypatch.setattr("loopcheck.judge.possible", self)

    def __call__(self, chain: Chain, role: Role, region: Region, own: Own) -> bool:
        if not possible(chain, role, region, own):
            self.seen.append((chain, role))
        return True

    def is_lost(self, chain: Chain, verdict: Verdict) -> bool:
        return (chain, verdict.witness.role) in self.seen


@pytest.mark.parametrize("part", range(2))
def test_no_verdict_on_a_script_is_lost(part: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """That an example's own rule tells of it is asked of every script elsewhere; here, of every tenth all rules are."""
    skipped = Skipped(monkeypatch)
    before = 0
    for script in islice(SCRIPTS, 10 * part, None, 20):
        library = Library([script])
        for entry in library.program(library.source(str(script), script.read_bytes())).entries:
            skipped.seen.clear()
            program = Survey(entry)
            for chain, per in ((chain, rule.per) for rule in packs.rules() for chain in rule.chains):
                assert not [each for each in over_loop(chain, per, program)[0] if skipped.is_lost(chain, each)], (script, chain)
            before += len(skipped.seen)
    assert before > 100, "and much is skipped"


@pytest.mark.parametrize("seed", range(20))
def test_no_verdict_on_any_region_is_lost(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    skipped = Skipped(monkeypatch)
    chance = Random(seed)
    for _ in range(50):
        chain, region = random_chain(chance), random_region(chance)
        assert not [each for each in judged(chain, region)[0] if skipped.is_lost(chain, each)], (chain, region)
    assert skipped.seen
