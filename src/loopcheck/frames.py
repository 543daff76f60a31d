"""Room for the frames of deep calls, in one piece of memory."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

SLOTS = 140_000
"""Values that the outermost frame claims to hold. With a little more than a mebibyte it is given two, and uses none of them."""


def in_one_piece(function: Callable[P, T]) -> Callable[P, T]:
    """The same function; all that it calls finds its frames in one piece of memory.

    CPython since 3.11 keeps frames in pieces of 16 KiB. It asks the system for one when a call does not fit into the last,
    and gives it back when that call returns: code that goes up and down at the end of a piece, as an interpreter of syntax
    trees does, spends a large part of its time in the system. A frame that claims to be large is given a larger piece, and
    what it leaves is for the calls below it. Memory that nobody writes to is not taken.
    """

    def outermost(*args: Any, **named: Any) -> T:
        return function(*args, **named)

    outermost.__code__ = outermost.__code__.replace(co_stacksize=SLOTS)
    return wraps(function)(outermost)
