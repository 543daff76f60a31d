"""Abstract values: what an expression can be worth to a reader of training code."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import count, zip_longest
from math import isqrt, prod
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from loopcheck.loop import Event, Role, Test
from loopcheck.read.domain.terms import Term, constant
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


NUMBER = "number"
"""What an output was put through that is no tensor: `loss.item()`, `0`."""


class Activation(str):
    """What values were put through last: `softmax`. Where that stands is told to people, and no part of what it is."""

    site: Site | None

    def __new__(cls, how: str, site: Site | None = None) -> Activation:
        made = super().__new__(cls, how)
        made.site = site
        return made


class Perhaps(Activation):
    """What values were put through last where a path condition holds: one of two networks ends in it. It equals no activation.

    how: that activation. under: the path condition, the outcome of each test.
    """

    how: Activation
    under: Mapping[Term, bool]

    def __new__(cls, how: Activation, under: Mapping[Term, bool]) -> Perhaps:
        tests = sorted(f"{test.text}: {holds}" for test, holds in under.items())
        made = cast(Perhaps, super().__new__(cls, f"{how} if {', '.join(tests)}", how.site))
        made.how, made.under = how, under
        return made


def chosen_activation(test: Term, then: str | tuple[str, ...], other: str | tuple[str, ...]) -> str | tuple[str, ...]:
    """What values were put through last that are one where a test holds and another where it does not."""
    known = agreed((then, other))
    ways = [(way, outcome) for way, outcome in ((then, True), (other, False)) if isinstance(way, Activation) and way != NUMBER]
    if known or len(ways) != 1:
        return known
    ((way, outcome),) = ways
    inner = way if isinstance(way, Perhaps) else Perhaps(way, {})
    return Perhaps(inner.how, {**inner.under, test: outcome})


def agreed(ways: Sequence[str | tuple[str, ...]]) -> str | tuple[str, ...]:
    """What values were put through last on each of several ways, empty where these differ; where, if that is one place. Of
    several outputs, of each."""
    first, *others = ways
    several = [each for each in ways if isinstance(each, tuple)]
    if len(several) == len(ways):
        columns = [agreed(column) for column in zip_longest(*several, fillvalue="")]
        return tuple(each for each in columns if isinstance(each, str)) if any(columns) else ""
    if any(each != first for each in others):
        return ""
    places = {each.site and each.site.place for each in ways if isinstance(each, Activation)}
    return first if len(places) < 2 else str(first)


@dataclass(frozen=True)
class Chosen:
    """The models of which something was computed, by the outcome of a test: those, or what another test has chosen."""

    test: Test
    then: Chosen | frozenset[Role]
    other: Chosen | frozenset[Role]

    @cached_property
    def ways(self) -> tuple[frozenset[Role], ...]:
        """The models of each way through the tests."""
        return tuple(way for arm in (self.then, self.other) for way in (arm.ways if isinstance(arm, Chosen) else (arm,)))

    @property
    def varies(self) -> bool:
        """Whether an outcome may change from pass to pass."""
        return bool(self.test.names) or any(arm.varies for arm in (self.then, self.other) if isinstance(arm, Chosen))


MOST_WAYS = 16
"""Ways through the tests that have chosen models. Beyond, what the innermost tests chose from is taken to be there at once."""


def flattened(models: Chosen | frozenset[Role], most: int = MOST_WAYS) -> Chosen | frozenset[Role]:
    """The models by no more than so many ways, the outermost tests kept."""
    if not isinstance(models, Chosen) or len(models.ways) <= most:
        return models
    if most < 2:
        return frozenset[Role]().union(*models.ways)
    then, other = flattened(models.then, most // 2), flattened(models.other, most // 2)
    return then if then == other else Chosen(models.test, then, other)


def _of_both(one: Chosen | frozenset[Role], other: Chosen | frozenset[Role]) -> Chosen | frozenset[Role]:
    """The models of one and of the other, on each way through the tests of both."""
    if isinstance(one, Chosen):
        then = _of_both(one.then, _where(other, one.test, True))
        rest = _of_both(one.other, _where(other, one.test, False))
        return then if then == rest else Chosen(one.test, then, rest)
    return _of_both(other, one) if isinstance(other, Chosen) else one | other


def _where(models: Chosen | frozenset[Role], test: Test, holds: bool) -> Chosen | frozenset[Role]:
    """The models where a test has come to this."""
    if not isinstance(models, Chosen):
        return models
    if models.test.key == test.key:
        return _where(models.then if holds else models.other, test, holds)
    return Chosen(models.test, _where(models.then, test, holds), _where(models.other, test, holds))


@dataclass(frozen=True)
class Tensor:
    """Something computed from models, that may be differentiated.

    models: whose parameters its gradient reaches. scaler: the GradScaler whose factor it carries.
    history: the operations that made it, as far as a rule may ask for them: `divided`, `shared` (multiplied by what may be a
    share), `total` (a sum over samples, so over a window as well), `hidden` (code out of sight had it), `mixed` (of parts of
    which only one was hidden), `foreign` (code out of sight computed it, a loss by its name), `doubtful` (nobody has seen
    whether it has a graph, before a backward walks that), `detached`, `summed`, `packed` (a named tuple of it), `leaf` (of a
    tensor that was told to have a gradient: what goes backward ends there), `volatile` (data that keeps a graph from being
    recorded, before torch 0.4), `apart` (by a model that a framework was asked for without its wrapper), `entry` (taken out
    of the dictionary that a model put out).
    lost: the models from whose graph it was cut, where it is sure that nothing else is behind it.
    activation: what its values were put through last, `softmax`; empty where something else was done to them since. Of several
    outputs in one, of each.
    forwards: what models put out that it was computed of, as long as a gradient could go back there.
    past: how many operations of its history say nothing of whether it was divided, for the loss that they went into was not.
    chosen: of models that tests have chosen whose outcomes may change from pass to pass, which of them on which.
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
    def divisors(self) -> list[Made]:
        return [each for each in self.history if each.by is not None]

    def made(self, how: str, by: Value | None = None, written: str = "") -> Tensor:
        """This tensor after an operation."""
        step = Made(how, by, written)
        me = replace(self, lost=frozenset()) if how == "hidden" else self.used
        known = step in self.history[self.past :] or len(self.history) >= MOST_STEPS
        return me if known else replace(me, history=(*self.history, step))

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
        """Something that is computed of its values."""
        return replace(self, activation="") if self.activation else self

    def output(self, index: int) -> Tensor:
        """One of its values, or of several outputs one."""
        several = self.activation if isinstance(self.activation, tuple) else ()
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
        return Tensor(Term("detached", self.term), history=self.made("detached").history, lost=lost, activation=self.activation)

    def averaged(self) -> Tensor:
        """This tensor divided by a count of its own samples: of a sum, the mean, which is one over this batch alone."""
        return replace(self, history=tuple(each for each in self.history if each.how != "total"), past=0)

    def added(self, other: Tensor) -> Tensor:
        """The sum of both: where one was not divided, and of the other that cannot be told, the sum was not."""
        both = self.merged(other)
        return both.undivided if {self.divided, other.divided} == {False, None} else both

    def _chosen_with(self, other: Tensor) -> Chosen | None:
        """The models of what is computed of this and another, by the tests that have chosen those of either."""
        if not (self.chosen or other.chosen):
            return None
        both = self.by_choice, other.by_choice
        if prod(len(each.ways) for each in both if isinstance(each, Chosen)) > MOST_WAYS:
            both = (flattened(both[0], isqrt(MOST_WAYS)), flattened(both[1], isqrt(MOST_WAYS)))
        found = _of_both(*both)
        return found if isinstance(found, Chosen) else None

    def merged(self, other: Tensor) -> Tensor:
        """What is computed of both."""
        history = (*self.history, *(each for each in other.history if each not in self.history))
        if (self.divided is None) != (other.divided is None):
            history = (*history, Made("mixed"))
        scaler, unseen = self.scaler or other.scaler, self.open or other.open
        lost = self.lost | other.lost if self.lost and other.lost else frozenset[Role]()
        forwards = self.forwards | other.forwards
        chosen = self._chosen_with(other)
        made = Tensor(self.term, self.models | other.models, scaler, history[:MOST_STEPS], unseen, lost, "", forwards, 0, chosen)
        return made.undivided if self.divided is other.divided is False else made


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


