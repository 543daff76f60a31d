"""The fix verbs: what a rule says about its repair. Data only; `loopcheck.write` carries it out on the source.

A fix is addressed by the witness: `move(clip, before=step)` moves the statement of the witness's clip. An address is an
event, or what stands around it: `loop_of(forward)` is the pass that a forward belongs to. Texts are formatted with the names
that the objects have at that place, `insert("{scaler}.unscale_({optimizer})", before=clip)`.

    a & b       one repair that does both
    a | b       a where it can be planned, else b

Applicability: `safe` changes nothing but the bug; `unsafe` changes the result in a way that only the author can confirm;
`display` is shown and never written. What a rule declares is the best that may come of it: `loopcheck.write` lowers it where
the source around the place gives reason to.
"""

from __future__ import annotations

from dataclasses import dataclass
from dataclasses import replace as _with
from typing import TypeAlias

from loopcheck.bug import Match

SAFE, UNSAFE, DISPLAY = "safe", "unsafe", "display"


def weakest(*applicabilities: str) -> str:
    """The one that asks for the most care."""
    return max(applicabilities, key=(SAFE, UNSAFE, DISPLAY).index)


@dataclass(frozen=True)
class Around:
    """A part of the source next to an event. part: `loop`, `top`, `guard`, `callee`, `receiver` or `origin`."""

    part: str
    event: Match


@dataclass(frozen=True)
class Maker:
    """The call that makes the object of a kind that an event happens to."""

    kind: str
    event: Match


Address: TypeAlias = Match | Around | Maker


@dataclass(frozen=True)
class Place:
    """Before or after a statement."""

    of: Address
    side: str  # "before" | "after"


@dataclass(frozen=True, kw_only=True)
class Edit:
    """What all fix verbs have. What is done to a choice, `(one | other).unsafe`, `(one | other) & more`, is done to each in it.

    requires: the import that a new text needs, `import torch`. since: the release of torch that has what it puts there.
    known: what an event of the bug has to be, beyond doubt, for this to be the edit.
    also: further edits of the same repair. otherwise: what to plan where this cannot be.
    """

    applicability: str = SAFE
    requires: str = ""
    since: str = ""
    known: Match | None = None
    also: tuple[Edit, ...] = ()
    otherwise: tuple[Edit, ...] = ()

    @property
    def unsafe(self) -> Edit:
        return _with(self, applicability=UNSAFE, otherwise=tuple(each.unsafe for each in self.otherwise))

    @property
    def display(self) -> Edit:
        return _with(self, applicability=DISPLAY, otherwise=tuple(each.display for each in self.otherwise))

    def where(self, known: Match) -> Edit:
        """This, where an event of the bug is known to be so: `insert(…).where(evaluate(mixed=False)) | insert(…).unsafe`."""
        return _with(self, known=known, otherwise=tuple(each.where(known) for each in self.otherwise))

    def __and__(self, other: Edit) -> Edit:
        return _with(
            self,
            also=(*self.also, _with(other, also=()), *other.also),
            applicability=weakest(self.applicability, other.applicability),
            otherwise=tuple(each & other for each in self.otherwise),
        )

    def __or__(self, other: Edit) -> Edit:
        return _with(self, otherwise=(*self.otherwise, _with(other, otherwise=()), *other.otherwise))


@dataclass(frozen=True, kw_only=True)
class Move(Edit):
    """Move the statement of `what`, and the statement of `along` that stands right before it."""

    what: Match
    to: Place
    along: Match | None = None


@dataclass(frozen=True, kw_only=True)
class Insert(Edit):
    """Put a new statement."""

    text: str
    to: Place


@dataclass(frozen=True, kw_only=True)
class Ensure(Insert):
    """Put a new statement where the program comes round again and does not itself say this on the way."""


@dataclass(frozen=True, kw_only=True)
class Divide(Edit):
    """`loss.backward()` becomes `(loss / by).backward()`, so that what is logged stays as it was."""

    what: Match
    by: str


@dataclass(frozen=True, kw_only=True)
class Undivide(Edit):
    """Take the division by `by` out of what is backpropagated, or of the statement that made it."""

    what: Match
    by: str


@dataclass(frozen=True, kw_only=True)
class Deactivate(Edit):
    """Take the activation off what `what`, a loss, is given, or put another one, wherever in the file it stands."""

    what: Match
    instead: str


@dataclass(frozen=True, kw_only=True)
class Wrap(Edit):
    """Put the pass around `what` under a context manager, which decorates the function where that is the pass."""

    what: Match
    context: str


@dataclass(frozen=True, kw_only=True)
class Guard(Edit):
    """Put the statement of `what` under a test."""

    what: Match
    test: str


@dataclass(frozen=True, kw_only=True)
class Enter(Edit):
    """Put what follows `what`, the statement of a context manager that nobody enters, under it, to the end of the block."""

    what: Match


@dataclass(frozen=True, kw_only=True)
class Cover(Edit):
    """Put what leads to `what`, a backward, from the forward on, under a context manager for all but the last of its window.

    instead: the context for the last.
    """

    what: Match
    context: str
    instead: str


