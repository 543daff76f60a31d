"""Jumps: what `break` and `continue` bring to where the loop that they leave goes on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TypeAlias

from loopcheck.loop import Test
from loopcheck.read.domain.conditions import And, implied, resolved
from loopcheck.read.domain.heap import Key
from loopcheck.read.domain.state import GRAD, State
from loopcheck.read.domain.terms import Term
from loopcheck.read.domain.values import Choice, Value

Bindings: TypeAlias = Mapping[Key, Value | None]
"""What names are worth that a pass has bound; None of one that it has made forgotten."""


@dataclass(frozen=True)
class Way:
    """A way that a pass is left: the conditions that lead there, each with its outcome, and what it has bound until then."""

    conditions: tuple[tuple[Test | And, bool], ...]
    bound: Bindings


@dataclass(frozen=True)
class Landing:
    """A loop that jumps may leave. once: it is read for one pass that stands for all, over objects that are not told apart.

    arms, assumed, finals: what is around it. broken, ended: the ways so far on which it is left by `break`, and on which a
    pass comes to its end.
    """

    once: bool
    arms: int
    assumed: Mapping[Term, bool]
    finals: int
    broken: list[Way] = field(default_factory=list)
    ended: list[Way] = field(default_factory=list)

    @classmethod
    def of(cls, state: State, once: bool) -> Landing:
        """Where a loop goes on that begins here."""
        return cls(once, state.heap.arms, dict(state.assumed), len(state.here.finals))

    def jump(self, state: State, how: str) -> None:
        """Control leaves a pass here. A scope ends with its block, whichever way that is left."""
        bound = {key: value for key, value in state.heap.changed(self.arms).items() if key != GRAD}
        (self.broken if how == "break" else self.ended).append(Way(self._conditions(state), bound))
        state.leave("break" if self.once else how)

    def _conditions(self, state: State) -> tuple[tuple[Test | And, bool], ...]:
        """Those of the path condition that have been assumed in this pass, without what follows from others."""
        found: list[tuple[Test | And, bool]] = []
        known = self.assumed
        for key, holds in state.assumed.items():
            condition = state.conditions.get(key)
            if condition is not None and key not in known and not isinstance(resolved(condition, known), bool):
                found.append((condition, holds))
                known = {**known, key: holds, **implied(condition, holds)}
        return tuple(found)

    def fall(self, state: State) -> None:
        """Control comes to the end of a pass."""
        self.ended.append(Way((), state.heap.changed(self.arms)))


def meeting(state: State, ways: Sequence[Way], before: Bindings = MappingProxyType({})) -> Bindings:
    """What names are worth where ways meet, on the last of them if on no other. before: what passes before have bound.

    What a way has not bound may have been by a pass before, which came to where the last way does.
    """
    found = dict(before)
    for each in ways[-1:]:
        found.update(each.bound)
    for way in reversed(ways[:-1]):
        for key, value in way.bound.items():
            found[key] = _under(state, key, way.conditions, value, found.get(key, state.heap.get(key)))
    return found


def _under(
    state: State, key: Key, conditions: Sequence[tuple[Test | And, bool]], value: Value | None, other: Value | None
) -> Value | None:
    """What a name is worth that has a value where all of these conditions have their outcomes, and another one else."""
    if not conditions or value is other or value == other:
        return value
    (condition, holds), *rest = conditions
    where = other
    for test, outcome in implied(condition, holds).items():
        if isinstance(where, Choice) and where.test.key is test:
            where = where.then if outcome else where.other
    inner = _under(state, key, rest, value, where)
    return state.either(key, condition, *((inner, other) if holds else (other, inner)))
