"""What a reader knows at one point of the program: the values of names, what has been assumed, what has been read so far."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeAlias

import libcst as cst

from loopcheck.bug import glossary
from loopcheck.loop import Either, Event, Fact, Leave, Region, Role, Seq, Test, alike
from loopcheck.read.source import Site
from loopcheck.read.store import Key, Store
from loopcheck.read.values import Choice, Const, Frame, Instance, Items, Params, Scope, Symbol, Tensor, Value, role_of

Condition: TypeAlias = "bool | Test | Not | And"
DEEPEST_CHOICE = 4
_EQUALITY = re.compile(r"^(\S+) Equal ('[^']*'|-?\d+|[\w.]*\.[A-Z][A-Z0-9_]*)$")
_MADE_UP = re.compile(r"#\d+|\w+@\d+\.|(?<=\()\[.*\](?=\))")
"""What is put into the key of a test: which pass, which call, and the values of arguments."""


@dataclass(frozen=True)
class Not:
    of: Condition


@dataclass(frozen=True)
class And:
    left: Condition
    right: Condition


def negate(condition: Condition) -> Condition:
    match condition:
        case bool():
            return not condition
        case Not(of):
            return of
        case _:
            return Not(condition)


def both(left: Condition, right: Condition) -> Condition:
    if isinstance(left, bool):
        return right if left else False
    if isinstance(right, bool):
        return left if right else False
    return And(left, right)


def either_of(left: Condition, right: Condition) -> Condition:
    return negate(both(negate(left), negate(right)))


class _Grad:
    """The owner of the variable that says whether autograd records."""


GRAD = (_Grad(), "grad")


class State:
    """Values, assumptions and the regions read so far. A layer of the reader: it knows no syntax."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.stack: tuple[object, ...] = ()
        self.store = Store()
        self.store[GRAD] = Scope(True)
        self.assumed: dict[Hashable, bool] = {}
        self.out: list[Region] = []
        self.live = True
        self.guards: tuple[cst.BaseExpression, ...] = ()
        self.counters: set[str] = set()
        self.zero_based: frozenset[str] = frozenset()
        self.tests: dict[Hashable, Test] = {}
        self.symbols: dict[str, Symbol] = {}
        self.made: list[str] = []
        self.emitted = 0
        self.forked = 0
        self.kept: dict[Role, Mapping[str, object]] = {}

    # values

    def name(self, label: str) -> str:
        """A name for a value that is made here, unlike any other."""
        name = f"{label}#{len(self.made)}"
        self.made.append(name)
        return name

    def fresh(self, label: str, counter: bool = False) -> Symbol:
        """A value that nothing is known of, other than any before."""
        name = self.name(label)
        if counter:
            self.counters.add(name)
        return Symbol(name, frozenset([name]))

    def symbol(self, key: str, names: Iterable[str] = (), default: Const | None = None) -> Symbol:
        """The unknown value of this key, the same one each time."""
        symbol = self.symbols.setdefault(key, Symbol(key, default=default))
        symbol.names |= frozenset(names)
        return symbol

    def settled(self, value: Value) -> Value:
        """The value under what is assumed here."""
        while isinstance(value, Choice) and value.test.key in self.assumed:
            value = value.then if self.assumed[value.test.key] else value.other
        return value

    def test(self, key: str, names: frozenset[str]) -> Test:
        if key not in self.tests:
            subject, equals = compared.groups() if (compared := _EQUALITY.match(key)) else (None, None)
            counter, shown = bool(names & self.counters), _MADE_UP.sub("", key)
            self.tests[key] = Test(key, names, counter, subject=subject, equals=equals, text=shown)
        return self.tests[key]

    # regions

    def emit(
        self,
        verb: str,
        on: Iterable[Role],
        node: cst.CSTNode,
        facts: Mapping[str, Fact | None] | None = None,
        names: Mapping[str, str] | None = None,
        open: bool = False,
    ) -> Event:
        """Something happens here. Raises TypeError where the verb or a fact is not in the glossary."""
        strange = set(facts or {}) - set(glossary[verb].facts) if verb in glossary else {verb}
        if strange:
            raise TypeError(f"the glossary (loopcheck.verbs) has no {', '.join(sorted(strange))} of {verb!r}")
        known = {name: fact for name, fact in (facts or {}).items() if fact is not None}
        spelled = self.spelled()
        words = dict(_only(spelled))
        words.update(names or {})
        event = Event(verb, tuple(dict.fromkeys(on)), self.site(node), known, words, spelled, open)
        if self.live:
            self.emitted += 1
            self.out.append(event)
        return event

    def site(self, node: cst.CSTNode) -> Site:
        """A place in the file that is read, reached as it is now; of a framework's code, where the program calls it."""
        call = self.frame.call
        return Site(call.source, call.node, self.stack, node) if call else Site(self.frame.source, node, self.stack)

    def leave(self, how: str) -> None:
        if self.live:
            self.out.append(Leave(how))
        self.live = False

    def block(self, read: Callable[[], object]) -> Region:
        """The region that `read` emits; what it assumed is forgotten with it."""
        before, assumed = self.out, dict(self.assumed)
        self.out = []
        try:
            read()
            return Seq(tuple(self.out))
        finally:
            self.out, self.assumed = before, assumed

    def branch(self, condition: Condition, then: Callable[[], object], other: Callable[[], object] = lambda: None) -> None:
        """Read `then` where the condition holds and `other` where it does not, and go on with what both leave behind."""
        match condition:
            case bool():
                (then if condition else other)()
            case Not(of):
                self.branch(of, other, then)
            case And(left, right):
                self.branch(left, lambda: self.branch(right, then, other), other)
            case Test(key) if key in self.assumed:
                (then if self.assumed[key] else other)()
            case Test():
                self._either(condition, then, other)

    def _either(self, test: Test, then: Callable[[], object], other: Callable[[], object]) -> None:
        self.forked += 1
        arms = []
        for outcome, read in ((True, then), (False, other)):
            changed: dict[Key, Value | None] = {}
            self.live = True
            self.assumed[test.key] = outcome
            with self.store.arm(changed):
                region = self.block(read)
            arms.append((region, changed, self.live))
        (first, held, falls), (second, held_not, falls_not) = arms
        del self.assumed[test.key]
        self.live = True
        self.out.append(first if alike(first, second) else Either(test, first, second))
        self.live = falls or falls_not
        if falls and falls_not:
            self._join(test, held, held_not)
        else:
            self._take(held if falls else held_not)
            self.assumed[test.key] = falls

    def _join(self, test: Test, then: Mapping[Key, Value | None], other: Mapping[Key, Value | None]) -> None:
        """Of every name that an arm changed, the one value under the test and the other without."""
        for key in [*then, *(key for key in other if key not in then)]:
            mine, theirs = then.get(key, self.store.get(key)), other.get(key, self.store.get(key))
            if mine is None or theirs is None or mine is theirs or mine == theirs:
                value = mine or theirs
            else:
                value = self.choice(test, mine, theirs, key[1])
            if value is not None:
                self.store[key] = value

    def _take(self, changed: Mapping[Key, Value | None]) -> None:
        for key, value in changed.items():
            if value is None:
                self.store.forget(key)
            else:
                self.store[key] = value

    def choice(self, test: Test, then: Value, other: Value, name: str = "") -> Value:
        """One value under the test and another without, as simple as it can be said. name: what it is bound to."""
        if then == other:
            return then
        if isinstance(then, Tensor) and isinstance(other, Tensor) and then.scaler == other.scaler:
            divided = None if then.divided is None or other.divided is None else then.divided or other.divided
            return Tensor(then.key, then.models | other.models, then.scaler, divided, then.open or other.open)
        if max(_depth(then), _depth(other)) >= DEEPEST_CHOICE:
            joined = self.fresh("joined")
            joined.label = name
            return joined
        return Choice(test, then, other)

    def asks_mode(self, condition: Condition) -> bool:
        """A condition that asks whether a model is in train mode."""
        match condition:
            case Test(key):
                return ".training" in str(key)
            case Not(of):
                return self.asks_mode(of)
            case And(left, right):
                return self.asks_mode(left) or self.asks_mode(right)
            case _:
                return False

    def each(self, value: Value, use: Callable[[Value], Value]) -> Value:
        """`use` the value; where it is one of two, either under its test."""
        value = self.settled(value)
        if not isinstance(value, Choice):
            return use(value)
        results: list[Value] = []
        then, other = value.then, value.other
        self.branch(
            value.test,
            lambda: results.append(self.each(then, use)),
            lambda: results.append(self.each(other, use)),
        )
        return self.choice(value.test, results[0], results[1]) if len(results) == 2 else results[0]

    @contextmanager
    def inside(self, *site: object) -> Iterator[None]:
        """Read on from a call or an unrolled pass: its events have sites of their own."""
        before = self.stack
        self.stack = (*self.stack, *site)
        try:
            yield
        finally:
            self.stack = before

    def spelled(self) -> dict[Role, str]:
        """How the objects in scope are written here."""
        spelled: dict[Role, str] = {}
        owners: dict[object, str] = {}
        frame: Frame | None = self.frame
        while frame:
            owners.setdefault(frame, "")
            if frame.me is not None:
                owners.setdefault(frame.me, "self.")
            frame = frame.parent
        for owner, prefix in owners.items():
            for name, value in self.store.of(owner).items():
                role = role_of(self.settled(value))
                if role and len(spelled.get(role, "~" * 99)) > len(prefix + name):
                    spelled[role] = prefix + name
        return spelled