def listed(value: Value) -> Value | None:
    """Parameters as a list, whichever of two networks they are of; None of what is none."""
    match value:
        case Params():
            return replace(value, once=None)
        case Choice(test, then, other):
            one, another = listed(then), listed(other)
            return Choice(test, one, another) if one and another else None
        case _:
            return None


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
    numbered: each element comes with its number. bound, end: of a range, its end as written, and what that is.
    begun: of an iterator, the passes over loaders that it began; around: the loop in which that was. whole: it hands out all
    that there is, once.
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

    @cached_property
    def all(self) -> Items:
        """Every argument, as one value."""
        return Items((*self.values, *self.keywords.values()))

    def after(self, *values: Value) -> Arguments:
        """The same after others."""
        return Arguments((*values, *self.values), self.keywords, self.complete)


NONE = Const(None)
NO_ARGUMENTS = Arguments()
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


def role_of(value: Value | None) -> Role | None:
    """The object that events happen to, if the value is one."""
    return value.role if isinstance(value, (Object, Instance, Symbol)) else None


def parts_of(value: Value) -> Sequence[Value]:
    """The value, and everything that is inside it."""
    if not isinstance(value, (Items, Choice, Stream, Partial)):
        return (value,)
    known: tuple[Value, ...] | None = value.__dict__.get("parts")
    if known is None:  # values do not change, and are asked often
        known = tuple(_inside(value))
        object.__setattr__(value, "parts", known)
    return known


