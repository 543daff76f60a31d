"""Under what models are put into eval mode before they are trained: chance, which has it come about in every run, or weights."""

from __future__ import annotations

from collections.abc import Iterable

from loopcheck.loop import Event, Region, Repeat, events, loops
from loopcheck.read.domain.terms import Term
from loopcheck.read.objects.passes import Guard, learn, under_guards
from loopcheck.words import DRAWN, HELD_OUT, INFERENCE, asks_for_weights, words


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


def tell_given(region: Region) -> None:
    """Which models are put into eval mode where they get weights, and nowhere else: whoever goes on from such weights trains what
    somebody loads who only applies it."""
    switched = [event for event in events(region) if event.verb == "evaluate"]
    there = bool(switched) and any(event.verb == "restore" for event in events(region))
    under = under_guards(region) if there else ()
    guarded = [(event, frozenset(guards)) for event, guards in under if guards and all(map(_is_of_weights, guards))]
    restored = [(set(event.on), guards) for event, guards in guarded if event.verb == "restore"]
    for event, guards in guarded:
        if event.verb == "evaluate" and any(guards == beside and on.intersection(event.on) for on, beside in restored):
            learn(event, "given", True)
    for event in switched:
        learn(event, "given", False)


def _is_of_weights(guard: Guard) -> bool:
    """Whether a test asks for the weights that a run begins with: `args.resume`, `pretrained is not None`."""
    named = [*map(_called, guard.key.parts())] if isinstance(guard.key, Term) and not guard.counter else []
    return any(map(asks_for_weights, named)) and not any(words(name) & (HELD_OUT | INFERENCE) for name in named)


def _called(term: Term) -> str:
    """What a variable or an attribute is called, or what a text says, a key's say; empty of what is computed."""
    match term.head, term.operands:
        case "name" | "formal" | "attribute", (_, str(name)):
            return name
        case "constant", (("str", str(text)),):
            return text
        case _:
            return ""


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