def _only(spelled: Mapping[Role, str]) -> Iterator[tuple[str, str]]:
    kinds = [role.kind for role in spelled]
    return ((role.kind, text) for role, text in spelled.items() if kinds.count(role.kind) == 1)


def _depth(value: Value) -> int:
    return 1 + max(_depth(value.then), _depth(value.other)) if isinstance(value, Choice) else 0


def names_of(value: Value) -> frozenset[str]:
    """What a value depends on."""
    match value:
        case Symbol(names=names):
            return names
        case Tensor(key):
            return frozenset([key])
        case Choice(test, then, other):
            return test.names | names_of(then) | names_of(other)
        case Items(values):
            return frozenset[str]().union(*(names_of(each) for each in values))
        case _:
            return frozenset()


def key_of(value: Value) -> str:
    """The same text for the same value."""
    match value:
        case Const(constant):
            return repr(constant)
        case Symbol(key) | Tensor(key):
            return key
        case Choice(test, then, other):
            return f"({key_of(then)} if {test.key} else {key_of(other)})"
        case Items(values):
            return f"[{', '.join(key_of(each) for each in values)}]"
        case Params():
            return "parameters"
        case Instance(key=key, role=None):
            return key
        case _:
            role = role_of(value)
            return f"{type(value).__name__} {role.name}" if role else getattr(value, "name", type(value).__name__)
