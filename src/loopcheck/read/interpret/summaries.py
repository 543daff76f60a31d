"""Summaries: what a function does when it is given no object, found out once for all its call sites.

Nineteen of twenty functions of a program that trains do nothing to a model, an optimizer or a loader: they look at paths, options
and devices. Such a function is *inert* if it does nothing and makes nothing when it is interpreted with arguments of which
nothing is known, on every path. Given no object it then does nothing at any call site, and what it returns and leaves in its
object follows from its arguments, or is not known.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from loopcheck.read.domain.heap import Key
from loopcheck.read.domain.state import Exhausted
from loopcheck.read.domain.terms import Term
from loopcheck.read.domain.values import (
    UNSEEN,
    Api,
    Bound,
    Const,
    Frame,
    Function,
    Grad,
    Instance,
    Items,
    Params,
    Symbol,
    Tensor,
    Value,
    parts_of,
    role_of,
)
from loopcheck.read.front import ir
from loopcheck.read.interpret.machine import Machine

SHORT = 8
"""Statements of a function that is interpreted at each call site: what it returns is told better there, and it costs little."""
MOST_FORKS = 1500
"""Tests that are read both ways before a function is given up for one that has to be interpreted at each call site."""


@dataclass(frozen=True)
class Summary:
    """What an inert function comes to. None in place of a value: it does not follow from the arguments.

    value: what it returns; a parameter's symbol in it stands for what is given. bound: the same of what it binds in the object
    that it is a method of. reached, definitions: the functions that it calls, itself among them.
    """

    value: Value | None
    bound: Mapping[str, Value | None]
    reached: frozenset[object]
    definitions: frozenset[tuple[str, str]]


_summaries: WeakKeyDictionary[ir.Code, Summary | None] = WeakKeyDictionary()


def summary_of(m: Machine, called: Function) -> Summary | None:
    """The summary of a function; None where it is not inert, or so short that it needs none."""
    code, source = called.code, called.frame.source
    if code not in _summaries:
        facts = source.index.of(code)
        worth = source.path and code.name != "lambda" and facts.statements > SHORT and not facts.yields
        _summaries[code] = None  # for one that calls itself
        _summaries[code] = _summarised(m, called) if worth else None
    return _summaries[code]


def formal(code: ir.Code, name: str) -> Term:
    """The term of a parameter of which nothing is known."""
    return Term("formal", id(code), name)


def _summarised(m: Machine, called: Function) -> Summary | None:
    """The summary of a function, interpreted as if nothing around were known."""
    state = m.state
    me = called.me
    if isinstance(me, Instance):
        me = Instance(me.cls, state.new(me.cls.name, "instance"))
    generic = Function(called.code, called.frame, me, called.owner, called.bare)
    changed: dict[Key, Value | None] = {}
    first = len(state.made)
    emitted, reached, definitions = state.emitted, m.reached, m.definitions
    m.reached, m.definitions = set(), set()
    try:
        with _apart(m, called.frame, changed):
            value = m.invoke(called.code, generic, UNSEEN)
        if state.emitted > emitted or any(map(_holds, (value, *changed.values()))):
            return None
        bound = {key[1]: _closed(called.code, left) for key, left in changed.items() if key[0] is me and isinstance(key[1], str)}
        if any(_outlives(m, key, left, me, first) for key, left in changed.items()):
            return None
        return Summary(_closed(called.code, value), bound, frozenset(m.reached), frozenset(m.definitions))
    except Exhausted:
        return None
    finally:
        m.reached, m.definitions = reached, definitions


@contextmanager
def _apart(m: Machine, frame: Frame, changed: dict[Key, Value | None]) -> Iterator[None]:
    """Interpret under no path condition, in no loop and no call, within a budget of its own; what changes is undone."""
    state, budget = m.state, m.budget
    active, calls, forked, most, out = m.active, budget.calls, state.forked, state.most_forks, state.out
    m.active, budget.calls, state.forked, state.most_forks, state.out = [], 0, 0, MOST_FORKS, []
    try:
        with state.elsewhere(frame), state.heap.arm(changed):
            yield
    finally:
        m.active, budget.calls, state.forked, state.most_forks, state.out = active, calls, forked, most, out


def _outlives(m: Machine, key: Key, left: Value | None, me: Value | None, first: int) -> bool:
    """Whether something was changed that is neither the function's own nor its object's. first: of the terms that it made."""
    owner = key[0]
    if owner is me or left == m.state.heap.get(key) or (isinstance(owner, Frame) and owner.parent is not None):
        return False
    term = owner.term if isinstance(owner, (Symbol, Instance)) else None
    return term is None or term.head not in ("new", "instance") or term not in m.state.made[first:]


def _holds(value: Value | None) -> bool:
    """Whether there is an object in a value, something computed by one, or code that may know one."""
    return value is not None and any(
        role_of(part) is not None or isinstance(part, (Tensor, Params, Grad, Bound)) for part in parts_of(value)
    )


def _closed(code: ir.Code, value: Value | None) -> Value | None:
    """The value, if it is of literals, names of libraries and parameters alone."""
    match value:
        case Const() | Api():
            return value
        case Symbol(Term(head="formal", operands=(of, _))) if of == id(code):
            return value
        case Items(values, keys):
            inner = [_closed(code, each) for each in values]
            return Items(tuple(each for each in inner if each is not None), keys) if None not in inner else None
        case _:
            return None


def instantiated(code: ir.Code, value: Value, given: Mapping[str, Value]) -> Value:
    """The value of a summary at a call site. given: what is given for each parameter."""
    match value:
        case Symbol(Term(head="formal", operands=(_, str(name)))):
            return given.get(name, value)
        case Items(values, keys):
            return Items(tuple(instantiated(code, each, given) for each in values), keys)
        case _:
            return value
