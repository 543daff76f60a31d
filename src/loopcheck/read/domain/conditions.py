"""Conditions: tests put together by `not` and `and`, as simple as they can be said."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from functools import cached_property
from typing import TypeAlias

from loopcheck.loop import Decision, Fork, Test
from loopcheck.read.domain.terms import Term
from loopcheck.structs import dataclass

Condition: TypeAlias = "bool | Test | Not | And"
Assumed: TypeAlias = Mapping[Term, bool]
"""The outcome of each test, and of each condition, that a path condition decides, by its key."""


AND = "and"
"""The head of the key of a condition that is put together from others."""


@dataclass(frozen=True)
class Not:
    of: Condition


@dataclass(frozen=True)
class And:
    left: Condition
    right: Condition

    @cached_property
    def key(self) -> Term:
        """What tells it from other conditions."""
        if isinstance(self.left, bool) or isinstance(self.right, bool):
            raise TypeError(f"{self!r} is no condition of a program")
        return Term(AND, key_of(self.left), key_of(self.right))

    @cached_property
    def tree(self) -> Decision:
        """The condition as a decision tree. Kept: the same condition is decided at every name that its arms leave different."""
        return _decision(self, True, False)

    @cached_property
    def simplified(self) -> Condition:
        """What is left of it under no path condition."""
        return _resolved(self, {})

    @cached_property
    def tests(self) -> frozenset[Hashable]:
        """The keys of all tests that it is put together from."""
        return frozenset(test.key for test in tests_of(self))


def negate(condition: Condition) -> Condition:
    """What holds where the condition does not."""
    match condition:
        case bool():
            return not condition
        case Not(of):
            return of
        case _:
            return Not(condition)


def both(left: Condition, right: Condition) -> Condition:
    """What holds where both hold."""
    if isinstance(left, bool):
        return right if left else False
    if isinstance(right, bool):
        return left if right else False
    return And(left, right)


def either_of(left: Condition, right: Condition) -> Condition:
    """What holds where one of them does."""
    return negate(both(negate(left), negate(right)))


def either_way(test: Test, then: Condition, other: Condition) -> Condition:
    """`then` where the test holds, `other` where it does not."""
    then = True if then == test else False if then == negate(test) else then
    other = False if other == test else True if other == negate(test) else other
    return then if then == other else either_of(both(test, then), both(negate(test), other))


def tests_of(condition: Condition) -> list[Test]:
    """Every test of a condition."""
    match condition:
        case Test():
            return [condition]
        case Not(of):
            return tests_of(of)
        case And(left, right):
            return [*tests_of(left), *tests_of(right)]
        case _:
            return []


def key_of(condition: Test | Not | And) -> Term:
    """What tells a condition from others: of a test its own key."""
    match condition:
        case Test(key=Term() as key):
            return key
        case Not(of) if not isinstance(of, bool):
            return Term("not", key_of(of))
        case And():
            return condition.key
        case _:
            raise TypeError(f"{condition!r} is no condition of a program")


def resolved(condition: Condition, assumed: Assumed) -> Condition:
    """What is left of a condition under a path condition, which most often says nothing of its tests."""
    if isinstance(condition, And) and _untouched(condition, assumed):
        return condition.simplified
    return _resolved(condition, assumed)


def _untouched(condition: Condition, assumed: Assumed) -> bool:
    """Whether a path condition decides none of the tests of a condition."""
    match condition:
        case Test(key=Term() as key):
            return key not in assumed
        case Not(of):
            return _untouched(of, assumed)
        case And(left, right):
            return _untouched(left, assumed) and _untouched(right, assumed)
        case _:
            return True


def _resolved(condition: Condition, assumed: Assumed) -> Condition:
    match condition:
        case Test(key=Term() as key):
            return assumed.get(key, condition)
        case Not(of):
            return negate(resolved(of, assumed))
        case And(left, right):
            first = resolved(left, assumed)
            return False if first is False else both(first, resolved(right, {**assumed, **implied(first, True)}))
        case _:
            return condition


def implied(condition: Condition, outcome: bool) -> dict[Term, bool]:
    """The outcomes of tests that follow from that of a condition."""
    match condition:
        case Test(key=Term() as key):
            return {key: outcome}
        case Not(of):
            return implied(of, not outcome)
        case And(left, right) if outcome:
            return {**implied(left, True), **implied(right, True)}
        case _:
            return {}


def decision(condition: Condition) -> Decision:
    """A condition as a decision tree, in which no test comes twice on a way."""
    return condition.tree if isinstance(condition, And) else _decision(condition, True, False)


def _decision(condition: Condition, then: Decision, other: Decision) -> Decision:
    match condition:
        case bool():
            return then if condition else other
        case Not(of):
            return _decision(of, other, then)
        case And(left, right):
            return _decision(left, _decision(right, then, other), other)
        case Test(key=Term() as key):
            return _forked(condition, _pruned(then, {key: True}), _pruned(other, {key: False}))
        case _:
            raise TypeError(f"{condition!r} is no condition of a program")


def _forked(test: Test, then: Decision, other: Decision) -> Decision:
    """A node of a tree; what both outcomes lead to, where that is the same: every node leads to either arm."""
    return then if then == other else Fork(test, then, other)


def _pruned(tree: Decision, known: Assumed) -> Decision:
    if isinstance(tree, bool):
        return tree
    key = tree.test.key
    assert isinstance(key, Term)
    if key in known:
        return _pruned(tree.then if known[key] else tree.other, known)
    return _forked(tree.test, _pruned(tree.then, {**known, key: True}), _pruned(tree.other, {**known, key: False}))
