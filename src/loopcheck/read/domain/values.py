"""Abstract values: what an expression can be worth to a reader of training code."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import count
from typing import TYPE_CHECKING, TypeAlias

from loopcheck.api import ACTIVATIONS
from loopcheck.loop import Event, Role, Test
from loopcheck.read.domain.choices import Activation, Chosen, Each, Entries, Limited, together
from loopcheck.read.domain.terms import Term
from loopcheck.read.front import ir
from loopcheck.read.front.source import Site
from loopcheck.read.project import Module

if TYPE_CHECKING:
    from loopcheck.read.front.source import Site, Source

MOST_PARTS = 2000
"""Values in one value; what is inside of one that would hold more is not known. `x = [x, x]` doubles."""


@dataclass(frozen=True)
class Const:
    """A literal, or what follows from literals."""

    value: object


@dataclass(frozen=True)
class Api:
    """Something imported from outside the project, by its qualified name: `torch.optim.SGD`."""

    name: str


@dataclass(frozen=True)
class Later:
    """A name imported from a module of the project that was not looked at yet."""

    module: Module
    name: str


@dataclass(eq=False)
class Symbol:
    """A value that is not known. Equal terms are equal values, and one symbol.

    names: what it depends on; a new value of one of them is a new value of this.
    label: the variable that it was first bound to.
    default: what it is worth where the user of the program says nothing (an argument parser's default).
    role: the object it must be, judged by what is done with it.
    typed: the class that it is said to be of, which nobody has looked at yet.
    among: the functions and classes of which it is one, of a table that has it under an unknown key.
    """

    term: Term
    names: frozenset[Term] = frozenset()
    default: Const | None = None
    role: Role | None = None
    label: str = ""
    typed: Value | None = None
    among: tuple[Value, ...] = ()

    @property
    def name(self) -> str:
        """How the program calls it, `self.model`."""
        return self.label or self.term.name


@dataclass(eq=False)
class Object:
    """An object that events happen to. facts: what its constructor said, for the vocabulary's methods."""

    role: Role
    facts: Mapping[str, object] = field(default_factory=dict)

    @property
    def activation(self) -> str:
        """What a layer puts its values through last, as it was made."""
        known = self.facts.get("activation")
        return known if isinstance(known, str) else ""


@dataclass(frozen=True)
class Made:
    """An operation in the history of a tensor. by: what it was divided by, and how that is written."""

    how: str
    by: Value | None = None
    written: str = ""


@dataclass(frozen=True)
class Tensor:
    """Something computed from models, that may be differentiated.

    models: whose parameters its gradient reaches. scaler: the GradScaler whose factor it carries.
    history: the operations that made it, as far as a rule may ask for them: `divided`, `shared` (multiplied by what may be a
    share), `total` (a sum over samples, so over a window as well), `hidden` (code out of sight had it), `mixed` (of parts of
    which only one was hidden), `foreign` (code out of sight computed it, a loss by its name), `doubtful` (nobody has seen
    whether it has a graph, before a backward walks that), `detached`, `summed`, `packed` (a named tuple of it), `holder` (what
    code out of sight was given the models for, a network of them maybe), `leaf` (of a
    tensor that was told to have a gradient: what goes backward ends there), `volatile` (data that keeps a graph from being
    recorded, before torch 0.4), `apart` (by a model that a framework was asked for without its wrapper), `entry` (taken out
    of the dictionary that a model put out), `given` (for a parameter of a function that is summarised).
    lost: the models from whose graph it was cut, where it is sure that nothing else is behind it.
    activation: what its values were put through last, `softmax`; empty where something else was done to them since. Of several
    outputs in one, of each.
    forwards: what models put out that it was computed of, as long as a gradient could go back there.
    past: how many operations of its history say nothing of whether it was divided, for the loss that they went into was not.
    chosen: of models that tests have chosen, which of them on which outcome.
    """

    term: Term
    models: frozenset[Role] = frozenset()
    scaler: Instance | Object | Symbol | None = None
    history: tuple[Made, ...] = ()
    open: bool = False
    lost: frozenset[Role] = frozenset()
    activation: str | tuple[str, ...] = ""
    forwards: frozenset[Term] = frozenset()
    past: int = 0
    chosen: Chosen | None = None

    @property
    def divided(self) -> bool | None:
        """Whether it was divided by something that is no literal; None where that cannot be told."""
        made = {each.how for each in self.history[self.past :]}
        if "mixed" in made:
            return None
        return True if "divided" in made else None if made & {"shared", "hidden", "total"} else False

    @property
    def apart(self) -> bool:
        """Whether a model has computed it that a framework was asked for without its wrapper."""
        return any(each.how == "apart" for each in self.history)

    @property
    def cut(self) -> bool | None:
        """Whether nothing is behind it that a gradient could reach; None where that cannot be told."""
        return True if self.lost else False if self.models and not self.open else None

    @property
    def holds(self) -> bool:
        """Whether it may have the models themselves, and not what they put out."""
        return any(each.how == "holder" for each in self.history[-1:])

    @property
    def divisors(self) -> list[Made]:
        return [each for each in self.history if each.by is not None]

    def made(self, how: str, by: Value | None = None, written: str = "") -> Tensor:
        """This tensor after an operation."""
        step = Made(how, by, written)
        me = replace(self, lost=frozenset()) if how == "hidden" else self.used
        known = step in me.history[self.past :] or len(me.history) >= MOST_STEPS
        return me if known else replace(me, history=(*me.history, step))

    @property
    def undivided(self) -> Tensor:
        """A loss that is computed of it: whatever its parts were multiplied by is no share of this."""
        return replace(self, past=len(self.history))

    @property
    def by_choice(self) -> Chosen | frozenset[Role]:
        """The models that it was computed of, by the tests that have chosen them."""
        return self.chosen or self.models

    @property
    def used(self) -> Tensor:
        """Something that is computed of its values: what holds them is none."""
        history = tuple(each for each in self.history if each.how not in _HOLDERS)
        return replace(self, activation="", history=history) if self.activation or history != self.history else self

    @property
    def some(self) -> Tensor:
        """Some of its values, `scores[:, 0]`: those of a sigmoid are each by itself, and are so still."""
        return replace(self.used, activation=self.activation if self.activation == "sigmoid" else "")

    @property
    def masked(self) -> Tensor:
        """Those of some samples, `scores[mask]`: they have been put through the same."""
        known = "" if isinstance(self.activation, (tuple, Entries)) else self.activation
        return self.each if isinstance(known, Each) else replace(self.used, activation=known)

    @property
    def limited(self) -> Tensor:
        """Its values within limits: probabilities are such still, away from 0 and 1."""
        how = self.activation
        if not isinstance(how, str) or how not in ACTIVATIONS:
            return self.used
        return replace(self.used, activation=Limited(how, twice=how.twice if isinstance(how, Activation) else None))

    @property
    def each(self) -> Tensor:
        """One of several outputs that are alike, as a loop hands them out; of one alone some of its rows."""
        return replace(self.used, activation=self.activation.how) if isinstance(self.activation, Each) else self

    @property
    def several(self) -> bool:
        """Whether it stands for a tuple or a dictionary of what a network puts out."""
        return isinstance(self.activation, (tuple, Entries))

    def entry(self, key: str) -> Tensor:
        """What a dictionary that a model put out has under a key."""
        how = self.activation.by_key.get(key, "") if isinstance(self.activation, Entries) else ""
        return replace(self.made("entry", written=key), activation=how)

    def output(self, index: int) -> Tensor:
        """One of its values, or of several outputs one."""
        several = self.activation if isinstance(self.activation, tuple) else ()
        if isinstance(self.activation, Each):
            return self.each
        made = replace(self, activation=several[index]) if -len(several) <= index < len(several) else self.used
        return made.doubted(str(index)) if index and any(each.how in ("foreign", "doubtful") for each in self.history) else made

    def doubted(self, of: str) -> Tensor:
        """This tensor, of which it is not known whether it has a graph: one of several outputs may be a number."""
        step = Made("doubtful", None, of)
        return self if step in self.history or len(self.history) >= MOST_STEPS else replace(self, history=(*self.history, step))

    @property
    def doubts(self) -> frozenset[tuple[Term, str]]:
        """What has to be known of it for it to have a graph."""
        return frozenset((self.term, each.written) for each in self.history if each.how == "doubtful")

    def detached(self) -> Tensor:
        """Its numbers, cut from its graph."""
        lost = frozenset[Role]() if self.open else self.models | self.lost
        return Tensor(Term(DETACHED, self.term), history=self.made("detached").history, lost=lost, activation=self.activation)

    def averaged(self) -> Tensor:
        """This tensor divided by a count of its own samples: of a sum, the mean, which is one over this batch alone."""
        return replace(self, history=tuple(each for each in self.history if each.how != "total"), past=0)

    def added(self, other: Tensor) -> Tensor:
        """The sum of both: where one was not divided, and of the other that cannot be told, the sum was not."""
        both = self.merged(other)
        return both.undivided if {self.divided, other.divided} == {False, None} else both

    def merged(self, other: Tensor) -> Tensor:
        """What is computed of both."""
        one, another = self.used.history, other.used.history
        history = (*one, *(each for each in another if each not in one))
        if (self.divided is None) != (other.divided is None):
            history = (*history, Made("mixed"))
        scaler, unseen = self.scaler or other.scaler, self.open or other.open
        lost = self.lost | other.lost if self.lost and other.lost else frozenset[Role]()
        forwards = self.forwards | other.forwards
        chosen = together(self.by_choice, other.by_choice)
        term = self.term if self.models or not other.models else other.term
        made = Tensor(term, self.models | other.models, scaler, history[:MOST_STEPS], unseen, lost, "", forwards, 0, chosen)
        return made.undivided if self.divided is other.divided is False else made


_HOLDERS = frozenset({"packed", "holder"})
"""Steps of a history after which it may be no tensor, and what is done with it makes one."""
MOST_STEPS = 24
"""Operations that are kept of a tensor's history."""


@dataclass(frozen=True)
class Once:
    """A generator. term: which one. loops: those around where it was made, each of whose passes makes another."""

    term: Term
    loops: frozenset[Term]


@dataclass(frozen=True)
class Params:
    """Parameters of models, or of an optimizer of who knows which. whole: all that the models have; grouped: split by something,
    so options differ.

    once: of a generator, which hands them out one time. each: they are one of them, as a loop hands them out. trainable: those
    alone that needed a gradient when they were taken.
    """

    models: frozenset[Role]
    whole: bool = True
    grouped: bool = False
    open: bool = False
    once: Once | None = field(default=None, compare=False)
    each: bool = field(default=False, compare=False)
    trainable: bool = field(default=False, compare=False)

    def merged(self, other: Params) -> Params:
        """Both, as one."""
        whole, grouped = self.whole and other.whole, self.grouped or other.grouped
        each, trainable = self.each and other.each, self.trainable and other.trainable
        return Params(self.models | other.models, whole, grouped, self.open or other.open, each=each, trainable=trainable)


UNKNOWN_PARAMS = Params(frozenset(), whole=False, open=True)
"""Parameters of who knows which models."""


def taken_up(optimizers: Iterable[Role]) -> Params:
    """The parameters that a group of optimizers has: of the models that these train, or, where those are out of sight, theirs."""
    models = frozenset[Role]().union(*([each] if each.open or not each.of else each.of for each in optimizers))
    return Params(models, whole=False)


@dataclass(frozen=True)
class Grad:
    """The `.grad` of some parameters."""

    of: Params


@dataclass(frozen=True)
class Items:
    """A tuple, list or dict whose elements are known. keys: of a dict, each what it is worth, or the object that it is."""

    values: tuple[Value, ...]
    keys: tuple[object, ...] | None = None

    def __post_init__(self) -> None:
        _weigh(self, "values")


@dataclass(frozen=True)
class Stream:
    """What hands out the elements of other values one by one: `enumerate(loader)`, `iter(loader)`, `range(k)`.

    of: those values; none of a range. start: what an enumeration or a range counts from, None where that cannot be told; first:
    that value, where it is no number. rises: it counts up.
    numbered: each element comes with its number. bound, end: of a range, its end as written, and what that is; of one with a
    stride, how many it hands out.
    begun: of an iterator, the passes over loaders that it began; around: the loop in which that was. whole: it hands out all
    that there is, once. by: the function that each element is put through when it is drawn, of `map`.
    """

    of: tuple[Value, ...] = ()
    start: int | None = 0
    numbered: bool = False
    bound: str = ""
    end: Term | None = None
    begun: tuple[Event, ...] = field(default=(), compare=False)
    around: object = field(default=None, compare=False)
    whole: bool = True
    first: Value | None = field(default=None, compare=False)
    rises: bool = field(default=True, compare=False)
    by: Value | None = None

    def __post_init__(self) -> None:
        _weigh(self, "of")

    @property
    def counts(self) -> bool:
        """It hands out nothing but numbers."""
        return not self.of


@dataclass(frozen=True)
class Choice:
    """One value where a test holds, another where it does not."""

    test: Test
    then: Value
    other: Value

    def __post_init__(self) -> None:
        object.__setattr__(self, "weight", weight(self.then) + weight(self.other))
        object.__setattr__(self, "depth", 1 + max(depth(self.then), depth(self.other)))
        object.__setattr__(self, "later", is_later(self.then) or is_later(self.other))


@dataclass(frozen=True)
class Scope:
    """A context manager or decorator.

    grad: whether autograd records inside; None where it does not say. wanted: it is turned on by hand, a choice left it on, where
    it could be turned off, or makes of it what nobody here knows.
    leave: what becomes of the reader's knowledge at its end.
    precision: of autocast, the type that it computes in, `float16`, and `?` where that is not known; empty of others.
    """

    grad: bool | None = None
    wanted: bool = False
    precision: str = ""
    leave: Callable[[], None] | None = field(default=None, compare=False)


@dataclass(eq=False)
class Frame:
    """The variables of a module or of one call of a function. me, owner: of a method, its object and its class.

    written: what the caller wrote for a parameter, and the calls that names are bound to; parted: names that are bound to a part
    of what such a call gives. call: of a framework's code, where the program calls it.
    module: of another module than the one that is run, which of them: its names are its own.
    elsewhere: the variables that are not its own, each with the frame that has it. kept: functions or classes were made in it,
    which see its names after the call.
    """

    source: Source
    name: str
    parent: Frame | None = None
    me: Value | None = None
    owner: Class | None = None
    written: dict[str, str] = field(default_factory=dict)
    parted: set[str] = field(default_factory=set)
    call: Site | None = None
    module: int = 0
    elsewhere: dict[str, Frame] = field(default_factory=dict)
    kept: bool = False

    def home(self, name: str) -> Frame:
        """The frame that has a variable of this name, where it is bound here."""
        return self.elsewhere.get(name, self)

    @property
    def label(self) -> str:
        """What the terms of unknown names here begin with."""
        return f"{self.name}@{self.module}" if self.module else self.name

    def around(self) -> Iterator[Frame]:
        """This frame and those whose names it sees, the innermost first."""
        yield self
        if self.parent is not None:
            yield from self.parent.around()


@dataclass(eq=False)
class Function:
    """A function of the project. me: the object it is a method of. bare: as it is without its decorators.

    defaults: what parameters are by themselves, where that is another value each time it is evaluated. under: the scope that it
    was put in by being handed to one, `torch.no_grad()(function)`.
    """

    code: ir.Code
    frame: Frame
    me: Value | None = None
    owner: Class | None = None
    bare: bool = False
    defaults: Mapping[str, Value] = field(default_factory=dict)
    under: Scope | None = None

    @property
    def method(self) -> bool:
        """It is called with the object that it belongs to."""
        return self.me is not None and self.owner is not None

    def takes(self, given: Arguments) -> bool:
        """Whether it can be called so, as far as is known: what a decorator makes of it takes whatever that does."""
        parameters = self.code.parameters
        if not given.complete or self.code.decorators:
            return True
        asked = parameters.positional[self.method :]
        by_place = {each.name for each in asked[: len(given.values)]}
        known = {each.name for each in (*asked, *parameters.keyword)}
        lacking = [each for each in (*asked, *parameters.keyword) if each.default is None and each.name not in self.defaults]
        return (
            (len(given.values) <= len(asked) or bool(parameters.rest))
            and (given.keywords.keys() <= known or bool(parameters.options))
            and {each.name for each in lacking} <= by_place | given.keywords.keys()
        )


@dataclass(eq=False)
class Class:
    """A class of the project. setters: what runs where something is assigned to a property."""

    node: ir.Class
    frame: Frame
    bases: tuple[Value, ...] = ()
    methods: dict[str, Function] = field(default_factory=dict)
    setters: dict[str, Function] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.node.name


@dataclass(eq=False)
class Instance:
    """An object of a class of the project. role: what it is to a training loop, if anything."""

    cls: Class
    term: Term
    role: Role | None = None


@dataclass(frozen=True)
class Super:
    """`super()` in a method of `me`; after: the classes of the project that are asked; base: one out of sight."""

    me: Instance
    after: tuple[Class, ...]
    base: Value | None = None


@dataclass(frozen=True)
class Bound:
    """A method of an object, not yet called."""

    base: Value
    name: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "weight", 1 + weight(self.base))