def _inside(value: Items | Choice | Stream | Partial) -> Iterator[Value]:
    match value:
        case Items(values):
            yield value
            inner: Iterable[Value] = (*keyed_by(value), *values)
        case Choice(_, then, other):
            inner = (then, other)
        case Stream(of):
            yield value
            inner = of
        case Partial():
            yield value.function
            inner = value.inside[1:]
    for each in inner:
        yield from parts_of(each)


def leaves_of(value: Value) -> Iterator[Value]:
    """What a value may be, whatever the tests that decide it say."""
    if isinstance(value, Choice):
        yield from leaves_of(value.then)
        yield from leaves_of(value.other)
    else:
        yield value


def arms_of(value: Value, assumed: Mapping[object, bool]) -> list[tuple[Mapping[object, bool], Value]]:
    """What a value is under each outcome of the tests that decide it, with those outcomes."""
    if not isinstance(value, Choice):
        return [(assumed, value)]
    outcomes = [assumed[value.test.key]] if value.test.key in assumed else [True, False]
    arms = [(outcome, value.then if outcome else value.other) for outcome in outcomes]
    return [found for outcome, arm in arms for found in arms_of(arm, {**assumed, value.test.key: outcome})]


def entries_of(value: Value) -> dict[object, Value]:
    """What a dictionary holds by its keys; nothing of what is none."""
    return dict(zip(value.keys, value.values, strict=True)) if isinstance(value, Items) and value.keys is not None else {}


def keys_of(value: Items) -> tuple[Value, ...]:
    """The keys of a dict, each as a value."""
    return tuple(key if isinstance(key, (Object, Instance, Symbol)) else Const(key) for key in value.keys or ())


def keyed_by(value: Items) -> tuple[Value, ...]:
    """The objects that a dict has for its keys, `{net: net.training}`; none where one is no object."""
    keys = keys_of(value)
    return () if any(isinstance(key, Const) for key in keys) else keys


def hidden(value: Value) -> Value:
    """A value that depends on what was not in sight: what was done to it is not known."""
    match value:
        case Tensor():
            return value.made("hidden")
        case Items(values, keys):
            return Items(tuple(map(hidden, values)), keys)
        case _:
            return value


def tensor_in(value: Value) -> Tensor | None:
    """All tensors of a value as one."""
    found: Tensor | None = None
    for part in parts_of(value):
        if isinstance(part, Tensor):
            found = found.merged(part) if found else part
    return found


def roles_in(value: Value) -> list[Role]:
    """Every object of a value that events can happen to."""
    found: list[Role] = []
    for part in parts_of(value):
        role = role_of(part)
        found += [role] if role else part.models if isinstance(part, Params) else []
    return found


def names_of(value: Value) -> frozenset[Term]:
    """What a value depends on."""
    names = _NAMES.get(type(value))
    return names(value) if names else _NO_NAMES


_NO_NAMES: frozenset[Term] = frozenset()
_NAMES: Mapping[type, Callable[[Any], frozenset[Term]]] = {
    Symbol: lambda value: value.names,
    Tensor: lambda value: frozenset([value.term]),
    Choice: lambda value: (
        frozenset([name for name in value.test.names if isinstance(name, Term)]) | names_of(value.then) | names_of(value.other)
    ),
    Items: lambda value: _NO_NAMES.union(*map(names_of, value.values)),
}


def term_of(value: Value) -> Term:
    """The same term for the same value."""
    term = _TERMS.get(type(value))
    return _term_of_object(value) if term is None else term(value)


def _term_of_object(value: Value) -> Term:
    role = role_of(value)
    return Term("object", id(role), role.name, role.kind) if role else Term(type(value).__name__, getattr(value, "name", ""))


_TERMS: Mapping[type, Callable[[Any], Term]] = {
    Const: lambda value: Term("constant", constant(value.value)),
    Symbol: lambda value: value.term,
    Tensor: lambda value: value.term,
    Instance: lambda value: value.term if value.role is None else _term_of_object(value),
    Choice: lambda value: Term("choice", value.test.key, term_of(value.then), term_of(value.other)),
    Items: lambda value: Term("items", *map(term_of, value.values)),
    Params: lambda value: Term("parameters"),
    Api: lambda value: Term("api", value.name),
    Function: lambda value: Term("Function", value.code.title, value.frame.source.path, value.code.span),
    Bound: lambda value: Term("attribute", term_of(value.base), value.name),
    Stream: lambda value: Term("stream", value.bound, str(value.start), *map(term_of, value.of)),
}
"""By the kind of value: it is asked at every step."""
