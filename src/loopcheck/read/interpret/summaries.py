"""Summaries: what a function does that does nothing to any object, found out once for all its call sites.

Nineteen of twenty functions of a program that trains look at paths, options and devices. Such a function is *inert*: interpreted
with literals as they are given and with arguments of which nothing is known, it does nothing on any path but hand objects to code
out of sight. It then does no more at any call site of the same shape, and what it returns and leaves in its object follows from
its arguments. Code that is not inert is interpreted at each call site.
"""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

from loopcheck.asked import Asked
from loopcheck.loop import Role, Test
from loopcheck.read.domain.generators import SPENT
from loopcheck.read.domain.heap import Key
from loopcheck.read.domain.parts import names_of, parts_of, role_of, term_of
from loopcheck.read.domain.state import Eventful, Exhausted, State, World
from loopcheck.read.domain.terms import Term, constant
from loopcheck.read.domain.values import (
    Api,
    Arguments,
    Bound,
    Choice,
    Class,
    Const,
    Frame,
    Function,
    Instance,
    Items,
    Made,
    Object,
    Partial,
    Scope,
    Stream,
    Symbol,
    Tensor,
    Value,
)
from loopcheck.read.front import ir
from loopcheck.read.front.index import Facts
from loopcheck.read.front.source import Source
from loopcheck.read.interpret.binding import joined
from loopcheck.read.interpret.lineage import lineage
from loopcheck.read.interpret.machine import Machine
from loopcheck.read.interpret.operators import chosen, truth
from loopcheck.read.interpret.trials import trial
from loopcheck.read.objects.evidence import adopt, is_whole_file

MOST_SHAPES = 8
"""Shapes of arguments that a function is summarised for; of others, literals are taken for unknown."""
_CARRIERS = (Tensor, Function, Class, Partial, Scope)
"""What more can be done with than is known of a symbol: a function that hands one out is interpreted at each call site."""
MOST_APART = 2
"""Summaries that are made on the way to another one: the calls that are followed add up."""
Shape: TypeAlias = tuple[Hashable, ...]


@dataclass(frozen=True)
class Left:
    """What an inert function leaves in something that outlives it.

    owner: whose attribute or item that is, the module whose variable, or the group of processes; None of the object that the
    function is a method of. name: an attribute or a variable, or the term of an index. value: None where it does not follow from
    the arguments.
    """

    owner: Value | Source | World | None
    name: str | Term
    value: Value | None


@dataclass(frozen=True)
class Summary:
    """What an inert function comes to, a parameter standing for what is given.

    value: what it returns; None where that does not follow from the arguments. escaped: the objects that code out of sight is
    handed. grouped: what is assumed where it joins other processes, as far as that follows. reached, definitions: the functions
    that it calls, itself among them. noted: the questions that were asked for the program in which it was made: another one that
    applies it depends on what they say of these functions.
    """

    value: Value | None
    left: tuple[Left, ...]
    escaped: tuple[Value, ...]
    grouped: tuple[Mapping[Term, bool], ...]
    reached: frozenset[object]
    definitions: frozenset[tuple[str, str]]
    noted: Asked | None

    @cached_property
    def files(self) -> frozenset[str]:
        """The files of the functions that it calls."""
        return frozenset(os.path.realpath(path) for path, _ in self.definitions)


def summary_of(m: Machine, called: Function, given: Mapping[str, Value]) -> Summary | None:
    """The summary of a function for arguments of this shape; None where it is not inert, or that cannot be told.

    given: what is given for each parameter.
    """
    code, source = called.code, called.frame.source
    facts = source.index.of(code)
    if not source.path or code.name == "lambda" or facts.yields or facts.asks:
        return None
    known = m.modules.summaries.setdefault(code, {})
    shape = _shape(m, called, given, facts, literally=True) if known.get((), 0) is not None else None
    if shape is None:
        return None
    if shape not in known and len(known) >= MOST_SHAPES:
        shape = _shape(m, called, given, facts, literally=False)
        assert shape is not None
    if shape not in known:
        if len(m.trials) >= MOST_APART:
            return None  # and perhaps another time
        known[shape] = None  # for one that calls itself
        known[shape] = _summarised(m, called, given, shape)
    found: Summary | None = known[shape]
    return found