@dataclass(frozen=True)
class Partial:
    """A call that is put together and made later: `functools.partial(function, …)`, or of what makes a context manager, which
    runs when that is entered."""

    function: Value
    args: tuple[Value, ...] = ()
    keywords: tuple[tuple[str, Value], ...] = ()

    def __post_init__(self) -> None:
        most = MOST_PARTS // (2 + len(self.keywords))
        object.__setattr__(self, "function", light(self.function, most))
        object.__setattr__(self, "keywords", tuple((name, light(value, most)) for name, value in self.keywords))
        _weigh(self, "args", weight(self.function) + sum(weight(value) for _, value in self.keywords))

    @property
    def inside(self) -> tuple[Value, ...]:
        """What is called, and all that it is given."""
        return (self.function, *self.args, *(value for _, value in self.keywords))

    def of(self, inside: Sequence[Value]) -> Partial:
        """The same of other values, one for each `inside`."""
        names, last = [name for name, _ in self.keywords], 1 + len(self.args)
        return Partial(inside[0], tuple(inside[1:last]), tuple(zip(names, inside[last:], strict=True)))


Value: TypeAlias = (
    Const
    | Api
    | Module
    | Later
    | Symbol
    | Object
    | Tensor
    | Params
    | Grad
    | Items
    | Choice
    | Scope
    | Function
    | Class
    | Instance
    | Super
    | Bound
    | Partial
    | Stream
)


