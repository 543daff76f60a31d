"""What comes about on some passes of a loop, as chance has it: on which of them nobody can say, and in every run on one."""

from __future__ import annotations

from collections.abc import Iterable

from loopcheck.loop import Event, Region, Repeat, events, loops
from loopcheck.read.domain.terms import Term
from loopcheck.read.objects.passes import Guard, learn, under_guards
from loopcheck.words import DRAWN


def tell_by_chance(region: Region) -> None:
    """Which models an entry puts into eval mode by chance, in the loop that has all its training and never says train mode: on
    some pass that happens, before the first backward or after it, and from there on the mode stays."""
    seen = list(events(region))
    trained = [event for event in seen if event.verb == "backward"]
    switched = [event for event in seen if event.verb == "evaluate"]
    for loop in loops(region) if switched and trained else ():
        if _trains_alone(loop, trained):
            for event, guards in under_guards(loop.body):
                if event.verb == "evaluate" and guards and all(map(_is_chance, guards)):
                    learn(event, "by_chance", True)
    for event in switched:
        learn(event, "by_chance", False)


def _trains_alone(loop: Repeat, trained: Iterable[Event]) -> bool:
    """Whether all that is trained is trained in one loop, which leaves the mode as it is."""
    inside = set(events(loop))
    return inside.issuperset(trained) and all(event.verb != "train" for event in inside)


def _is_chance(guard: Guard) -> bool:
    """Whether a test compares a number that is drawn: `random.random() < epsilon`."""
    return isinstance(guard.key, Term) and any(isinstance(each, Term) and _is_drawn(each) for each in guard.key.operands)


def _is_drawn(term: Term) -> bool:
    match term.head, term.operands:
        case "call", (str(name), *_):
            return not DRAWN.isdisjoint(name.split("."))
        case _:
            return False