@dataclass(frozen=True, kw_only=True)
class Lift(Edit):
    """Take the call of `what`, made for each of several, out of its loop, and give it all of them at once."""

    what: Match


@dataclass(frozen=True, kw_only=True)
class Store(Edit):
    """Put the states of more objects beside an optimizer's in what `what` saves, and load them where that is loaded."""

    what: Match
    of: str


@dataclass(frozen=True, kw_only=True)
class Load(Edit):
    """Load the states of more objects, which the program saves, from the file that `what` loads one from."""

    what: Match
    of: str


@dataclass(frozen=True, kw_only=True)
class Replace(Edit):
    """Put other text for an expression, or for one argument of its call, which is added where it is not given."""

    what: Address
    text: str
    argument: str | int | None = None
    instead_of: str = ""


@dataclass(frozen=True, kw_only=True)
class Remove(Edit):
    """Take out the statement of `what`, or one argument of its call."""

    what: Match
    argument: str | int | None = None
    instead_of: str = ""


def loop_of(event: Match) -> Around:
    """The pass that the event belongs to: the innermost loop around it, with the `with` that holds nothing else."""
    return Around("loop", event)


def top_of(event: Match) -> Around:
    """The first statement of the pass that the event belongs to."""
    return Around("top", event)


def guard_of(event: Match) -> Around:
    """The `if` that the event is under; its condition, where an expression is asked for."""
    return Around("guard", event)


def callee_of(event: Match) -> Around:
    """What is called: `torch.optim.Adam` of `torch.optim.Adam(…)`."""
    return Around("callee", event)


def receiver_of(event: Match) -> Around:
    """What the method is called on: `loss` of `loss.backward()`."""
    return Around("receiver", event)


def origin_of(event: Match) -> Around:
    """What the name was made of that the call is given first: `model.parameters()`, where `params` is that."""
    return Around("origin", event)


def maker_of(kind: str, event: Match) -> Maker:
    """`insert("…", after=maker_of("optimizer", step))`."""
    return Maker(kind, event)


def move(what: Match, *, before: Address | None = None, after: Address | None = None, along: Match | None = None) -> Move:
    """Safe only where nothing in between depends on the statement or changes what it reads; else unsafe."""
    return Move(what=what, to=_place(before, after), along=along)


def insert(text: str, *, before: Address | None = None, after: Address | None = None, requires: str = "") -> Insert:
    """`text` may have several lines."""
    return Insert(text=text, to=_place(before, after), requires=requires)


def ensure(text: str, *, after: Address) -> Ensure:
    """`insert("{model}.eval()", before=loop_of(forward)) & ensure("{model}.train()", after=loop_of(forward))`."""
    return Ensure(text=text, to=_place(None, after))


def divide(what: Match, *, by: str) -> Divide:
    return Divide(what=what, by=by)


def undivide(what: Match, *, by: str) -> Undivide:
    return Undivide(what=what, by=by)


def deactivate(what: Match, *, instead: str = "") -> Deactivate:
    """instead: the activation that the loss takes, `log_softmax`."""
    return Deactivate(what=what, instead=instead)


def wrap(what: Match, context: str, *, requires: str = "", since: str = "") -> Wrap:
    return Wrap(what=what, context=context, requires=requires, since=since)


def guard(what: Match, test: str, *, requires: str = "") -> Guard:
    """`guard(save, "dist.get_rank() == 0", requires="import torch.distributed as dist")`."""
    return Guard(what=what, test=test, requires=requires)


def enter(what: Match) -> Enter:
    """Safe only where nothing that follows needs what the context switches off."""
    return Enter(what=what)


def cover(what: Match, context: str, *, instead: str, requires: str = "") -> Cover:
    """`cover(backward, "{model}.no_sync()", instead="nullcontext()")`."""
    return Cover(what=what, context=context, instead=instead, requires=requires)


def lift(what: Match) -> Lift:
    """`for p in model.parameters(): clip_grad_norm_(p, 1.0)` becomes `clip_grad_norm_(model.parameters(), 1.0)`."""
    return Lift(what=what)


def store(what: Match, of: str) -> Store:
    """of: their names, with commas."""
    return Store(what=what, of=of)


def load(what: Match, of: str) -> Load:
    """of: their names, with commas."""
    return Load(what=what, of=of)


def replace(what: Address, text: str, *, argument: str | int | None = None, instead_of: str = "", requires: str = "") -> Replace:
    """In `text`, `{was}` is the old text. argument: a keyword, a position from 0, or what an event says of either, `"{share}"`.
    instead_of: only where it is this.
    """
    return Replace(what=what, text=text, argument=argument, instead_of=instead_of, requires=requires)


def remove(what: Match, *, argument: str | int | None = None, instead_of: str = "") -> Remove:
    """instead_of: only where the argument is this."""
    return Remove(what=what, argument=argument, instead_of=instead_of)


def _place(before: Address | None, after: Address | None) -> Place:
    if before is not None and after is None:
        return Place(before, "before")
    if after is not None and before is None:
        return Place(after, "after")
    raise TypeError("a place is before= or after= one event")