def _shape(m: Machine, called: Function, given: Mapping[str, Value], facts: Facts, literally: bool) -> Shape | None:
    """What of the arguments a summary is made for: literals, functions, and the kinds of objects; None where they are too much
    to tell."""
    shape: list[Hashable] = []
    me = called.me
    if isinstance(me, Instance):
        if not _is_plain(m, me, ()):
            return None
        shape.append((me.cls.node, me.role and me.role.kind))  # which programs share, unlike the class
    for name, value in given.items():
        if me is not None and value is me:
            continue
        role = role_of(value)
        match value:
            case Const(literal):
                shape.append((name, constant(literal)) if literally else name)
            case Object() | Symbol() if role is not None:
                shape.append((name, role.kind))
            case Instance() if role is not None:
                shape.append((name, value.cls.node, role.kind))
            case Tensor():
                shape.append((name, "tensor"))
            case Function(me=None, frame=Frame(parent=None)):
                shape.append((name, value.code))
            case Bound() if name not in facts.bare:
                shape.append(name)
            case _ if not all(_is_data(m, each) for each in parts_of(value)):
                return None
            case _ if facts.returns and not m.state.counters.isdisjoint(names_of(value)):
                return None  # what is computed from a counter is told better at the call site
            case _:
                shape.append(name)
    return tuple(shape)


def _is_data(m: Machine, value: Value, within: tuple[Instance, ...] = ()) -> bool:
    """A part of a value that a symbol can stand for: no object that events happen to, and no code that does anything."""
    match value:
        case Instance(role=None):
            acts = any(m.modules.acts(each, short=False) for cls in lineage(m, value.cls) for each in cls.methods.values())
            return not acts and _is_plain(m, value, within)
        case Symbol(term) if is_whole_file(term):
            return False  # where it is called, it is a network
        case Const() | Api() | Items() | Symbol() | Stream(begun=(), by=None):
            return role_of(value) is None
        case _:
            return False


def _is_plain(m: Machine, instance: Instance, within: tuple[Instance, ...]) -> bool:
    """Whether all that an object of the project holds is data."""
    if any(instance is each for each in within):
        return True
    held = m.state.heap.of(instance).values()
    return all(_is_data(m, part, (*within, instance)) for value in held for part in parts_of(value))


# making one


def _summarised(m: Machine, called: Function, given: Mapping[str, Value], shape: Shape) -> Summary | None:
    """The summary of a function, interpreted as if nothing around were known."""
    state, code = m.state, called.code
    me = called.me
    own_name = code.parameters.names[0] if code.parameters.names else ""
    if isinstance(me, Instance):
        me = Instance(me.cls, Term("formal", id(code), own_name), _formal_role(own_name, me))
    generic = replace(called, me=me)
    literal = {each[0] for each in shape if isinstance(each, tuple)}
    formals = {
        name: value if isinstance(value, (Const, Function)) and name in literal else _formal(code, name, value)
        for name, value in given.items()
        if value is not called.me and name not in (code.parameters.rest, code.parameters.options)
    }
    complete = not (code.parameters.rest or code.parameters.options)
    changed: dict[Key, Value | None] = {}
    first, frozen, kept, stilled = len(state.made), state.frozen, len(state.kept), len(state.stilled)
    escaped: dict[Role, None] = {}

    def inert(verb: str, on: Iterable[Role]) -> bool:
        """Nothing may happen but that objects are handed to code out of sight."""
        escaped.update(dict.fromkeys(on))
        return verb == "escape"

    try:
        with trial(m, inert), state.elsewhere(called.frame), state.heap.arm(changed):
            value = m.invoke(code, generic, Arguments((), formals, complete))
            told = state.frozen is not frozen or len(state.kept) != kept or len(state.stilled) != stilled
            symbols, reached, definitions = state.symbols, frozenset(m.reached), frozenset(m.definitions)
            grouped = [{key: holds for key, holds in each.items() if _follows(code, key)} for each in state.grouped]
        if told or _counted(value):
            return None
        own = frozenset(state.made[first:])
        making = _Making(m, code, me, {**formals, own_name: me} if me else formals, symbols, own, changed)
        if any(isinstance(part, Tensor) for part in parts_of(value)) and _closed(code, value, formals) is None:
            return None  # a loss, say: whose it is must be known
        returned = making.closed(value)
        left = [making.left(key, each) for key, each in changed.items() if making.outlives(key, each)]
        handed = [making.handed(role) for role in escaped]
        escapes = tuple(each for each in handed if each)
        return Summary(returned, tuple(left), escapes, tuple(grouped), reached, definitions, m.modules.noted)
    except (Eventful, _Untold):
        return None
    except Exhausted:
        m.modules.summaries[code][()] = None
        return None


