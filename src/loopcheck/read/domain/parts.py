"""What is inside an abstract value, what it may be, and what it depends on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any

from loopcheck.loop import Role
from loopcheck.read.domain.terms import Term, constant
from loopcheck.read.domain.values import (
    DETACHED,
    Api,
    Bound,
    Choice,
    Const,
    Function,
    Instance,
    Items,
    Object,
    Params,
    Partial,
    Stream,
    Symbol,
    Tensor,
    Value,
)


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


def source_of(term: Term) -> Term:
    """What a tensor was cut from: the numbers of each pass are its own, with a graph or without."""
    while term.head == DETACHED and isinstance(whole := term.operands[0], Term):
        term = whole
    return term


_NO_NAMES: frozenset[Term] = frozenset()
_NAMES: Mapping[type, Callable[[Any], frozenset[Term]]] = {
    Symbol: lambda value: value.names,
    Tensor: lambda value: frozenset([source_of(value.term)]),
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
    Stream: lambda value: Term("stream", value.bound, str(value.start), *map(term_of, (*value.of, *filter(None, (value.by,))))),
}
"""By the kind of value: it is asked at every step."""


def all_params(value: Value) -> Params | None:
    """The parameters that a value is, of whichever of two networks, as those of both; None of what is more than that."""
    leaves = list(leaves_of(value))
    params = [each for each in leaves if isinstance(each, Params)]
    return reduce(Params.merged, params) if params and len(params) == len(leaves) else None


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
