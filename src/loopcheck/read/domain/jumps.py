"""Jumps: what `break`, `continue` and `return` bring to where the loop or the call that they leave goes on."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import TypeAlias

from loopcheck.loop import Test
from loopcheck.read.domain.conditions import And, implied, key_of, resolved
from loopcheck.read.domain.heap import Key
from loopcheck.read.domain.here import Bindings, Landing, Way
from loopcheck.read.domain.parts import role_of
from loopcheck.read.domain.state import GRAD, State
from loopcheck.read.domain.terms import Term
from loopcheck.read.domain.values import Choice, Frame, Items, Tensor, Value

MOST_WAYS = 32
"""Ways that are told apart where they meet; a value that depends on more tests is not known anyway."""
_Ways: TypeAlias = "Sequence[Way] | tuple[Test | And, _Ways, _Ways]"
"""Ways that meet, or a condition with those on which it holds and the others."""


def landing(state: State, once: bool) -> Landing:
    """Where a loop goes on that begins here."""
    return Landing(once, state.heap.arms, dict(state.assumed), len(state.here.finals))


def jump(state: State, to: Landing, how: str) -> None:
    """Control leaves a pass here."""
    (to.broken if how == "break" else to.ended).append(_way(state, to))
    state.leave("break" if to.once else how)


def leave_function(state: State) -> None:
    """Control leaves the function that is read; where it goes on, ways may meet."""
    at_last(state)
    to = state.here.caller
    if to is not None and state.live:
        to.broken.append(_way(state, to))
    state.leave("return")


def at_last(state: State, outer: int = 0) -> None:
    """A function or a loop is left: what is around it in it comes to its end first, the innermost first.

    outer: so many blocks are around it.
    """
    finals = state.here.finals
    for at in reversed(range(outer, len(finals))):
        with state.within(finals=finals[:at]):
            finals[at]()


def _way(state: State, to: Landing) -> Way:
    """The way to here. A scope ends with its block, whichever way that is left."""
    bound = {key: value for key, value in state.heap.changed(to.arms).items() if key != GRAD}
    return Way(_conditions(state, to.assumed), bound)


def fall(state: State, to: Landing) -> None:
    """Control comes to the end of a pass."""
    to.ended.append(Way(_conditions(state, to.assumed), state.heap.changed(to.arms)))


def _conditions(state: State, before: Mapping[Term, bool]) -> tuple[tuple[Test | And, bool], ...]:
    """Those of the path condition that have been assumed since, without what follows from others."""
    found: list[tuple[Test | And, bool]] = []
    known = before
    for key, holds in state.assumed.items():
        condition = state.conditions.get(key)
        if condition is not None and key not in known and not isinstance(resolved(condition, known), bool):
            found.append((condition, holds))
            known = {**known, key: holds, **implied(condition, holds)}
    return tuple(found)


def joined_ways(state: State, ways: Sequence[Way], before: Bindings = MappingProxyType({})) -> Bindings:
    """What names are worth where ways meet, on the last of them if on no other. before: what passes before have bound.

    What a way has not bound may have been by a pass before, which came to where the last way does; or the way is that of the
    first pass, and it is what it was before the loop. A list that objects are put into is without this pass's on the ways that
    do not.
    """
    found = dict(before)
    listed = {key: state.heap.get(key) for way in ways for key, value in way.bound.items() if _is_of_objects(value)}
    unbound = {**_carried(state, before), **listed}
    ways = [Way(way.conditions, {**unbound, **way.bound}) for way in ways] if unbound else ways
    for each in ways[-1:]:
        found.update(each.bound)
    for way in reversed(ways[:-1]):
        for key, value in way.bound.items():
            found[key] = _under(state, key, way.conditions, value, found.get(key, state.heap.get(key)))
    return found


def _carried(state: State, before: Bindings) -> Bindings:
    """What was computed before a loop or by a pass of it, of which nobody knows where a pass begins which one it is."""
    pairs = ((key, state.heap.get(key), value) for key, value in before.items())
    both = ((key, one, value) for key, one, value in pairs if isinstance(one, Tensor) and isinstance(value, Tensor))
    return {key: one.merged(value) for key, one, value in both if one != value}


def _is_of_objects(value: Value | None) -> bool:
    """Whether a value is a list of optimizers, or of other objects of torch's."""
    return isinstance(value, Items) and value.keys is None and bool(value.values) and all(map(role_of, value.values))


def joined_at_return(state: State, to: Landing, frame: Frame, results: Collection[str] = ()) -> Bindings:
    """What names are worth where a call goes on: the join of all ways on which the function has returned.

    frame: its variables, of which nobody asks any more but for those that are copied out, the results.
    """
    ways = [*to.broken, *to.ended]
    parted = _parted(ways)
    found = dict(ways[-1].bound)
    for way in reversed(ways[:-1]):
        for key, value in way.bound.items():
            found.setdefault(key, value)
    for key in found:
        if key[0] is not frame or key[1] in results:
            found[key] = _where_they_meet(state, key, parted)
    return found


def _parted(ways: Sequence[Way]) -> _Ways:
    """The ways, told apart by the conditions that each of them has met: what else led one of them there does not matter then."""
    met = [{key: outcome for each in way.conditions for key, outcome in _follows(*each).items()} for way in ways]
    for condition, _ in ways[0].conditions if 1 < len(ways) <= MOST_WAYS else ():
        outcomes = [each.get(key_of(condition)) for each in met]
        if {*outcomes} == {True, False}:
            then, other = ([way for way, each in zip(ways, outcomes, strict=True) if each is side] for side in (True, False))
            return condition, _parted(then), _parted(other)
    return [*ways]


def _follows(condition: Test | And, holds: bool) -> Mapping[Term, bool]:
    """The outcomes of a condition and of what it decides."""
    return {key_of(condition): holds, **implied(condition, holds)}


def _where_they_meet(state: State, key: Key, parted: _Ways) -> Value | None:
    """What a name is worth where ways meet."""
    before = state.heap.get(key)
    if isinstance(parted, tuple):
        condition, then, other = parted
        one, another = _where_they_meet(state, key, then), _where_they_meet(state, key, other)
        return one if one is another or one == another else state.either(key, condition, one, another)
    *ways, last = parted
    value = last.bound.get(key, before)
    for way in reversed(ways):
        value = _under(state, key, way.conditions, way.bound.get(key, before), value)
    return value


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