def _formal(code: ir.Code, name: str, value: Value) -> Value:
    """A parameter of which no more is known than what kind of object it is."""
    term = Term("formal", id(code), name)
    role = _formal_role(name, value)
    if role is not None:
        return Instance(value.cls, term, role) if isinstance(value, Instance) else Object(role)
    return Tensor(term, history=(Made("given", None, name),)) if isinstance(value, Tensor) else Symbol(term)


def _formal_role(name: str, value: Value) -> Role | None:
    role = role_of(value)
    return role and Role(role.kind, name, open=True, evidence="used")


class _Untold(Exception):
    """Something was left or returned that a summary cannot tell."""


@dataclass(frozen=True)
class _Making:
    """A summary that is being made.

    own: the terms that the function made. changed: what it did to names and attributes.
    """

    m: Machine
    code: ir.Code
    me: Value | None
    formals: Mapping[str, Value]
    symbols: Mapping[Term, Symbol]
    own: Set[Term]
    changed: Mapping[Key, Value | None]

    def outlives(self, key: Key, left: Value | None) -> bool:
        """Whether something was changed that is not the function's own."""
        owner, name = key
        if left == self.m.state.heap.get(key) or (isinstance(owner, Frame) and owner.parent is not None):
            return False
        if isinstance(owner, Role):  # a submodule that was looked at
            return not (isinstance(left, Object) and left.role.part_of is owner)
        if owner is self.me:
            return isinstance(name, str)
        if owner is SPENT and isinstance(name, Term):
            return self.own.isdisjoint(name.parts())
        term = owner.term if isinstance(owner, (Symbol, Instance)) else None
        return term is None or self.own.isdisjoint(term.parts())

    def left(self, key: Key, value: Value | None) -> Left:
        """What is left under a key. Raises _Untold where that cannot be said at a call site."""
        owner, name = key
        match owner:
            case Instance() if owner is self.me:
                whose: Value | Source | World | None = None
            case Symbol(term) if _follows(self.code, term):
                whose = owner
            case Api() | World():
                whose = owner
            case Frame(source=source):
                whose = source
            case _:
                raise _Untold
        if isinstance(name, Term) and not _follows(self.code, name):
            name = Term("new", "index", 0)
        return Left(whose, name, value and self.closed(value))

    def closed(self, value: Value) -> Value | None:
        """The value, if it follows from literals, names of libraries and of modules, and parameters alone.

        Raises _Untold where it does not, and more can be done with it than with one that is not known.
        """
        closed = _closed(self.code, value, self.formals)
        if closed is None and any(map(self._carries, parts_of(value))):
            raise _Untold
        return closed

    def handed(self, role: Role) -> Value | None:
        """An object that escapes, as a call site knows it; None of one that the function alone had."""
        formal = next((each for each in self.formals.values() if role_of(each) in role.wholes), None)
        if formal is not None:
            return formal
        symbol = next((each for each in self.symbols.values() if each.role is role), None)
        if symbol is None:
            around = (part for value in self.m.state.heap.everything() for part in parts_of(value))
            own = not any(role_of(part) is role for part in around)
        elif _follows(self.code, symbol.term):
            return symbol
        else:
            own = not self.own.isdisjoint(symbol.term.parts())
        if not own:
            raise _Untold
        return None

    def _carries(self, part: Value) -> bool:
        """More can be done with it than is known of a symbol; what code out of sight made of a model is as good as unknown."""
        if isinstance(part, Tensor):
            return "hidden" not in {made.how for made in part.history}
        if isinstance(part, Bound):
            return role_of(part.base) is not None
        if isinstance(part, Instance) and part.role is None:
            inside = [value for key, value in self.changed.items() if key[0] is part and value is not None]
            return not _is_data(self.m, part) or any(
                role_of(each) or isinstance(each, _CARRIERS) for value in inside for each in parts_of(value)
            )
        return role_of(part) is not None or isinstance(part, _CARRIERS)


