"""Regions and the tests in them, as they are compared."""

from __future__ import annotations

from dataclasses import dataclass

from loopcheck import loop

MODE = [loop.Test(("mode is", value), subject="mode", equals=value) for value in ("train", "test")]


def test_one_value_is_not_two_constants() -> None:
    train, held_out = MODE
    assert train.excludes(held_out)
    assert not train.excludes(train)
    assert not train.excludes(loop.Test("phase is test", subject="phase", equals="test")), "another value"
    assert not loop.Test("x").excludes(loop.Test("y")), "not about a value and a constant"


def test_a_test_is_told_by_its_key_alone_whatever_that_is() -> None:
    key = ("equal", ("modulo", "i", 4), 0)
    assert loop.Test(key, text="i % 4 == 0") == loop.Test(key, subject="i", window="4", last=True)
    assert loop.Test(key) != loop.Test(str(key))


def test_what_an_object_is_made_of_comes_in_the_order_in_which_it_was_given() -> None:
    """Of several that tie, the first is told of: sets would leave that to where the objects lie in memory."""
    optimizers = [loop.Role("optimizer", "optimizer") for _ in range(20)]
    scheduler = loop.Role("scheduler", "scheduler", of=tuple(optimizers))
    assert [*scheduler.made_from] == [*scheduler.sources] == [scheduler, *optimizers]
    part = loop.Role("model", "part", part_of=optimizers[0], others=tuple(optimizers[1:]))
    assert [*part.wholes] == [part, *optimizers]


@dataclass(frozen=True)
class Place:
    row: int
    caller: Place | None = None
    text: str = ""
    place: object = None


def test_one_place_is_above_another_in_the_innermost_code_that_holds_both() -> None:
    """Where a function is defined says nothing of when it runs: its call does."""
    main = Place(90)
    before, schedule, after = (Place(10, Place(41, main)), Place(42, main), Place(10, Place(43, main)))
    assert [loop.above(one, other) for one, other in [(before, schedule), (schedule, after)]] == [True, True]
    apart = [(schedule, before), (after, schedule), (schedule, schedule), (main, schedule), (schedule, main)]
    assert not any(loop.above(one, other) for one, other in apart), "below, the same, or one that holds the other"
