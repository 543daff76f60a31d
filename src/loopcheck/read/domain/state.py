"""All that is known at one point of a program, and the three ways to go on from it: `within`, `fork`, `block`.

Nothing else saves or restores anything. What a branch does to variables is kept apart by the heap's journal and joined after it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from functools import reduce
from itertools import combinations
from typing import Any, TypeGuard, TypeVar, cast

from loopcheck.api import VARIED
from loopcheck.bug import glossary
from loopcheck.loop import Decision, Either, Event, Fact, Leave, Region, Repeat, Role, Seq, Test, alike
from loopcheck.loop import Frame as CallRegion
from loopcheck.read.domain.choices import Chosen, chosen_activation, flattened
from loopcheck.read.domain.conditions import AND, And, Condition, Not, decision, implied, key_of, negate, resolved, tests_of
from loopcheck.read.domain.heap import Certain, Heap, Key
from loopcheck.read.domain.here import Here, Pass
from loopcheck.read.domain.parts import entries_of, leaves_of, names_of, parts_of, role_of, roles_in
from loopcheck.read.domain.terms import Term
from loopcheck.read.domain.values import (
    MOST_PARTS,
    NONE,
    Choice,
    Const,
    Frame,
    Instance,
    Items,
    Object,
    Params,
    Scope,
    Stream,
    Symbol,
    Tensor,
    Value,
    depth,
    weight,
)
from loopcheck.read.front import ir
from loopcheck.read.front.source import Entered, Site

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

DEEPEST_CHOICE = 4
"""Tests that one value may depend on; of what depends on more only the kind is known, and what it was built from."""
MOST_ALTERNATIVES = 32
"""Objects of which one in place of many is known to be one: each is judged by itself."""
_LONG = "~" * 99
"""As long as no name that is spoken of."""
_EVIDENCE = ("built", "annotated", "used", "named")


class Exhausted(Exception):
    """More tests were read both ways than may be."""


class Eventful(Exception):
    """Something happened that was asked not to."""


class _Grad:
    """The owner of the variable that says whether autograd records."""


GRAD = (_Grad(), "grad")


UNREAD = Term("unread")
"""The attribute of an object whose constructor has bound none: it was not read, most often, as it does nothing to training, and
the object has attributes that nobody saw."""


class World:
    """The owner of what is known of the group of processes."""


WORLD = (World(), "size")
"""How many processes are in the group, as far as the call says that makes it."""


class _Within:
    """Sets where the interpreter is, and puts it back. A class of its own, for it is made at every call, loop and test."""

    __slots__ = ("_before", "_changes", "_state")

    def __init__(self, state: State, before: Here, changes: Mapping[str, Any]) -> None:
        self._state, self._before, self._changes = state, before, changes

    def __enter__(self) -> None:
        here = object.__new__(Here)
        here.__dict__.update(self._before.__dict__)
        here.__dict__.update(self._changes)
        self._state.here = here

    def __exit__(self, *error: object) -> None:
        self._state.here = self._before


class State:
    """Variables, the path condition and the events so far.

    assumed: the path condition, the outcome of each test, and of each condition put together from tests, that it decides.
    conditions: those tests and conditions, by their keys. live: control can get here. out: the regions of the block that is read.
    kept: what the vocabulary knows of objects. frozen: models whose parameters need no gradient; unsettled: those of which the
    user decides. renewed: those of them that were given new layers since, and these. stilled: models some of whose parameters
    were, on some path. arms: the objects that one stands for in place of many. begins: the numbers that counters begin at; least:
    of those that go up, what they are no less than; entered: what variables were before they were counted, and before a loop that
    binds them. before: of what `n += 1` has made of a counter, what it was. groups: the optimizers of whose groups a value is
    any. leaves: tensors that were told to have a gradient of their own; trained: those that an optimizer has by themselves.
    unsure: see `Event.unsure`. unbound: what names and options are worth that one arm of a branch alone has bound, with the test
    and its outcome there. retained: the losses that were added to what outlives their pass. logged: the activations that were
    given probabilities, of whose values the logarithm was taken. walked: what a backward has shown to have a graph. learned:
    dictionaries that hold a loss that was, unless something in them is another now. applied: the forwards by what they put out;
    inputs: what they were given, by the same; walks: the backwards, with what they put out that the losses came from. unread:
    those of passes that are over and train nothing, and those in no loop, which nothing out of sight may hold, while nobody has
    taken the numbers of what they put out, each with its pass; searching: of these, those of methods that take numbers themselves
    and keep graphs in lists of their own, as a beam search does. taken: those of whose outputs somebody has taken the numbers.
    untold: gradients were asked for of something out of sight. held_out: those that names say are of data that is not trained on,
    with that data where it is not told apart by a mask. taught_by: what was given to a network that has learned from it; batches:
    of what loops and iterators hand out, the loaders. methods: of what methods of models have put out, which ones; recording:
    those that a backward has gone through, which so leave autograd on; doubted: the forwards of others, of which only that is not
    known; acting: those of policies that choose actions, with whether their graphs are kept, of which nothing is told where
    something learns. taught: the models that a backward has reached. buffers: the variables that were made to be written into.
    tallies: what batches came to, added up, by how that is written, with the pass. handed_on: the passes over loaders that
    generators begin, and whoever draws from these is in. files: those that were read, by what reading them returned; filled: of
    what is made of parts of one, such a part; asked: those of which it was asked how far training had come; goes_on: those that
    say where a loop begins; written_again: those of whose names checkpoints are written, in no loop in which they were read.
    grouped: the path conditions under which this process has joined others. inert: what may still happen, where code is tried for
    doing nothing. united: the values in place of many, by their terms. postponed: the parameters that generator expressions draw,
    by what these are. at_large: by the names of methods, `__call__` for functions, the objects that they do something to, of what
    code out of sight may keep. bests: the models that another name has as the best, each with the state that this would be of.
    """

    def __init__(self, frame: Frame) -> None:
        self.here = Here(frame)
        self.heap = Heap()
        self.heap[GRAD] = Scope(True)
        self.assumed: dict[Term, bool] = {}
        self.live = True
        self.out: list[Region] = []
        self.kept: dict[Role, Mapping[str, object]] = {}
        self.frozen: frozenset[Role] = frozenset()
        self.unsettled: frozenset[Role] = frozenset()
        self.renewed: frozenset[Role] = frozenset()
        self.arms: dict[Role, tuple[Role, ...]] = {}
        self.united: dict[Hashable, Symbol] = {}
        self.stilled: set[Role] = set()
        self.postponed: dict[Term, Params] = {}
        self.at_large: dict[str, dict[Role, None]] = {}
        self.toggled: set[Role] = set()
        self.leaves: set[Term] = set()
        self.trained: dict[Term, Role] = {}
        self.made: list[Term] = []
        self.counters: set[Term] = set()
        self.begins: dict[Term, int] = {}
        self.least: dict[Term, int] = {}
        self.entered: dict[Term, Value] = {}
        self.before: dict[Term, Term] = {}
        self.groups: dict[Term, tuple[Role, ...]] = {}
        self.conditions: dict[Term, Test | And] = {}
        self._compared: dict[Hashable, list[Test]] = {}
        self.symbols: dict[Term, Symbol] = {}
        self.emitted = 0
        self.forked = 0
        self.most_forks = 10**9
        self.unsure: Mapping[Role, str] = {}
        self.unbound: dict[object, dict[Any, tuple[Value, Term, bool]]] = {}
        self.retained: list[Event] = []
        self.logged: list[Event] = []
        self.walked: set[tuple[Term, str]] = set()
        self.learned: dict[Term, bool] = {}
        self.applied: dict[Term, Event] = {}
        self.inputs: dict[Term, tuple[Term, ...]] = {}
        self.walks: list[tuple[Event, frozenset[Term]]] = []
        self.unread: dict[Event, Hashable] = {}
        self.taken: set[Event] = set()
        self.searching: set[Event] = set()
        self.untold = False
        self.held_out: dict[Event, Term | None] = {}
        self.taught_by: set[Term] = set()
        self.batches: dict[Term, frozenset[Role]] = {}
        self.methods: dict[Term, tuple[Hashable, str]] = {}
        self.recording: set[tuple[Hashable, str]] = set()
        self.taught: set[Role] = set()
        self.doubted: set[Event] = set()
        self.acting: dict[Event, bool | None] = {}
        self.buffers: set[Key] = set()
        self.tallies: dict[tuple[Frame, str], tuple[Pass, Event]] = {}
        self.handed_on: set[Event] = set()
        self.files: dict[Term, Role] = {}
        self.filled: dict[Term, Term] = {}
        self.asked: set[Role] = set()
        self.goes_on: set[Role] = set()
        self.written_again: set[Role] = set()
        self.grouped: list[Mapping[Term, bool]] = []
        self.bests: dict[Role, Role] = {}
        self.inert: Callable[[str, Iterable[Role]], bool] | None = None

    # where

    @property
    def frame(self) -> Frame:
        return self.here.frame

    def variable(self, name: str) -> Key:
        """The variable that code binds here by this name."""
        return self.frame.home(name), name

    def within(self, **changes: Any) -> AbstractContextManager[None]:
        """Read on where some of `Here` is different; afterwards it is as before."""
        return _Within(self, self.here, changes)

    def inside(self, *site: object) -> Any:
        """Read on from a call or an unrolled pass: its events have sites of their own."""
        return self.within(calls=(*self.here.calls, *site))

    @contextmanager
    def elsewhere(self, frame: Frame) -> Iterator[None]:
        """Read on in another module, whatever is being read here and under whatever condition."""
        before = self.here, self.assumed, self.live
        self.here, self.assumed, self.live = Here(frame), {}, True
        try:
            with self.heap.whichever_arm():
                yield
        finally:
            self.here, self.assumed, self.live = before

    @contextmanager
    def undone(self) -> Iterator[None]:
        """Read something after which everything is as it was before."""
        before = self.frozen, self.unsettled, self.renewed
        try:
            with self.heap.arm({}):
                yield
        finally:
            self.frozen, self.unsettled, self.renewed = before

    def site(self, node: ir.Place) -> Site:
        """A place in the file that is read, reached as it is now; of a framework's code, where the program calls it."""
        call = self.frame.call
        if call:
            return Site(call.source, call.node, self.here.calls, Entered(self.frame.source, node))
        return Site(self.frame.source, node, self.here.calls)

    # values

    def call_site(self, node: ir.Place) -> Term:
        """The term of a call as it is reached now: what it makes is another thing at each call site, and by each way there."""
        return Term("site", id(node), hash(self.here.calls))

    def new(self, label: str, head: str = "new") -> Term:
        """A term for a value that is made here, unlike any other."""
        term = Term(head, label, len(self.made))
        self.made.append(term)
        return term

    def fresh(self, label: str, counter: bool = False) -> Symbol:
        """A value that nothing is known of, other than any before."""
        term = self.new(label)
        if counter:
            self.counters.add(term)
        return Symbol(term, frozenset([term]))

    def symbol(self, term: Term, names: Collection[Term] = (), default: Const | None = None) -> Symbol:
        """The unknown value of this term, the same one each time."""
        symbol = self.symbols.get(term)
        if symbol is None:
            symbol = self.symbols[term] = Symbol(term, default=default)
        elif symbol.default is None:
            symbol.default = default
        if names and not symbol.names.issuperset(names):
            symbol.names = symbol.names.union(names)
        return symbol

    def note_batch(self, element: Value, over: Value) -> None:
        """What a loop or `next` hands out is a batch of the loaders that it is over, where it is of any."""
        of = over.of if isinstance(over, Stream) else (over,)
        loaders = frozenset(role for each in of for role in roles_in(each) if role.kind == "loader")
        if loaders and isinstance(element, Symbol):
            self.batches[element.term] = loaders

    @property
    def records(self) -> bool | None:
        """Whether autograd records here; None where that cannot be told."""
        scope = self.heap[GRAD]
        return scope.grad if isinstance(scope, Scope) else None

    @property
    def wants_graphs(self) -> bool:
        """Whether autograd is turned on here by hand, or by a choice."""
        scope = self.heap[GRAD]
        return isinstance(scope, Scope) and scope.wanted and scope.grad is True

    @contextmanager
    def recording_as(self, scope: Value | None = None) -> Iterator[None]:
        """Interpret under a scope of autograd, the one around if none is given; it ends also where a summary is given up."""
        before = self.heap[GRAD]
        if scope is not None:
            self.heap[GRAD] = scope
        try:
            yield
        finally:
            self.heap[GRAD] = before

    def computed(self, tensor: Tensor) -> Tensor:
        """What an operation that is done here makes of a tensor: without autograd it has no graph, whatever it is made of."""
        return tensor.detached() if self.records is False else tensor

    def regained(self, tensor: Tensor) -> Tensor:
        """A tensor that may have a graph again, whatever it was cut from: one that was told to have a gradient of its own has."""
        known = replace(tensor, lost=frozenset())
        return known.made("leaf") if tensor.term in self.leaves else known

    def settled(self, value: Value) -> Value:
        """The value under the path condition."""
        while isinstance(value, Choice) and value.test.key in self.assumed:
            value = value.then if self.assumed[value.test.key] else value.other
        return value

    def test(self, term: Term, names: frozenset[Term], **more: Any) -> Test:
        """The test that a term is true, the same one each time. Where another one holds that excludes it, it does not."""
        test = self.conditions.get(term)
        if test is None:
            counter = not self.counters.isdisjoint(names)
            test = self.conditions[term] = Test(term, names, counter=counter, text=term.text, **more)
            if test.subject is not None:
                self._compared.setdefault(test.subject, []).append(test)
        assert isinstance(test, Test)
        if test.subject is not None and term not in self.assumed and any(map(self._holds, self._rivals(test))):
            self.assumed[term] = False
        return test

    def _rivals(self, test: Test) -> Iterator[Test]:
        """The tests that cannot hold with this one: a value is not equal to two constants."""
        return filter(test.excludes, self._compared.get(test.subject, ()))

    def _holds(self, test: Test) -> bool:
        return self.assumed.get(test.key) is True  # type: ignore[call-overload]

    def known(self, test: Test) -> Test:
        """A test of which more is known than before."""
        self.conditions[test.key] = test  # type: ignore[index]
        return test

    def choice(self, condition: Condition, then: Value, other: Value, name: str = "") -> Value:
        """One value where the condition holds and another where it does not, as simple as it can be said.

        name: what it is bound to.
        """
        if isinstance(condition, Test):
            return self._choice(condition, then, other, name)
        return self._decided(decision(condition), then, other, name)

    def _decided(self, tree: Decision, then: Value, other: Value, name: str) -> Value:
        if isinstance(tree, bool):
            return then if tree else other
        test = tree.test
        first = self._decided(tree.then, _taken(then, test, True), _taken(other, test, True), name)
        second = self._decided(tree.other, _taken(then, test, False), _taken(other, test, False), name)
        return self._choice(test, first, second, name)

    def _choice(self, test: Test, then: Value, other: Value, name: str) -> Value:
        then, other = _taken(then, test, True), _taken(other, test, False)
        if then is other or then == other:
            return then
        if isinstance(then, Tensor) and isinstance(other, Tensor) and then.scaler == other.scaler:
            merged = then.merged(other)
            if then.models and other.models and then.by_choice != other.by_choice:
                chosen = flattened(Chosen(test, then.by_choice, other.by_choice))
                merged = replace(merged, chosen=chosen if isinstance(chosen, Chosen) else None)
            if bool(then.models) is not bool(other.models):  # one of them has a graph
                merged = merged.doubted(name)
            return replace(merged, activation=chosen_activation(cast(Term, test.key), then.activation, other.activation))
        if pairs := _places(then, other):
            return Items(tuple(self._choice(test, *pair, name) for pair in pairs))
        if max(depth(then), depth(other)) >= DEEPEST_CHOICE or weight(then) + weight(other) > MOST_PARTS:
            return self._united([*leaves_of(then), *leaves_of(other)], name)
        return Choice(test, then, other)

    def _checkpoint(self, values: Sequence[Value]) -> Value:
        """One dictionary of states in place of many: all that one of them holds may be in the file."""
        found: dict[object, dict[Value, None]] = {}
        for value in values:
            for key, each in entries_of(value).items():
                found.setdefault(key, {}).update(dict.fromkeys(leaves_of(each)))
        held = {key: next(iter(of)) if len(of) == 1 else self._united(list(of), str(key)) for key, of in found.items()}
        return Items(tuple(held.values()), tuple(held))

    def _one_of(self, values: Sequence[Value], name: str) -> Value:
        """One value in place of several, which may all be the same."""
        if all(each == values[0] for each in values):
            return values[0]
        return self._united([leaf for each in values for leaf in leaves_of(each)], name)

    def _united(self, values: Sequence[Value], name: str) -> Value:
        """One value in place of many: of objects of one kind an object of that kind, built from all that they are built from.

        Some of the many may be unknown: `opt_class(parameters)` where no name was met.
        """
        solid = [value for value in values if value != NONE]
        params = [value for value in solid if isinstance(value, Params)]
        if params and len(params) == len(solid):
            return reduce(Params.merged, params)
        if all(isinstance(value, Items) and value.keys is not None for value in values) and any(map(_has_states, values)):
            return self._checkpoint(values)
        alike = [value for value in values if isinstance(value, Items) and value.keys is None]
        if len(alike) == len(values) and len({len(value.values) for value in alike}) == 1:
            columns = zip(*(value.values for value in alike), strict=True)
            return Items(tuple(self._one_of(column, name) for column in columns))
        term = self.new("joined")
        united = self.symbol(term, [term])
        united.label = name
        self.united[term] = united
        roles = [role for value in solid if (role := role_of(value)) is not None]
        unknown = [value for value in solid if isinstance(value, Symbol) and value.role is None]
        if len(roles) > len(unknown) == len(solid) - len(roles) and len({role.kind for role in roles}) == 1:
            of = tuple(dict.fromkeys(source for role in roles for source in role.of))
            weakest = max((role.evidence for role in roles), key=_EVIDENCE.index)
            united.role = Role(roles[0].kind, name, of, open=bool(unknown) or any(role.open for role in roles), evidence=weakest)
            united.role.one_of = () if unknown else _alternatives(roles)
            united.role.under = _shared(*(role.under for role in roles))
            self.arms[united.role] = tuple(dict.fromkeys(arm for role in roles for arm in self.arms.get(role, (role,))))
            self.kept[united.role] = _shared(*(self.kept.get(role, {}) for role in roles))
            self._built_as_any(united.role)
        return united

    def _built_as_any(self, one: Role) -> None:
        """A model in place of many is made where each of them is: it begins in the mode that they do."""
        built = [role.built for role in self.arms[one]]
        if one.kind == "model" and all(built):
            for event in filter(None, built):
                event.on = (*event.on, one)

    # events and regions

    def emit(
        self,
        verb: str,
        on: Iterable[Role],
        node: ir.Place,
        facts: Mapping[str, Fact | None] | None = None,
        names: Mapping[str, str] | None = None,
        open: bool = False,
        origins: tuple[tuple[str, Site], ...] = (),
    ) -> Event:
        """Something happens here.

        Raises TypeError where the verb or a fact is not in the glossary, and Eventful where nothing may happen.
        """
        strange = set(facts or {}) - set(glossary[verb].facts) if verb in glossary else {verb}
        if strange:
            raise TypeError(f"the glossary (loopcheck.verbs) has no {', '.join(sorted(strange))} of {verb!r}")
        on = tuple(dict.fromkeys(on))
        if self.inert is not None and self.live and not self.inert(verb, on):
            raise Eventful
        known = {name: fact for name, fact in (facts or {}).items() if fact is not None}
        spelled, unbound = self._names()
        words = dict(_only(spelled))
        words.update(names or {})
        unsure = {**self.unsure, **unbound}
        supposed = self.here.supposed
        event = Event(verb, on, self.site(node), known, words, spelled, open, unsure, origins=origins, supposed=supposed)
        if any(role.one_of for role in on) and not self._asks_for_united():
            event.also = tuple(each for role in on for each in role.one_of)
        if verb == "build":
            for role in on:
                role.built, role.under = event, dict(self.assumed.items())
        if self.live:
            self.emitted += 1
            self.out.append(event)
        return event

    def emit_of_left(
        self,
        verb: str,
        term: Term,
        node: ir.Place,
        facts: Mapping[str, Fact | None] | None = None,
        of: frozenset[Role] = frozenset(),
    ) -> None:
        """Something happens to the states that the pass before has left in a variable, which is known at the end of the loop.

        of: the objects whose states these have to be; none of whichever.
        """
        for turn in self.here.passes:
            if term in turn.entries or any(begun is term for begun in turn.variables.values()):
                turn.asked.append((self.emit(verb, [], node, facts), term, of))

    def _asks_for_united(self) -> bool:
        """Whether the path condition asks for a value in place of many: that may tell alternatives apart, and nobody knows how.

        That an object in place of many is there tells nothing.
        """
        tests = {test.key: test for key in self.assumed if key in self.conditions for test in tests_of(self.conditions[key])}
        asked = (test.names for key, test in tests.items() if role_of(self.united.get(key)) is None)
        return any(not self.united.keys().isdisjoint(names) for names in asked)

    def shared(self) -> None:
        """Something is read or bound here that may be bound anywhere. Raises Eventful where nothing may happen."""
        if self.inert is not None and self.live:
            raise Eventful

    def join_group(self, under: Mapping[Term, bool] | None = None) -> None:
        """This process is one of several from here on. under: what was assumed besides the path condition, in a call."""
        if self.live:
            self.grouped.append({**self.assumed, **(under or {})})

    @property
    def by_itself(self) -> bool:
        """Whether the program joins other processes on ways alone that the path condition excludes."""
        excluded = (any(self.outcome(key) is (not holds) for key, holds in each.items()) for each in self.grouped)
        return bool(self.grouped) and all(excluded)

    def leave(self, how: str) -> None:
        """Control goes elsewhere, and does not come to what stands next."""
        if self.live:
            self.out.append(Leave(how))
        self.live = False

    def block(self, read: Callable[[], object]) -> Region:
        """The region that `read` emits; what it assumed is forgotten with it."""
        before, assumed = self.out, dict(self.assumed)
        self.out = []
        try:
            read()
            return Seq(tuple(_told(self.out)))
        finally:
            self.out, self.assumed = before, assumed

    def branch(self, condition: Condition, then: Callable[[], object], other: Callable[[], object] = lambda: None) -> None:
        """Read `then` where the condition holds and `other` where it does not, each once, and go on with what both leave."""
        match self.resolved(condition):
            case bool(holds):
                (then if holds else other)()
            case Not(of):
                self.branch(of, other, then)
            case undecided:
                self._fork(undecided, then, other)

    def under(self, assumed: Mapping[Term, bool], run: Callable[[], object]) -> None:
        """Read on where this path condition holds."""
        undecided = next((key for key in assumed if self.outcome(key) is None), None)
        if undecided is not None:
            found, rest = self.conditions[undecided], {key: outcome for key, outcome in assumed.items() if key is not undecided}
            self.branch(found if assumed[undecided] else negate(found), lambda: self.under(rest, run))
        elif self.live and all(self.outcome(key) is outcome for key, outcome in assumed.items()):
            run()

    def resolved(self, condition: Condition) -> Condition:
        """What the path condition leaves of a condition."""
        if isinstance(condition, Test):
            return self.assumed.get(condition.key, condition)  # type: ignore[call-overload, no-any-return]
        return condition if isinstance(condition, bool) else resolved(condition, self.assumed)

    def outcome(self, key: Term) -> bool | None:
        """The outcome of the test or the condition of this key, where the path condition decides it."""
        if key in self.assumed:
            return self.assumed[key]
        found = self.resolved(self.conditions[key]) if key in self.conditions else None
        return found if isinstance(found, bool) else None

    def _fork(self, condition: Test | And, then: Callable[[], object], other: Callable[[], object]) -> None:
        self.forked += 1
        if self.forked > self.most_forks:
            raise Exhausted
        before = self.assumed
        arms = []
        for outcome, read in ((True, then), (False, other)):
            changed: dict[Key, Value | None] = {}
            self.live = True
            self.assumed = self._assuming(before, condition, outcome)
            with self.heap.arm(changed):
                region = self.block(read)
            arms.append((region, changed, self.live))
        (first, held, falls), (second, held_not, falls_not) = arms
        self.assumed = before
        self.live = True
        self.out.append(first if alike(first, second) else _either(condition, first, second))
        self.live = falls or falls_not
        if falls and falls_not:
            self._join(condition, held, held_not)
        else:
            self.take(held if falls else held_not)
            self.assumed = self._assuming(before, condition, falls)

    def _assuming(self, before: Mapping[Term, bool], condition: Test | And, outcome: bool) -> dict[Term, bool]:
        """The path condition with this outcome of a condition, and what follows from it."""
        key = key_of(condition)
        new = {key: outcome} if isinstance(condition, Test) else {key: outcome, **implied(condition, outcome)}
        assumed = {**before, **new}
        self.conditions[key] = condition
        while new:  # what was assumed of conditions may decide tests of theirs now
            asked = [
                (known, holds)
                for each, holds in assumed.items()
                if each.head == AND and isinstance(known := self.conditions[each], And) and not known.tests.isdisjoint(new)
            ]
            decided = [implied(resolved(each, assumed), holds) for each, holds in asked]
            new = {test: value for found in decided for test, value in found.items() if test not in assumed}
            assumed.update(new)
        return assumed

    def _join(self, condition: Test | And, then: Mapping[Key, Value | None], other: Mapping[Key, Value | None]) -> None:
        """Of every name that an arm changed, the one value where the condition holds and the other where it does not."""
        for key in [*then, *(key for key in other if key not in then)]:
            before = self.heap.get(key)
            value = self.either(key, condition, then.get(key, before), other.get(key, before))
            if value is not None:
                self.heap[key] = value
            elif isinstance(key[0], Certain):
                self.heap.forget(key)

    def either(self, key: Key, condition: Test | And, then: Value | None, other: Value | None) -> Value | None:
        """What a name is worth that has one value, or none, where the condition holds and another where it does not."""
        if then is not None and other is not None and then is not other and then != other:
            return self.choice(condition, then, other, key[1] if isinstance(key[1], str) else "")
        if then is not None and other is not None:
            return then
        owner, name = key
        value = then or other
        if isinstance(owner, Certain):  # known on one way only, which is enough of what is made on no other
            return value if isinstance(name, Role) and self._is_left_out(name, condition, then is None) else None
        literal = value is not None and all(isinstance(leaf, Const) for leaf in leaves_of(value))
        if literal and isinstance(name, str) and self._comes_from_outside(owner):
            unset = self.symbol(Term("attribute", owner.term, name), names_of(owner))  # what it was, nobody has seen
            return self.choice(condition, then or unset, other or unset, name)
        if value is not None and isinstance(owner, (Frame, Symbol, Instance)):
            self.unbound.setdefault(owner, {})[name] = value, key_of(condition), then is not None
        return value

    def _comes_from_outside(self, owner: object) -> TypeGuard[Symbol | Instance]:
        """An object that somebody else has made, and bound attributes of: one that nothing is known of, a parameter, or one whose
        constructor was not read."""
        unseen = isinstance(owner, Instance) and (owner.term.head == "formal" or (owner, UNREAD) in self.heap)
        return unseen or isinstance(owner, Symbol)

    def _is_left_out(self, role: Role, condition: Test | And, outcome: bool) -> bool:
        """Whether an object was made on ways alone that this outcome of a condition excludes."""
        assumed = self._assuming(self.assumed, condition, outcome)
        known = ((made, resolved(self.conditions[test], assumed)) for test, made in role.under.items() if test in self.conditions)
        return any(found is (not made) for made, found in known)

    def take(self, changed: Mapping[Key, Value | None]) -> None:
        """Go on with what an arm has made of each name."""
        for key, value in changed.items():
            if value is None:
                self.heap.forget(key)
            else:
                self.heap[key] = value

    def each(self, value: Value, use: Callable[[Value], Value]) -> Value:
        """`use` the value; where it is one of two, either under its test."""
        value = self.settled(value)
        if not isinstance(value, Choice):
            return use(value)
        results: list[Value] = []

        def arm(taken: Value, left: Value) -> None:
            before = self.unsure
            self.unsure = {**before, **self._alternatives(taken, left)}
            results.append(self.each(taken, use))
            self.unsure = before

        then, other = value.then, value.other
        self.branch(value.test, lambda: arm(then, other), lambda: arm(other, then))
        return self.choice(value.test, results[0], results[1]) if len(results) == 2 else results[0]

    def _alternatives(self, taken: Value, left: Value) -> dict[Role, str]:
        """What the objects of one alternative would be in the other: see `Event.unsure`."""
        mine = {role for part in parts_of(taken) if (role := role_of(part))}
        others = {role_of(part) for part in parts_of(left)}
        if all(part == NONE for part in parts_of(left)):
            told = dict.fromkeys(mine, "None")
        else:
            told = {role: "another" for role in mine - others if not all(each and self._alike(role, each) for each in others)}
        sources = frozenset[Role]().union(*(role.made_from for role in mine)) - mine
        shared = frozenset[Role]().union(*(role.made_from for role in others if role))
        return {**dict.fromkeys(sources - shared, "unbound"), **told}

    def _alike(self, role: Role, other: Role) -> bool:
        """Whether what is called on one object can be called on the other."""
        fact = VARIED.get(role.kind)
        return role.kind == other.kind and (
            fact is None or self.kept.get(role, {}).get(fact) is self.kept.get(other, {}).get(fact) is not None
        )

    # spelling

    def spelled(self) -> dict[Role, str]:
        """How the objects in scope are written here."""
        return self._names()[0]

    def _names(self) -> tuple[dict[Role, str], dict[Role, str]]:
        """How the objects in scope are written here, and those whose name may be bound to nothing."""
        spelled: dict[Role, str] = {}
        unbound: dict[Role, str] = {}
        owners: dict[object, str] = {}
        frame: Frame | None = self.frame
        while frame:
            owners.setdefault(frame, "")
            if frame.me is not None:
                owners.setdefault(frame.me, "self.")
            frame = frame.parent
        for owner, prefix in owners.items():
            names = self._spoken(owner)
            if spelled:
                names = {role: name for role, name in names.items() if len(spelled.get(role, _LONG)) > len(prefix + name)}
            spelled.update({role: prefix + name for role, name in names.items()} if prefix else names)
            unsure = self.unbound.get(owner, {}) if isinstance(owner, (Frame, Symbol)) else {}
            for role, name in names.items() if unbound or unsure else ():
                unbound.pop(role, None)
                if name in unsure and self.may_be_unbound((owner, name)):
                    unbound[role] = "unbound"
        return spelled, unbound

    def _spoken(self, owner: object) -> Mapping[Role, str]:
        """What objects are called by an owner, under the path condition."""
        names, decided = self.heap.spoken(owner)
        settled = [(role, name) for name, value in decided if (role := role_of(self.settled(value)))]
        return {**names, **{role: name for role, name in settled if len(names.get(role, _LONG)) > len(name)}}

    def may_be_unbound(self, key: Key) -> bool:
        """Whether only one arm of a branch has bound a name to the value that it has, and the other one may have been taken."""
        owner, name = key
        known = self.unbound.get(owner, {}).get(name)
        return known is not None and known[0] is self.heap.get(key) and self.outcome(known[1]) is not known[2]