def _closed(code: ir.Code, value: Value, formals: Mapping[str, Value]) -> Value | None:
    """The value, if it follows from literals, names of libraries and of modules, and parameters alone."""
    match value:
        case Const() | Api() | Scope(leave=None):
            return value
        case Object(Role(name=name)) | Instance(role=Role(name=name)) if formals.get(name) is value:
            return value
        case Tensor(Term(head="formal", operands=(_, str(name))) as term) if name in code.parameters.names:
            return value if value == formals.get(name) else None  # what was done to it, or computed of others too, would be lost
        case Symbol(term, role=None):
            return value if _follows(code, term) else None
        case Bound(Instance(term=Term(head="formal", operands=(_, str(name)))) as whole) if formals.get(name) is whole:
            return value
        case Items(values, keys):
            inner = _all_closed(code, values, formals)
            return None if inner is None else Items(inner, keys)
        case Partial():  # a criterion with its options, say
            inner = _all_closed(code, value.inside, formals)
            return None if inner is None else value.of(inner)
        case Choice(Test(key=Term() as key, counter=False), then, other) if _follows(code, key):
            arms = _closed(code, then, formals), _closed(code, other, formals)
            return Choice(value.test, arms[0], arms[1]) if arms[0] is not None and arms[1] is not None else None
        case _:
            return None


def _all_closed(code: ir.Code, values: Sequence[Value], formals: Mapping[str, Value]) -> tuple[Value, ...] | None:
    closed = [_closed(code, each, formals) for each in values]
    return tuple(each for each in closed if each is not None) if None not in closed else None


def _counted(value: Value) -> bool:
    """Whether a value depends on a counter: what that says of a window is told better at the call site."""
    return isinstance(value, Choice) and (value.test.counter or _counted(value.then) or _counted(value.other))


def _follows(code: ir.Code, term: Term) -> bool:
    return all(
        each.head not in ("new", "instance", "object", "mode", "Module", "Function", "Class", "output")
        and (each.head != "formal" or each.operands[0] == id(code))
        for each in term.parts()
    )


# using one


def applied(m: Machine, node: ir.Place, called: Function, summary: Summary, given: Mapping[str, Value]) -> Value | None:
    """What an inert function returns at a call site, after what it hands out and leaves; None where nobody knows.

    given: what is given for each parameter.
    """
    state, code = m.state, called.code
    at = state.call_site(node)
    m.reached |= summary.reached
    m.definitions |= summary.definitions
    if m.modules.noted and summary.noted and summary.noted is not m.modules.noted:
        m.modules.noted.borrow(summary.noted, summary.files)
    handed = [adopted for each in summary.escaped if (adopted := _adopted(state, instantiated(state, code, each, given, at)))]
    if handed:
        state.emit("escape", handed, node)
    for each in summary.grouped:
        state.join_group({_substituted(key, given, at): holds for key, holds in each.items()})
    value = None if summary.value is None else instantiated(state, code, summary.value, given, at)
    for bound in [_left(m, called, left, given, at) for left in summary.left]:  # all as it was when the function was called
        if bound is not None:
            _leave(m, *bound)
    return value


def _adopted(state: State, value: Value) -> Role | None:
    return adopt(state, value) if isinstance(value, Symbol) else role_of(value)


