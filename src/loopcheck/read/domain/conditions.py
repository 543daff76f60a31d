"""Conditions: tests put together by `not` and `and`, as simple as they can be said."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from loopcheck.loop import Decision, Fork, Test
from loopcheck.read.domain.terms import Term

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
    def all_tests(self) -> tuple[Test, ...]:
        """The tests that it is put together from, as often as they are there."""
        return (*tests_of(self.left), *tests_of(self.right))

    @cached_property
    def tests(self) -> frozenset[Hashable]:
        """The keys of all tests that it is put together from."""
        return frozenset([test.key for test in self.all_tests])

    @cached_property
    def consequences(self) -> dict[Term, bool]:
        """The outcomes of tests that follow where it holds."""
        return {**implied(self.left, True), **implied(self.right, True)}

    def under(self, assumed: Assumed) -> Condition:
        """What is left of it where its tests have these outcomes. Kept: most path conditions decide the same of it."""
        told = {key: assumed[key] for key in self.tests if key in assumed}  # type: ignore[index]
        known = frozenset(told.items())
        if known not in self._left:
            self._left[known] = self._resolved(told)  # type: ignore[arg-type]
        return self._left[known]

    @cached_property
    def _left(self) -> dict[frozenset[tuple[Hashable, bool]], Condition]:
        return {}

    def _resolved(self, assumed: Assumed) -> Condition:
        first = resolved(self.left, assumed)
        if first is False:
            return False
        second = resolved(self.right, {**assumed, **implied(first, True)})
        return self if first is self.left and second is self.right else both(first, second)


def negate(condition: Condition) -> Condition:
    """What holds where the condition does not."""
    if isinstance(condition, bool):
        return not condition
    return condition.of if isinstance(condition, Not) else Not(condition)


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


def tests_of(condition: Condition) -> Sequence[Test]:
    """Every test of a condition."""
    if isinstance(condition, Test):
        return (condition,)
    if isinstance(condition, And):
        return condition.all_tests
    return tests_of(condition.of) if isinstance(condition, Not) else ()


def key_of(condition: Test | Not | And) -> Term:
    """What tells a condition from others: of a test its own key."""
    if isinstance(condition, Test) and isinstance(condition.key, Term):
        return condition.key
    if isinstance(condition, And):
        return condition.key
    if isinstance(condition, Not) and not isinstance(condition.of, bool):
        return Term("not", key_of(condition.of))
    raise TypeError(f"{condition!r} is no condition of a program")


def resolved(condition: Condition, assumed: Assumed) -> Condition:
    """What is left of a condition under a path condition, which most often says nothing of its tests."""
    if isinstance(condition, Test):
        return assumed.get(condition.key, condition)  # type: ignore[call-overload, no-any-return]
    if isinstance(condition, And):
        return condition.under(assumed)
    if isinstance(condition, Not):
        of = resolved(condition.of, assumed)
        return condition if of is condition.of else negate(of)
    return condition


_NOTHING: dict[Term, bool] = {}


def implied(condition: Condition, outcome: bool) -> Assumed:
    """The outcomes of tests that follow from that of a condition."""
    if isinstance(condition, Not):
        return implied(condition.of, not outcome)
    if isinstance(condition, And):
        return condition.consequences if outcome else _NOTHING
    return {condition.key: outcome} if isinstance(condition, Test) else _NOTHING  # type: ignore[dict-item]


def decision(condition: Condition) -> Decision:
    """A condition as a decision tree, in which no test comes twice on a way."""
    return condition.tree if isinstance(condition, And) else _decision(condition, True, False)


def _decision(condition: Condition, then: Decision, other: Decision) -> Decision:
    if isinstance(condition, bool):
        return then if condition else other
    if isinstance(condition, Not):
        return _decision(condition.of, other, then)
    if isinstance(condition, And):
        return _decision(condition.left, _decision(condition.right, then, other), other)
    key = key_of(condition)
    return _forked(condition, _pruned(then, key, True), _pruned(other, key, False))


def _forked(test: Test, then: Decision, other: Decision) -> Decision:
    """A node of a tree; what both outcomes lead to, where that is the same: every node leads to either arm."""
    return then if then == other else Fork(test, then, other)


def _pruned(tree: Decision, key: Term, holds: bool) -> Decision:
    """A tree where a test has this outcome."""
    if isinstance(tree, bool) or key not in tree.keys:
        return tree
    if tree.test.key is key:
        return tree.then if holds else tree.other
    return _forked(tree.test, _pruned(tree.then, key, holds), _pruned(tree.other, key, holds))
