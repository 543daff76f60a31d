"""Lengths of schedules that are written as numbers: whether it is the epochs around that they count."""

from __future__ import annotations

from collections.abc import Sequence

from loopcheck.loop import Region, events
from loopcheck.read.domain.counts import number
from loopcheck.read.domain.here import Pass
from loopcheck.read.domain.values import Const, Items
from loopcheck.read.interpret.machine import Machine
from loopcheck.read.objects.passes import learn
from loopcheck.words import EPOCHS, words

FEWEST_EPOCHS = 5
"""Epochs of which it is no chance that a schedule has as many steps."""


def tell_lengths(m: Machine, turn: Pass, body: Region, around: Sequence[Pass]) -> None:
    """A schedule that is stepped on each batch is as long as there are epochs, `T_max=90` in `range(90)`, or has its milestones
    among them: as many batches would be over in the first. A warm-up of so many batches is none of that."""
    ends = [end for each in around if _counts_epochs(each) and each.times and (end := number(each.times) or 0) >= FEWEST_EPOCHS]
    for event in events(body) if ends and turn.iterates else ():
        if event.verb != "schedule" or event.facts.get("after") not in ("batch", "step"):
            continue
        for role in event.on:
            kept = m.state.kept.get(role, {})
            if role.built is None or role.built.facts.get("length") is not None or "rises" in kept:
                continue
            if _are_epochs(kept.get("span"), max(ends)):
                learn(role.built, "length", "epochs")


def _counts_epochs(turn: Pass) -> bool:
    return not words(f"{turn.counter} {turn.bound}").isdisjoint(EPOCHS)


def _are_epochs(span: object, end: int) -> bool:
    """Whether a schedule is as long as so many epochs, or its milestones are among them."""
    match span:
        case Const(int() as length):
            return length == end
        case Items(values) if values:
            return all(isinstance(each, Const) and isinstance(each.value, int) and 1 < each.value <= end for each in values)
        case _:
            return False