def _left(m: Machine, called: Function, left: Left, given: Mapping[str, Value], at: Term) -> tuple[Key, Value] | None:
    """What a function leaves, and under which key; None of a list or a dict that is known: it is read where one is handed in."""
    state = m.state
    match left.owner:
        case None:
            owner: Value | Frame | World | None = called.me
        case Source():
            owner = m.module_of(left.owner)
        case World():
            owner = left.owner
        case _:
            owner = instantiated(state, called.code, left.owner, given, at)
    if not isinstance(owner, (Symbol, Instance, Api, Frame, World)):
        return None
    name = _substituted(left.name, given, at) if isinstance(left.name, Term) else left.name
    if left.value is not None:
        value = instantiated(state, called.code, left.value, given, at)
    elif isinstance(owner, Instance):
        value = state.symbol(Term("attribute", owner.term, name), (), m.modules.default_of(str(name)))
    else:
        value = state.fresh(str(left.name) if isinstance(left.name, str) else "item")
    return (owner, name), value


def _leave(m: Machine, key: Key, value: Value) -> None:
    if isinstance(key[0], (Symbol, Instance, Api)):
        joined(m, role_of(key[0]), value)
    m.state.heap[key] = value


def instantiated(state: State, code: ir.Code, value: Value, given: Mapping[str, Value], at: Term) -> Value:
    """The value of a summary at a call site. given: what is given for each parameter. at: the call site."""
    match value:
        case Symbol(Term(head="formal", operands=(_, str(name)))) | Instance(term=Term(head="formal", operands=(_, str(name)))):
            return given.get(name, value)
        case Symbol(Term(head="attribute", operands=(Term(head="formal", operands=(_, str(of))), str(name)))) if (
            held := _held(state, given.get(of), name)
        ) is not None:
            return held
        case Bound(Instance(term=Term(head="formal", operands=(_, str(of)))), str(name)) if (whole := given.get(of)) is not None:
            held = _held(state, whole, name)
            unknown = Bound(whole, name) if role_of(whole) else state.symbol(Term("attribute", term_of(whole), name))
            return unknown if held is None else held
        case Object(Role(name=name)):
            return given.get(name, value)
        case Tensor(Term(head="formal", operands=(_, str(name)))):
            handed = given.get(name, value)  # or what is computed of it, which may have a graph
            return replace(handed, lost=frozenset()) if isinstance(handed, Tensor) else handed
        case Symbol(term):
            return state.symbol(_substituted(term, given, at), _names(term, given) | state.here.loops)
        case Items(values, keys):
            return Items(tuple(instantiated(state, code, each, given, at) for each in values), keys)
        case Partial():
            return value.of([instantiated(state, code, each, given, at) for each in value.inside])
        case Choice(test, then, other):
            arms = instantiated(state, code, then, given, at), instantiated(state, code, other, given, at)
            assert isinstance(test.key, Term)
            tested = _actual(test.key, given)
            if tested is not None:
                return chosen(state, truth(state, tested), *arms)
            term = _substituted(test.key, given, at)
            compared = test.subject, test.equals
            subject, equals = (_substituted(each, given, at) if isinstance(each, Term) else each for each in compared)
            names = _names(test.key, given) | state.here.loops
            return state.choice(state.test(term, names, subject=subject, equals=equals), *arms)
        case _:
            return value


def _held(state: State, whole: Value | None, name: str) -> Value | None:
    """What an object of the project has as an attribute."""
    return state.heap.get((whole, name)) if isinstance(whole, Instance) else None


def _actual(term: Term, given: Mapping[str, Value]) -> Value | None:
    """What is given for a parameter, of its term."""
    return given.get(str(term.operands[1])) if term.head == "formal" else None


def _substituted(term: Term, given: Mapping[str, Value], at: Term, known: dict[Term, Term] | None = None) -> Term:
    """The term with what is given for its parameters. known: of parts that were met; a term may hold one a million times.

    at: the call site. What the function makes with each call is another thing at each.
    """
    known = {} if known is None else known
    if term not in known:
        actual = _actual(term, given)
        parts = (_substituted(each, given, at, known) if isinstance(each, Term) else each for each in term.operands)
        made = Term("site", *term.operands, at) if term.head == "site" else None
        known[term] = made or (term_of(actual) if actual is not None else Term(term.head, *parts))
    return known[term]


def _names(term: Term, given: Mapping[str, Value]) -> frozenset[Term]:
    """What a term depends on, of what is given for its parameters."""
    found = [names_of(actual) for each in term.parts() if (actual := _actual(each, given)) is not None]
    return frozenset[Term]().union(*found)
