"""Trials: code that is interpreted for what it comes to, while nothing of it counts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from loopcheck.loop import Role
from loopcheck.read.interpret.machine import Attributes, Machine

MOST_FORKS = 1500
"""Tests that are read both ways before a function is given up for one that has to be interpreted at each call site."""


@contextmanager
def trial(m: Machine, inert: Callable[[str, Iterable[Role]], bool]) -> Iterator[None]:
    """Interpret in no call, within a budget of its own; what is noted on the way is not noted for the program.

    inert: what may still happen.
    """
    state = m.state
    most = min(MOST_FORKS, state.most_forks - state.forked)
    symbols, kept, stilled = dict(state.symbols), dict(state.kept), set(state.stilled)
    before = _exchanged([
        (m, {"active": [], "reached": set(), "definitions": set()}),
        (m.budget, {"calls": 0}),
        (state, {"forked": 0, "most_forks": most, "out": [], "grouped": [], "inert": inert}),
        (state, {"symbols": symbols, "kept": kept, "stilled": stilled, "frozen": state.frozen, "unsettled": state.unsettled}),
    ])  # fmt: skip
    m.trials.append(before)
    try:
        yield
    finally:
        spent = state.forked
        _exchanged(m.trials.pop())
        if m.trials:
            state.forked += spent


def _exchanged(given: Attributes) -> Attributes:
    """What attributes were worth that are worth this from now on."""
    before = [(owner, {name: getattr(owner, name) for name in values}) for owner, values in given]
    for owner, values in given:
        for name, value in values.items():
            setattr(owner, name, value)
    return before
