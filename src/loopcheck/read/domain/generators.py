"""Generators, which hand out what they have one time."""

from __future__ import annotations

from loopcheck.read.domain.heap import Certain
from loopcheck.read.domain.parts import parts_of
from loopcheck.read.domain.state import State
from loopcheck.read.domain.values import Const, Params, Value

SPENT = Certain("spent")
"""The owner of what is known of generators: that they have handed out all that they had."""


def spend(state: State, value: Value) -> bool:
    """Generators hand out what they have; whether one of them had done so before, or does on an earlier pass of a loop."""
    once = [part.once for part in parts_of(value) if isinstance(part, Params) and part.once]
    before = any((SPENT, each.term) in state.heap or not state.here.loops <= each.loops for each in once)
    for each in once:
        state.heap[(SPENT, each.term)] = Const(True)
    return before


def is_spent(state: State, value: Value) -> bool:
    """Whether a generator has handed out all that it had, before any loop around comes to its second pass."""
    return any((SPENT, part.once.term) in state.heap for part in parts_of(value) if isinstance(part, Params) and part.once)
