"""Dataclasses of the house behave as the standard library's do, and the collector waits."""

from __future__ import annotations

import gc
from dataclasses import fields

import pytest

from loopcheck import garbage
from loopcheck.structs import cached_property, dataclass, field, replace


@dataclass(frozen=True)
class Point:
    x: int
    y: int = 2
    told: str = field(default="", compare=False)
    by: dict[str, int] = field(default_factory=dict, hash=False)

    @cached_property
    def total(self) -> list[int]:
        return [self.x + self.y]


@dataclass(frozen=True, kw_only=True)
class Named:
    name: str = ""


@dataclass(eq=False, slots=True)
class Node:
    span: int


@dataclass(eq=False, slots=True)
class Leaf(Node):
    value: object

    def __post_init__(self) -> None:
        self.value = str(self.value)


@dataclass
class Open:
    x: int


def test_fields_compare_and_hash() -> None:
    assert Point(1) == Point(1, 2, "else") != Point(1, 3)
    assert hash(Point(1)) == hash(Point(1, by={"a": 1}))
    assert Point(1) != Open(1)  # type: ignore[comparison-overlap]
    assert Open(1) == Open(1)
    assert Node(1) != Node(1)
    not_equal_to_itself = float("nan")
    assert Open(not_equal_to_itself) == Open(not_equal_to_itself)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        hash(Open(1))


def test_fields_have_defaults() -> None:
    assert (Point(1).y, Point(1).by, Named(name="a").name) == (2, {}, "a")
    assert Point(1).by is not Point(1).by
    with pytest.raises(TypeError):
        Named("a")  # type: ignore[call-arg]
    assert Leaf(1, 2).value == "2"
    assert not hasattr(Leaf(1, 2), "__dict__")


def test_what_is_made_of_fields() -> None:
    point = Point(1)
    assert point.total is point.total
    assert replace(point, x=5).total == [7]
    assert [each.name for each in fields(point)] == ["x", "y", "told", "by"]
    assert repr(point) == "Point(x=1, y=2, told='', by={})"
    match Leaf(1, 2):
        case Leaf(span, value):
            assert (span, value) == (1, "2")


def test_work_does_not_end_in_a_collection() -> None:
    collected: list[str] = []

    def note(phase: str, info: dict[str, int]) -> None:
        collected.append(phase)

    gc.callbacks.append(note)
    try:
        with garbage.later():
            assert not gc.isenabled()
            made: list[list[int]] = [[] for _ in range(10_000)]
        made += [[] for _ in range(10)]
        assert collected == []
        assert gc.isenabled()
    finally:
        gc.callbacks.remove(note)
