"""Conditions: tests put together by `not` and `and`, as simple as they can be said."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from loopcheck.loop import Test

Condition: TypeAlias = "bool | Test | Not | And"


@dataclass(frozen=True)
class Not:
    of: Condition


@dataclass(frozen=True)
class And:
    left: Condition
    right: Condition


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
