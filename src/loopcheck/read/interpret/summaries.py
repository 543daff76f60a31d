"""Summaries: what a function does that does nothing to any object, found out once for all its call sites.

Nineteen of twenty functions of a program that trains look at paths, options and devices. Such a function is *inert*: interpreted
with literals as they are given and with arguments of which nothing is known, it does nothing on any path but hand objects to code
out of sight. It then does no more at any call site of the same shape, and what it returns and leaves in its object follows from
its arguments. Code that is not inert is interpreted at each call site.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TypeAlias
from weakref import WeakKeyDictionary

from loopcheck.loop import Region, Role, Test, events
from loopcheck.read.domain.heap import Key
from loopcheck.read.domain.state import Exhausted, State
from loopcheck.read.domain.terms import Term, constant
from loopcheck.read.domain.values import (
    Api,
    Arguments,
    Choice,
    Class,
    Const,
    Frame,
    Function,
    Instance,
    Items,
    Object,
    Partial,
    Symbol,
    Tensor,
    Value,
    names_of,
    parts_of,
    role_of,
    term_of,
)
from loopcheck.read.front import ir
from loopcheck.read.interpret.machine import Machine
from loopcheck.read.interpret.operators import chosen, truth

MOST_FORKS = 1500
"""Tests that are read both ways before a function is given up for one that has to be interpreted at each call site."""
MOST_SHAPES = 8
"""Shapes of arguments that a function is summarised for; of others, literals are taken for unknown."""
_CARRIERS = (Tensor, Function, Instance, Class, Partial)
"""What more can be done with than is known of a symbol: a function that hands one out is interpreted at each call site."""
MOST_APART = 2
"""Summaries that are made on the way to another one: the calls that are followed add up."""
Shape: TypeAlias = tuple[Hashable, ...]


@dataclass(frozen=True)
class Summary:
    """What an inert function comes to. None in place of a value: it does not follow from the arguments.

    value: what it returns; a parameter in it stands for what is given. bound: the same of what it binds in the object that it is
    a method of. escaped: the parameters whose objects code out of sight is handed. reached, definitions: the functions that it
    calls, itself among them.
    """

    value: Value | None
    bound: Mapping[str, Value | None]
    escaped: frozenset[str]
    reached: frozenset[object]
    definitions: frozenset[tuple[str, str]]


_summaries: WeakKeyDictionary[ir.Code, dict[Shape, Summary | None]] = WeakKeyDictionary()


def summary_of(m: Machine, called: Function, given: Mapping[str, Value]) -> Summary | None:
    """The summary of a function for arguments of this shape; None where it is not inert, or that cannot be told.

    given: what is given for each parameter.
    """
    code, source = called.code, called.frame.source
    facts = source.index.of(code)
    if not source.path or code.name == "lambda" or facts.yields or facts.asks:
        return None
    shape = _shape(m.state, called, given, literally=True)
    known = _summaries.setdefault(code, {})
    if shape is None or known.get((), 0) is None:
        return None
    if shape not in known and len(known) >= MOST_SHAPES:
        shape = _shape(m.state, called, given, literally=False)
        assert shape is not None
    if shape not in known:
        if m.apart >= MOST_APART:
            return None  # and perhaps another time
        known[shape] = None  # for one that calls itself
        known[shape] = _summarised(m, called, given, shape)
    return known[shape]


def _shape(state: State, called: Function, given: Mapping[str, Value], literally: bool) -> Shape | None:
    """What of the arguments a summary is made for: literals, and the kinds of objects; None where they are too much to tell."""
    shape: list[Hashable] = []
    me = called.me
    if isinstance(me, Instance):
        if me.role is not None or _holds_any(state, me):
            return None
        shape.append(me.cls.node)  # which programs share, unlike the class
    for name, value in given.items():
        if me is not None and value is me:
            continue
        role = role_of(value)
        if isinstance(value, Const):
            shape.append((name, constant(value.value)) if literally else name)
        elif role is not None and isinstance(value, (Object, Symbol)):
            shape.append((name, role.kind))
        elif isinstance(value, Tensor):
            shape.append((name, "tensor"))
        elif any(map(_opens, parts_of(value))) or (isinstance(value, Instance) and (value.role or _holds_any(state, value))):
            return None
        elif not state.counters.isdisjoint(names_of(value)):
            return None  # what is computed from a counter is told better at the call site
        else:
            shape.append(name)
    return tuple(shape)


def _opens(value: Value) -> bool:
    """A part of a value that a summary cannot stand for: an object inside, or code."""
    return not isinstance(value, (Const, Api, Items, Symbol, Instance)) or role_of(value) is not None


def _holds_any(state: State, instance: Instance) -> bool:
    """Whether an object of the project holds anything that a summary cannot stand for."""
    return any(
        _opens(part) or (isinstance(part, Instance) and part is not instance)
        for value in state.heap.of(instance).values()
        for part in parts_of(value)
    )


# making one


def _summarised(m: Machine, called: Function, given: Mapping[str, Value], shape: Shape) -> Summary | None:
    """The summary of a function, interpreted as if nothing around were known."""
    state, code = m.state, called.code
    me = called.me
    if isinstance(me, Instance):
        me = Instance(me.cls, state.new(me.cls.name, "instance"))
    generic = Function(code, called.frame, me, called.owner, called.bare)
    literal = {name for name, _ in (each for each in shape if isinstance(each, tuple))}
    formals = {
        name: value if isinstance(value, Const) and name in literal else _formal(code, name, value)
        for name, value in given.items()
        if value is not called.me and name not in (code.parameters.rest, code.parameters.options)
    }
    complete = not (code.parameters.rest or code.parameters.options)
    changed: dict[Key, Value | None] = {}
    first, frozen, kept = len(state.made), state.frozen, len(state.kept)
    reached, definitions = m.reached, m.definitions
    m.reached, m.definitions = set(), set()
    try:
        with _apart(m, called.frame, changed) as out:
            value = m.invoke(code, generic, Arguments((), formals, complete))
        escaped = _escaped(out, formals)
        if escaped is None or state.frozen is not frozen or len(state.kept) != kept:
            return None
        if any(_outlives(m, key, left, me, first) for key, left in changed.items()):
            return None
        mine = {key[1]: left for key, left in changed.items() if key[0] is me and isinstance(key[1], str)}
        if any(role_of(part) or isinstance(part, _CARRIERS) for left in mine.values() if left for part in parts_of(left)):
            return None
        if _closed(code, value) is None and any(role_of(part) or isinstance(part, _CARRIERS) for part in parts_of(value)):
            return None
        bound = {name: left and _closed(code, left) for name, left in mine.items()}
        return Summary(_closed(code, value), bound, escaped, frozenset(m.reached), frozenset(m.definitions))
    except Exhausted:
        _summaries[code][()] = None
        return None
    finally:
        m.reached, m.definitions, state.frozen = reached, definitions, frozen


def _formal(code: ir.Code, name: str, value: Value) -> Value:
    """A parameter of which no more is known than what kind of object it is."""
    term = Term("formal", id(code), name)
    role = role_of(value)
    if role is not None:
        return Object(Role(role.kind, name, open=True, evidence="used"))
    return Tensor(term) if isinstance(value, Tensor) else Symbol(term)


@contextmanager
def _apart(m: Machine, frame: Frame, changed: dict[Key, Value | None]) -> Iterator[list[Region]]:
    """Interpret under no path condition, in no loop and no call, within a budget of its own; what changes is undone."""
    state, budget = m.state, m.budget
    active, calls, forked, most, out, symbols = m.active, budget.calls, state.forked, state.most_forks, state.out, state.symbols
    m.active, budget.calls, state.forked, state.out, state.symbols = [], 0, 0, [], dict(symbols)
    m.apart += 1
    state.most_forks = min(MOST_FORKS, most - forked)
    try:
        with state.elsewhere(frame), state.heap.arm(changed):
            yield state.out
    finally:
        spent = state.forked
        m.apart -= 1
        m.active, budget.calls, state.out, state.symbols = active, calls, out, symbols
        state.forked, state.most_forks = (forked + spent if most < 10**9 else forked), most


def _escaped(out: list[Region], formals: Mapping[str, Value]) -> frozenset[str] | None:
    """The parameters whose objects are handed to code out of sight; None where more is done than that, or to others."""
    found: set[str] = set()
    owners = {role: name for name, value in formals.items() if (role := role_of(value))}
    for event in (each for region in out for each in events(region)):
        known = [{owners[whole] for whole in role.wholes if whole in owners} for role in event.on]
        if event.verb != "escape" or not all(known):
            return None
        found |= set[str]().union(*known)
    return frozenset(found)


def _outlives(m: Machine, key: Key, left: Value | None, me: Value | None, first: int) -> bool:
    """Whether something was changed that is neither the function's own nor its object's. first: of the terms that it made."""
    owner = key[0]
    if owner is me or left == m.state.heap.get(key) or (isinstance(owner, Frame) and owner.parent is not None):
        return False
    term = owner.term if isinstance(owner, (Symbol, Instance)) else None
    return term is None or term.head not in ("new", "instance") or term not in m.state.made[first:]


def _closed(code: ir.Code, value: Value) -> Value | None:
    """The value, if it follows from literals, names of libraries and of modules, and parameters alone."""
    match value:
        case Const() | Api():
            return value
        case Object(Role(name=name, evidence="used")) if name in code.parameters.names:
            return value
        case Tensor(Term(head="formal", operands=(_, str(name))) as term) if name in code.parameters.names:
            return value if value == Tensor(term) else None  # what was done to it would be lost
        case Symbol(term, role=None):
            return value if _follows(code, term) else None
        case Items(values, keys):
            inner = [_closed(code, each) for each in values]
            return Items(tuple(each for each in inner if each is not None), keys) if None not in inner else None
        case Choice(Test(key=Term() as key, counter=False), then, other) if _follows(code, key):
            arms = _closed(code, then), _closed(code, other)
            return Choice(value.test, arms[0], arms[1]) if arms[0] is not None and arms[1] is not None else None
        case _:
            return None


def _follows(code: ir.Code, term: Term) -> bool:
    return all(
        each.head not in ("new", "instance", "object", "mode", "Module", "Function", "Class", "output")
        and (each.head != "formal" or each.operands[0] == id(code))
        for each in term.parts()
    )


# using one


def instantiated(state: State, code: ir.Code, value: Value, given: Mapping[str, Value]) -> Value:
    """The value of a summary at a call site. given: what is given for each parameter."""
    match value:
        case Symbol(Term(head="formal", operands=(_, str(name)))) | Object(Role(name=name, evidence="used")):
            return given.get(name, value)
        case Tensor(Term(head="formal", operands=(_, str(name)))):
            handed = given.get(name, value)  # or what is computed of it, which may have a graph
            return replace(handed, lost=frozenset()) if isinstance(handed, Tensor) else handed
        case Symbol(term):
            return state.symbol(_substituted(term, given), _names(term, given) | state.here.loops)
        case Items(values, keys):
            return Items(tuple(instantiated(state, code, each, given) for each in values), keys)
        case Choice(test, then, other):
            arms = instantiated(state, code, then, given), instantiated(state, code, other, given)
            assert isinstance(test.key, Term)
            tested = _actual(test.key, given)
            if tested is not None:
                return chosen(state, truth(state, tested), *arms)
            term = _substituted(test.key, given)
            return state.choice(state.test(term, _names(test.key, given) | state.here.loops), *arms)
        case _:
            return value


def _actual(term: Term, given: Mapping[str, Value]) -> Value | None:
    """What is given for a parameter, of its term."""
    return given.get(str(term.operands[1])) if term.head == "formal" else None


def _substituted(term: Term, given: Mapping[str, Value]) -> Term:
    """The term with what is given for its parameters."""
    actual = _actual(term, given)
    if actual is not None:
        return term_of(actual)
    return Term(term.head, *(_substituted(each, given) if isinstance(each, Term) else each for each in term.operands))


def _names(term: Term, given: Mapping[str, Value]) -> frozenset[Term]:
    """What a term depends on, of what is given for its parameters."""
    found = [names_of(actual) for each in term.parts() if (actual := _actual(each, given)) is not None]
    return frozenset[Term]().union(*found)
