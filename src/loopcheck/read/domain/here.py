"""Where the interpreter is: what a call, a loop, a `with` or a `try` around changes for all that is inside."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from loopcheck.loop import Event, Role, Test
from loopcheck.read.domain.conditions import And
from loopcheck.read.domain.counts import number
from loopcheck.read.domain.heap import Key
from loopcheck.read.domain.terms import Term
from loopcheck.read.domain.values import Frame, Value
from loopcheck.read.front import ir

Bindings: TypeAlias = Mapping[Key, Value | None]
"""What names are worth that a pass has bound; None of one that it has made forgotten."""


Fate: TypeAlias = Literal["read", "shown", "cut", "listed", "inside", "held", "walked", "shared"]
"""What may become of what a forward puts out: its numbers are taken; for people to look at; into another tensor; a list or a
dict of a variable has it, and where that goes is in sight; one of the method that is the forward has it; something has it, with
its graph, that may outlive the pass; a backward goes back through it; it is put out by a method that training may call as
well."""


@dataclass(frozen=True)
class Way:
    """A way that a pass is left: the conditions that lead there, each with its outcome, and what it has bound until then."""

    conditions: tuple[tuple[Test | And, bool], ...]
    bound: Bindings


@dataclass(frozen=True)
class Landing:
    """A loop, or a call of a function, that jumps may leave.

    once: the loop is read for one pass that stands for all, over objects that are not told apart.
    arms, assumed, finals: what is around it. broken, ended: the ways so far on which it is left by `break` or `return`, and on
    which a pass, or the function, comes to its end.
    """

    once: bool
    arms: int
    assumed: Mapping[Term, bool]
    finals: int
    broken: list[Way] = field(default_factory=list)
    ended: list[Way] = field(default_factory=list)


@dataclass(eq=False)
class Pass:
    """A loop while it is read. over: what it runs over, as written; inside: the function that it stands in; function: its code;
    arm: of the innermost `if` around.

    counter, bound, end: of a loop that counts, its variable, its end as written, and what that is. times: how many passes it has,
    whether it counts from 0 or from 1.
    iterates: the events with which it begins. forwards: those of its body; fates: what becomes of what they put out; drawn: those
    that each pass has of the same.
    adapted: models that are differentiated in it by other means than a backward. edited: gradients are changed by hand in it;
    copied: or their numbers are taken, whatever becomes of them. begun: models of which it begins a run, for it writes over their
    weights, or lets others of them learn. apart: a model is applied past the framework that has it.
    given: what each pass is given anew. count: the number of the pass, where the loop counts, from `start` on; number: how that
    is written. running: counts that go on with each pass, and through the loops around.
    first: how many values were made before it. retained: the losses that are added to what is older; doubted: those that may have
    no graph, each with what has to be known of it; listed: the outputs that are put into older lists, each with the
    forwards that it was computed by.
    tallied: what its batches came to, added up.
    exhausts: the passes over loaders that end with the loop; batches: how many batches there are, where that is known. binds:
    what each pass makes anew. spent: it runs over a generator that has handed out all that it had; empty: to
    somebody else, and none of it to a pass before.
    variables: what those that it binds are where a pass begins; entries: what stands there under a key of a dict; leaves: what
    they are behind it; asked: events of states that a pass before has left in one of them, with what that is where a pass
    begins, and whose they have to be, if that is known.
    inner: the loops in its body.
    through: of a variable that these alone bind, all that it is there: it goes on from the last pass of one to the first of the
    next. refilled: the outcomes of tests with which a count of passes begins again at 0, each with what it has come to, as
    written.
    """

    node: ir.Place
    over: str
    inside: str
    function: Hashable
    counter: str = ""
    bound: str = ""
    iterates: list[Event] = field(default_factory=list)
    forwards: list[Event] = field(default_factory=list)
    fates: defaultdict[Event, set[Fate]] = field(default_factory=lambda: defaultdict(set))
    drawn: set[Event] = field(default_factory=set)
    adapted: set[Role] = field(default_factory=set)
    edited: bool = False
    apart: bool = False
    copied: bool = False
    begun: set[Role] = field(default_factory=set)
    given: set[Term] = field(default_factory=set)
    count: Term | None = None
    start: int | None = None
    number: str = ""
    exhausts: list[Event] = field(default_factory=list)
    batches: int | None = None
    running: set[Term] = field(default_factory=set)
    binds: frozenset[Term] = frozenset()
    first: int = 0
    end: Term | None = None
    times: Term | None = None
    retained: list[Event] = field(default_factory=list)
    doubted: list[tuple[frozenset[tuple[Term, str]], Event]] = field(default_factory=list)
    listed: list[tuple[list[Event], Event]] = field(default_factory=list)
    tallied: list[Event] = field(default_factory=list)
    spent: bool = False
    empty: bool = False
    variables: dict[Key, Term] = field(default_factory=dict)
    entries: Mapping[Term, tuple[Key, object]] = field(default_factory=dict)
    leaves: dict[Key, Value | None] = field(default_factory=dict)
    asked: list[tuple[Event, Term, frozenset[Role]]] = field(default_factory=list)
    inner: list[Pass] = field(default_factory=list)
    through: dict[Key, frozenset[Term]] = field(default_factory=dict)
    refilled: dict[tuple[Hashable, bool], str] = field(default_factory=dict)
    arm: Hashable = None

    @property
    def alone(self) -> bool:
        """Whether the loop counts to one, `for epoch in range(1)`: nothing in it comes round again."""
        end = None if self.end is None else number(self.end)
        return end is not None and self.start is not None and end - self.start == 1


@dataclass(frozen=True)
class Here:
    """Where the interpreter is: what a call, a loop, a `with` or a `try` around changes for all that is inside.

    frame: the variables. calls: the call string, with the number of an unrolled pass. loops: the loops around, on whose passes
    all depends that is not known. guards: the tests of the `if`s around, in this function and loop. arm: the arm of the innermost
    `if` around, in this function; decided: the path condition with which that begins. returns: what the function has returned,
    each with its path condition. finals: what runs last of the `try`s and `with`s around. passes: the passes around, of all
    functions.
    resumes: the `with` bodies that wait for a generator to yield. exits: what the exit stack around calls at its end.
    landing: where the loop around goes on that a jump leaves. caller: where the call goes on that an early `return` leaves; None
    of a function that returns at its end alone. precision: that of the autocast around. direct: the forwards that are in no loop
    of this call. supposed: these calls are a user's whom nobody has seen. unrecorded: the path condition under which the
    outermost function around was called that autograd is off for; None where it is on.
    """

    frame: Frame
    calls: tuple[object, ...] = ()
    loops: frozenset[Term] = frozenset()
    guards: tuple[ir.Expression, ...] = ()
    arm: Hashable = None
    decided: Mapping[Term, bool] = field(default_factory=dict)
    returns: list[tuple[dict[Term, bool], Value]] = field(default_factory=list)
    finals: tuple[Callable[[], None], ...] = ()
    passes: tuple[Pass, ...] = ()
    resumes: tuple[Callable[[Value], None], ...] = ()
    exits: list[tuple[Mapping[Term, bool], Callable[[], Value]]] = field(default_factory=list)
    landing: Landing | None = None
    caller: Landing | None = None
    precision: str = ""
    direct: list[Event] = field(default_factory=list)
    supposed: bool = False
    unrecorded: Mapping[Term, bool] | None = None