@dataclass(frozen=True)
class Arguments:
    """What a call is given. complete: no `*` or `**` hides anything; what they hide has a starred keyword."""

    values: tuple[Value, ...] = ()
    keywords: Mapping[str, Value] = field(default_factory=dict)
    complete: bool = True

    @property
    def in_order(self) -> bool:
        """Whether all that is given by its place is known: nothing is hidden, or no more than what a `**` gives by name."""
        hidden = [name for name in self.keywords if name.startswith("*")]
        return self.complete or (bool(hidden) and all(name.startswith("**") for name in hidden))

    @cached_property
    def all(self) -> Items:
        """Every argument, as one value."""
        return Items((*self.values, *self.keywords.values()))

    def after(self, *values: Value) -> Arguments:
        """The same after others."""
        return Arguments((*values, *self.values), self.keywords, self.complete)


NONE = Const(None)
NO_ARGUMENTS = Arguments()
DETACHED = "detached"
"""The head of the term of what was cut from its graph."""
UNSEEN = Arguments(complete=False)
"""Of a call that nobody in sight makes."""


def weight(value: Value) -> int:
    """How many values it holds, itself among them."""
    return value.weight if isinstance(value, (Items, Choice, Stream, Partial, Bound)) else 1  # type: ignore[union-attr]


def is_later(value: Value) -> bool:
    """Whether it is a name of a module that was not looked at yet, or may be one."""
    return value.later if isinstance(value, Choice) else isinstance(value, Later)  # type: ignore[attr-defined]


def depth(value: Value) -> int:
    """How many tests it depends on, one inside the other."""
    return value.depth if isinstance(value, Choice) else 0  # type: ignore[attr-defined]


def _weigh(whole: Items | Stream | Partial, field: str, besides: int = 0) -> None:
    """Tell a value what it weighs. Of one that would be too heavy, the parts that have parts are unknown values."""
    parts: tuple[Value, ...] = getattr(whole, field)
    total = 1 + besides + sum(map(weight, parts))
    if total > MOST_PARTS:
        parts = tuple(light(each, 1) for each in parts)
        object.__setattr__(whole, field, parts)
        total = 1 + besides + len(parts)
    object.__setattr__(whole, "weight", total)


def light(value: Value, most: int = MOST_PARTS) -> Value:
    """The value; instead of one that has more parts than that, an unknown one."""
    return value if weight(value) <= most else Symbol(Term("new", "value", f"heavy {next(_heavy)}"))


_heavy = count()
