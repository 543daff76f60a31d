"""Generators, which hand out what they have one time."""

from __future__ import annotations

from collections.abc import Iterator

from loopcheck.read.domain.heap import Certain
from loopcheck.read.domain.parts import parts_of, term_of
from loopcheck.read.domain.state import State
from loopcheck.read.domain.terms import Term
from loopcheck.read.domain.values import Const, Params, Value

SPENT = Certain("spent")
"""The owner of what is known of generators: that they have handed out all that they had."""


def spend(state: State, value: Value, whole: bool = True) -> bool:
    """Generators hand out what they have; whether one of them had done so before, or does on an earlier pass of a loop.

    whole: they hand out all of it for sure.
    """
    once = [part.once for part in _drawn(state, value) if part.once]
    before = any((SPENT, each.term) in state.heap or not state.here.loops <= each.loops for each in once)
    for each in once if whole else ():
        state.heap[(SPENT, each.term)] = Const(True)
    return before


def postpone(state: State, made: Value, of: Value) -> None:
    """A generator expression was made of a generator: what that has it draws when it is drawn from itself."""
    if isinstance(of, Params) and of.once:
        state.postponed[_name(made)] = of


def _drawn(state: State, value: Value) -> Iterator[Params]:
    """The parameters that are drawn where a value is, those among them that generator expressions draw."""
    for part in parts_of(value):
        if isinstance(part, Params):
            yield part
        if (of := state.postponed.get(_name(part))) is not None:
            yield of


def _name(value: Value) -> Term:
    """What tells a generator from others."""
    return value.once.term if isinstance(value, Params) and value.once else term_of(value)


def is_spent(state: State, value: Value) -> bool:
    """Whether a generator has handed out all that it had, before any loop around comes to its second pass."""
    return any((SPENT, part.once.term) in state.heap for part in parts_of(value) if isinstance(part, Params) and part.once)
