"""What counters begin at, as far as the state knows."""

from __future__ import annotations

from loopcheck.read.domain.state import State
from loopcheck.read.domain.terms import Term
from loopcheck.read.domain.values import Const, Symbol, Value


def literal(state: State, value: Value | None) -> int | None:
    """The whole number that is written for a value, also for one that is counted from there on."""
    if isinstance(value, Symbol) and all(value.term not in turn.variables.values() for turn in state.here.passes):
        value = state.entered.get(value.term)
    return value.value if isinstance(value, Const) and type(value.value) is int else None


def begins_at(state: State, counter: Term) -> int | None:
    """The number that a counter is on the first pass of the loop around, whenever that begins."""
    if counter in state.before:
        number = begins_at(state, state.before[counter])
        return None if number is None else number + 1
    turn = state.here.passes[-1] if state.here.passes else None
    counted = turn is not None and counter in turn.variables.values()
    return literal(state, state.entered.get(counter)) if counted else state.begins.get(counter)


def is_number(state: State, counter: Term) -> bool:
    """Whether a variable that counts is a whole number: a loop's own, or one that was a literal before all loops around."""
    of: Term | None = counter
    while of is not None and of not in state.begins:
        value = state.entered.get(of)
        if literal(state, value) is not None:
            return True
        of = state.before.get(of) or (value.term if isinstance(value, Symbol) else None)
    return of is not None