def _alternatives(roles: Iterable[Role]) -> tuple[Role, ...]:
    """These objects, or those that they are in place of; none where a run may make two of them, or one out of sight.

    None of models either: what happens to a part of one in place of many is not known to happen to a part of each.
    """
    found = tuple(dict.fromkeys(each for role in roles for each in role.one_of or (role,)))
    known = len(found) <= MOST_ALTERNATIVES and all(role.built and role.kind != "model" for role in found)
    return found if known and not any(one.beside(other) for one, other in combinations(found, 2)) else ()


def _shared(first: Mapping[K, V], *others: Mapping[K, V]) -> dict[K, V]:
    """What several mappings have in common."""
    return {key: value for key, value in first.items() if all(key in each and each[key] == value for each in others)}


def _has_states(value: Value) -> bool:
    return any(
        (role := role_of(each)) is not None and role.kind == "state"
        for held in entries_of(value).values()
        for each in leaves_of(held)
    )


def _places(one: Value, other: Value) -> list[tuple[Value, Value]]:
    """What two lists or tuples of one length have in each place, of which one holds objects; nothing of any others, nor of lists
    of lists, and of outputs, which belong together."""
    match one, other:
        case Items(first, None), Items(second, None) if len(first) == len(second):
            kinds = {type(each) for each in (*first, *second)}
            apart = not kinds.isdisjoint((Object, Instance)) and kinds.isdisjoint((Items, Tensor))
            return [*zip(first, second, strict=True)] if apart else []
        case _:
            return []


def _taken(value: Value, test: Test, holds: bool) -> Value:
    """The value where a test has this outcome."""
    while isinstance(value, Choice) and value.test.key is test.key:
        value = value.then if holds else value.other
    return value


def _either(condition: Test | And, then: Region, other: Region) -> Region:
    """One region where a condition holds and the other where it does not."""
    tree = condition if isinstance(condition, Test) else decision(condition)
    return (then if tree else other) if isinstance(tree, bool) else Either(tree, then, other)


def _told(regions: list[Region]) -> Iterator[Region]:
    """The regions without those in which nothing happens: most calls of a program are of that kind."""
    for region in regions:
        match region:
            case Seq(parts):
                yield from parts
            case CallRegion(Seq(())) | Repeat(Seq(()), over=Seq(())):
                pass
            case _:
                yield region


def _only(spelled: Mapping[Role, str]) -> Iterator[tuple[str, str]]:
    kinds = Counter(role.kind for role in spelled)
    return ((role.kind, text) for role, text in spelled.items() if kinds[role.kind] == 1)
