"""What an expression can be worth to a reader of training code."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import libcst as cst

from loopcheck.loop import Role, Test
from loopcheck.read.project import Module
from loopcheck.read.source import Site, Source


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
    """A value that is not known. Equal keys are equal values.

    names: what it depends on; a new value of one of them is a new value of this.
    label: the variable that it was first bound to.
    default: what it is worth where the user of the program says nothing (an argument parser's default).
    role: the object it must be, judged by what is done with it.
    """

    key: str
    names: frozenset[str] = frozenset()
    default: Const | None = None
    role: Role | None = None
    label: str = ""

    @property
    def name(self) -> str:
        """How the program calls it, `self.model`."""
        return self.label or ("" if "(" in self.key else self.key.split("#")[0].partition(".")[2] or self.key)


@dataclass(eq=False)
class Object:
    """An object that events happen to. facts: what its constructor said, for the vocabulary's methods."""

    role: Role
    facts: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Tensor:
    """Something computed from models, that may be differentiated.

    models: whose parameters its gradient reaches. scaler: the GradScaler whose factor it carries.
    divided: it was divided by something that is no literal; None where code out of sight had it.
    divisors: by what, and how that is written.
    """

    key: str
    models: frozenset[Role] = frozenset()
    scaler: Object | Symbol | None = None
    divided: bool | None = False
    open: bool = False
    divisors: tuple[tuple[Value, str], ...] = ()

    def merged(self, other: Tensor) -> Tensor:
        divided = None if None in (self.divided, other.divided) else bool(self.divided or other.divided)
        divisors = (*self.divisors, *(each for each in other.divisors if each not in self.divisors))
        scaler, unseen = self.scaler or other.scaler, self.open or other.open
        return Tensor(self.key, self.models | other.models, scaler, divided, unseen, divisors)


@dataclass(frozen=True)
class Params:
    """Parameters of models. whole: all that the models have; grouped: split by something, so options differ."""

    models: frozenset[Role]
    whole: bool = True
    grouped: bool = False
    open: bool = False


UNKNOWN_PARAMS = Params(frozenset(), whole=False, open=True)
"""Parameters of who knows which models."""


@dataclass(frozen=True)
class Grad:
    """The `.grad` of some parameters."""

    of: Params


@dataclass(frozen=True)
class Items:
    """A tuple, list or dict whose elements are known. keys: of a dict."""

    values: tuple[Value, ...]
    keys: tuple[object, ...] | None = None


@dataclass(frozen=True)
class Choice:
    """One value where a test holds, another where it does not."""

    test: Test
    then: Value
    other: Value


@dataclass(frozen=True)
class Scope:
    """A context manager or decorator.

    grad: whether autograd records inside; None where it does not say. leave: what becomes of the reader's knowledge at its end.
    """

    grad: bool | None = None
    leave: Callable[[], None] | None = field(default=None, compare=False)


@dataclass(eq=False)
class Frame:
    """The variables of a module or of one call of a function. me, owner: of a method, its object and its class.

    written: what the caller wrote for a parameter. names: what everything read here depends on, the loops around it.
    call: of a framework's code, where the program calls it.
    module: of another module than the one that is run, which of them: its names are its own.
    """

    source: Source
    name: str
    parent: Frame | None = None
    me: Value | None = None
    owner: Class | None = None
    written: Mapping[str, str] = field(default_factory=dict)
    names: frozenset[str] = frozenset()
    call: Site | None = None
    module: int = 0

    @property
    def label(self) -> str:
        """The beginning of the keys of what is unknown here."""
        return f"{self.name}@{self.module}" if self.module else self.name


@dataclass(eq=False)
class Function:
    """A function of the project. me: the object it is a method of. bare: as it is without its decorators."""

    node: cst.FunctionDef | cst.Lambda
    frame: Frame
    me: Value | None = None
    owner: Class | None = None
    bare: bool = False

    @property
    def title(self) -> str:
        """What a person calls it: `Trainer.fit`."""
        name = self.node.name.value if isinstance(self.node, cst.FunctionDef) else "lambda"
        return f"{self.owner.node.name.value}.{name}" if self.owner else name


@dataclass(eq=False)
class Class:
    """A class of the project."""

    node: cst.ClassDef
    frame: Frame
    bases: tuple[Value, ...] = ()
    methods: dict[str, Function] = field(default_factory=dict)


@dataclass(eq=False)
class Instance:
    """An object of a class of the project. role: what it is to a training loop, if anything."""

    cls: Class
    key: str
    role: Role | None = None


@dataclass(frozen=True)
class Super:
    """`super()` in a method of `me`; cls: the base of the project that comes next, if there is one."""

    me: Instance
    cls: Class | None


@dataclass(frozen=True)
class Bound:
    """A method of an object, not yet called."""

    base: Value
    name: str


@dataclass(frozen=True)
class Partial:
    """`functools.partial(function, …)`."""

    function: Value
    args: tuple[Value, ...] = ()
    keywords: tuple[tuple[str, Value], ...] = ()


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
)

NONE = Const(None)


def role_of(value: Value) -> Role | None:
    """The object that events happen to, if the value is one."""
    match value:
        case Object(role) | Instance(role=role) | Symbol(role=role):
            return role
        case _:
            return None


def parts_of(value: Value) -> list[Value]:
    """The value, and everything that is inside it."""
    match value:
        case Items(values):
            return [value, *(inner for each in values for inner in parts_of(each))]
        case Choice(_, then, other):
            return [*parts_of(then), *parts_of(other)]
        case Partial(function, args, keywords):
            return [function, *(inner for each in (*args, *(v for _, v in keywords)) for inner in parts_of(each))]
        case _:
            return [value]


def arms_of(value: Value, assumed: Mapping[Hashable, bool]) -> list[tuple[Mapping[Hashable, bool], Value]]:
    """What a value is under each outcome of the tests that decide it, with those outcomes."""
    if not isinstance(value, Choice):
        return [(assumed, value)]
    outcomes = [assumed[value.test.key]] if value.test.key in assumed else [True, False]
    arms = [(outcome, value.then if outcome else value.other) for outcome in outcomes]
    return [found for outcome, arm in arms for found in arms_of(arm, {**assumed, value.test.key: outcome})]


def hidden(value: Value) -> Value:
    """A value that depends on what was not in sight: whether it was divided is not known."""
    match value:
        case Tensor():
            return replace(value, divided=value.divided or None)
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
    found = []
    for part in parts_of(value):
        role = role_of(part)
        found += [role] if role else list(part.models) if isinstance(part, Params) else []
    return found
