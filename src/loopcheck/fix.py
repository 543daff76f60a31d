"""The fix verbs: what a rule says about its repair. Data only; `loopcheck.write` carries it out on the source.

A fix is addressed by the witness: `move(clip, before=step)` moves the statement of the witness's clip. Texts are formatted
with the names that the objects have at that place, `insert("{scaler}.unscale_({optimizer})", before=clip)`.

Applicability: `safe` changes nothing but the bug; `unsafe` changes the result in a way that only the author can confirm;
`display` is shown and never written.
"""

from __future__ import annotations

from dataclasses import dataclass
from dataclasses import replace as _with
from typing import TypeAlias

from loopcheck.bug import Match

SAFE, UNSAFE, DISPLAY = "safe", "unsafe", "display"


@dataclass(frozen=True)
class Edit:
    """What all fix verbs have: applicability, and further edits that belong to the same repair (`a & b`)."""

    applicability: str = SAFE
    also: tuple[Edit, ...] = ()

    @property
    def unsafe(self) -> Edit:
        return _with(self, applicability=UNSAFE)

    @property
    def display(self) -> Edit:
        return _with(self, applicability=DISPLAY)

    def __and__(self, other: Edit) -> Edit:
        return _with(self, also=(*self.also, other))


@dataclass(frozen=True)
class Place:
    """Before or after the statement of one of the witness's events."""

    event: Match
    side: str  # "before" | "after"


@dataclass(frozen=True)
class Move(Edit):
    """Move the statement of `what`. Safe only where nothing in between depends on it or changes it; else unsafe."""

    what: Match | None = None
    to: Place | None = None


@dataclass(frozen=True)
class Insert(Edit):
    """Put a new statement, `text` formatted with the names at the place."""

    text: str = ""
    to: Place | None = None


@dataclass(frozen=True)
class Divide(Edit):
    """`loss.backward()` becomes `(loss / by).backward()`, so that what is logged stays as it was."""

    what: Match | None = None
    by: str = ""


@dataclass(frozen=True)
class Wrap(Edit):
    """Put the pass around `what` under a context manager: as decorator of the function when the whole body is the pass."""

    what: Match | None = None
    context: str = ""
    requires: str = ""  # the import it needs: "import torch"


@dataclass(frozen=True)
class Replace(Edit):
    """Put other text for the expression of `what`, or for its argument `argument`; `{…}` names, `{was}` the old text."""

    what: Match | None = None
    text: str = ""
    argument: str | None = None


@dataclass(frozen=True)
class Remove(Edit):
    """Take out the statement of `what`, or one argument of its call."""

    what: Match | None = None
    argument: str | None = None


AnyEdit: TypeAlias = Edit


def _place(before: Match | None, after: Match | None) -> Place:
    if (before is None) == (after is None):
        raise TypeError("a place is before= or after= one event")
    return Place(before, "before") if before is not None else Place(after, "after")  # type: ignore[arg-type]


def move(what: Match, *, before: Match | None = None, after: Match | None = None) -> Move:
    return Move(what=what, to=_place(before, after))


def insert(text: str, *, before: Match | None = None, after: Match | None = None) -> Insert:
    return Insert(text=text, to=_place(before, after))


def divide(what: Match, *, by: str) -> Divide:
    return Divide(what=what, by=by)


def wrap(what: Match, context: str, *, requires: str = "") -> Wrap:
    return Wrap(what=what, context=context, requires=requires)


def replace(what: Match, text: str, *, argument: str | None = None) -> Replace:
    return Replace(what=what, text=text, argument=argument)


def remove(what: Match, *, argument: str | None = None) -> Remove:
    return Remove(what=what, argument=argument)
