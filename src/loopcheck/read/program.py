"""A whole file: what runs when it is run, and the functions that nobody here calls."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Protocol

from loopcheck.api import MOVES
from loopcheck.loop import Event, Region, Role, Seq, events, tell_late, tell_meant, tell_mixed, tell_outside, tell_single
from loopcheck.loop import Frame as CallRegion
from loopcheck.read import triage
from loopcheck.read.domain.graphs import hold_graphs
from loopcheck.read.domain.parts import parts_of
from loopcheck.read.domain.terms import Term
from loopcheck.read.domain.values import NO_ARGUMENTS, NONE, UNSEEN, Api, Class, Const, Function, Instance, Symbol, Value
from loopcheck.read.front import ir
from loopcheck.read.front.bound import bound_by
from loopcheck.read.front.index import Facts
from loopcheck.read.front.relevance import gives, stands_alone, trains
from loopcheck.read.front.source import Site, Source
from loopcheck.read.imports import Files, Imports
from loopcheck.read.interpret import machine
from loopcheck.read.interpret.binding import last_name
from loopcheck.read.interpret.editing import unsettle
from loopcheck.read.interpret.functions import definition, title
from loopcheck.read.interpret.growing import is_same_place
from loopcheck.read.interpret.lineage import completes, kind_of, lineage, method_of
from loopcheck.read.interpret.moded import learns_with_whole, starts_blank
from loopcheck.read.interpret.statements import is_main_guard
from loopcheck.read.interpret.surroundings import surroundings
from loopcheck.read.objects.aftermath import after_training
from loopcheck.read.objects.chances import tell_by_chance, tell_given
from loopcheck.read.objects.link import (
    link,
    tell_acting,
    tell_apart,
    tell_bypassed,
    tell_deployed,
    tell_let_go,
    tell_partial,
    tell_taught,
)
from loopcheck.read.objects.measures import tell_measured
from loopcheck.read.objects.passes import learn, settle_call, spare_alternatives, spare_names, spare_told
from loopcheck.read.users import Users
from loopcheck.read.vocabulary import serving, starting
from loopcheck.states import forgetful, tell_dropped, tell_lacking, tell_wrapped, tie_states, tie_weights
from loopcheck.words import COMMANDING

RUN = "__run__"
"""The method of a framework's class, as a page writes it out, that says how objects of it are run."""
_BY_NAME = {"Fire", "globals", "locals"}
"""What finds a function by a name that is put together."""


@dataclass(frozen=True, eq=False)
class Program:
    """What a file comes to: its entries and the functions that were read on the way.

    callers: the programs of the project that call functions of this file, which are then not read alone here. offers: what was
    asked of who they are; None where nobody was asked for.
    cut: what was not read because it lies too deep, or because there was too much of it, once for each cause.
    """

    source: Source
    entries: tuple[CallRegion, ...]
    reached: frozenset[tuple[str, str]]
    callers: tuple[Program, ...] = ()
    cut: tuple[str, ...] = ()
    offers: Offers | None = None

    @property
    def called(self) -> frozenset[tuple[str, str]]:
        """What the callers come to."""
        return frozenset[tuple[str, str]]().union(*(each.reached for each in self.callers))


@dataclass(frozen=True)
class Offers:
    """The functions of a file that others may call. names: under which they are known elsewhere. own: where they are defined."""

    file: Path
    names: frozenset[str]
    own: frozenset[tuple[str, str]]

    def callers(self, library: Library) -> tuple[Program, ...]:
        """The programs of other files of the project in which one of them is called."""
        return tuple(program for program in library.callers(self.file, self.names) if program.reached & self.own)


class Library(Files, Protocol):
    """Where a reader finds the other files of a project, and what they come to."""

    def callers(self, file: Path, names: frozenset[str]) -> Sequence[Program]:
        """The programs of the files that import these names of a file, and of those that call them in turn."""


class Reader:
    """Reads one file."""

    def __init__(self, source: Source, library: Library | None = None) -> None:
        self.source = source
        self.library = library
        self._m = machine(source)
        self._modules = self._m.modules = Imports(self._m, library)
        self._objects: dict[Class, tuple[Value, dict[Term, bool], Region]] = {}
        self._users = Users(self._m, source, library)

    def read(self) -> list[CallRegion]:
        """The program's entries, each a region: the file run as a script, and every function that nobody calls."""
        return list(self.program().entries)

    def program(self) -> Program:
        """The entries, and what was met on the way."""
        m = self._m
        first = self._entry(self._script)
        entries = [CallRegion(Seq((*self._modules.preamble, first)))]
        known = m.state.symbols
        for cls in self._classes():
            if self._run_by_framework(cls):
                m.state.symbols = dict(known)
                entries.append(CallRegion(self._entry(partial(self._run, cls)), cls.name, Site(cls.frame.source, cls.node)))
        self._unsettle_shared()
        alone = [] if self._holds_networks_alone else self._functions()
        alone = [each for each in alone if not (self._is_left_behind(*each) or self._is_left_out(*each))]
        pending = self._promising(alone, m.reached)
        offers = self._offers(pending)
        callers = offers.callers(self.library) if offers and self.library else ()
        called = self._users.called = Program(self.source, (), frozenset(), callers).called
        pending = [each for each in pending if definition(each[1]) not in called]
        while pending:
            heads = self._heads(pending) or pending[:1]
            for owner, function in heads:
                if function.code not in m.reached:
                    m.state.symbols = dict(known)
                    self._users.unasked.add(function.code)
                    entry = self._entry(partial(self._alone, owner, function))
                    entries.append(CallRegion(entry, title(function), Site(function.frame.source, function.code)))
            left = [each for each in pending if each not in heads and each[1].code not in m.reached]
            pending = self._promising(left, m.reached)
        for cls in self._classes():
            for between in self._users.ways_to_update(cls):
                m.state.symbols = dict(known)
                entry = self._entry(partial(self._compose, cls, between))
                entries.append(CallRegion(entry, cls.name, Site(cls.frame.source, cls.node)))
        seen = [event for entry in entries for event in events(entry)]
        filled = {role: str(known["filled"]) for role, known in m.state.kept.items() if known.get("filled")}
        inside = frozenset[Event]() if m.state.untold else m.state.searching & m.state.unread.keys()
        for entry in entries:  # each is a program of its own, whatever else the file offers
            tell_deployed(list(events(entry)), filled, partial(after_training, entry), inside)
        tell_acting(m.state.acting)
        tell_deployed(seen, filled, inside=inside)
        tell_taught(seen, [role for role, made in m.made_of.items() if starts_blank(m, made.cls)])
        return Program(self.source, tuple(entries), frozenset(m.definitions), callers, m.budget.told(), offers)

    @cached_property
    def _holds_networks_alone(self) -> bool:
        return triage.holds_networks_alone(self.source.text.encode())

    def _script(self) -> None:
        """Run the module's own statements, and then what a server was handed that they have made, what prepares models first.

        Of a file of networks alone nobody asks whom its decorators, `@register_model`, hand the functions that make them.
        """
        body = self.source.body
        self._m.execute(tuple(each for each in body if not _is_registered(each)) if self._holds_networks_alone else body)
        for function in sorted(self._served(), key=self._prepares, reverse=True):
            if function.code not in self._m.reached:
                self._m.invoke(function.code, function, UNSEEN)

    def _served(self) -> Iterator[Function]:
        """The functions that an object of a server decorates, `@app.post("/predict")`: it calls them when somebody asks; and
        those by which it starts."""
        if serving().isdisjoint(module.partition(".")[0] for module, _ in self.source.index.imported.values()):
            return
        names = self._m.state.heap.of(self._m.state.frame)
        for cls, function in self._functions():
            marks = [mark.function if isinstance(mark, ir.Call) else mark for mark in function.code.decorators]
            by = [
                names.get(each.base.name) for each in marks if isinstance(each, ir.Attribute) and isinstance(each.base, ir.Name)
            ]
            served = any(isinstance(each, Symbol) and each.term.origin.partition(".")[0] in serving() for each in by)
            if cls is None and (served or function.code.name in self._starting):
                yield function

    @cached_property
    def _starting(self) -> frozenset[str]:
        """The names of the functions by which servers start: `FastAPI(lifespan=load)`."""
        given = (each for call in ir.calls_in(self.source.body) for each in call.arguments if each.keyword in starting())
        return frozenset(node.name for each in given for node in ir.walk(each.value) if isinstance(node, ir.Name))

    def _prepares(self, function: Function) -> tuple[bool, bool]:
        """Whether a server calls a function before others: it starts by it, or it puts a model in eval mode."""
        return function.code.name in self._starting, "eval" in self._facts(function).calls

    def _entry(self, run: Callable[[], object]) -> Region:
        self._m.state.live = True
        self._m.budget.entry()
        with self._m.state.within(direct=[]):
            region = self._m.state.block(run)
            settle_call(self._m.state.here.direct, region, "", self._m.state.unread, self._m.state.held_out.keys())
        self._m.state.live = True
        without = forgetful(events(region))
        tell_apart(region)
        self._tell_within(list(events(region)))
        link(region)
        spare_alternatives(region)
        seen = list(events(region))
        spare_names(seen)
        spare_told(seen, self._m.state.handed_on)
        given = {role: held for role, known in self._m.state.kept.items() if isinstance(held := known.get("given"), tuple)}
        tell_partial(seen, given)
        tell_measured(region)
        tie_states(seen)
        tell_wrapped(seen)
        tell_lacking(seen, self._m.state.goes_on, without)
        tell_dropped(seen, self._m.state.asked, self._m.state.goes_on, without, self._m.state.written_again)
        tie_weights(seen)
        tell_outside(seen)
        tell_meant(seen)
        tell_mixed(seen)
        tell_late(seen)
        tell_single(region)
        tell_by_chance(region)
        tell_given(region)
        tell_bypassed(seen)
        tell_let_go(seen)
        return region

    def _tell_within(self, seen: Sequence[Event]) -> None:
        """Which networks come in eval mode with their weights, and are parts that learn with their whole: its optimizers are of
        these, too."""
        for event in seen:
            come = [role.part_of and role.built and role.built.at == event.at for role in event.on]
            if event.verb == "evaluate" and come and all(come):
                learn(event, "loaded", True)
                within = all(learns_with_whole(self._m, role) for role in event.on)
                learn(event, "within", within)
                for optimizer in _stepped(seen) if within else ():
                    optimizer.of = (*optimizer.of, *(role for role in event.on if not role.wholes.isdisjoint(optimizer.of)))

    # what there is to read

    def _offers(self, pending: list[tuple[Class | None, Function]]) -> Offers | None:
        """The functions that are to be read alone unless a program of another file of the project calls them."""
        file = self.source.file
        alone = [each for each in pending if each[1].code not in self._m.reached]
        heirs = self._heirs()
        if file is None or self.library is None or not (alone or heirs):
            return None
        names = self._leading_to(cls.name if cls else function.code.name for cls, function in alone).union(*heirs.values())
        methods = (method for cls in heirs for each in lineage(self._m, cls)[1:] for method in each.methods.values())
        own = frozenset(definition(function) for function in (*(each for _, each in alone), *methods))
        return Offers(file, names, own)

    def _leading_to(self, names: Iterable[str]) -> frozenset[str]:
        """These names, and those of the file's classes that inherit from one and functions that speak of one, in turn: who is
        given an object by a factory need not know its class."""
        speaking = [(each.name, each.mentions) for each in self.source.index.functions.values() if not each.owner]
        speaking += [(cls.name, {each.name for each in lineage(self._m, cls)}) for cls in self._classes()]
        known = set(names)
        while more := {name for name, spoken_of in speaking if not known.isdisjoint(spoken_of)} - known:
            known |= more
        return frozenset(known)

    def _heirs(self) -> dict[Class, set[str]]:
        """The classes that inherit from a class of another file what is worth reading alone, with the names under which this file
        has them: who calls what they inherit knows them, and may not know that file."""
        variables = self._m.state.heap.of(self._m.state.frame)
        found: dict[Class, set[str]] = {}
        for cls in self._classes():
            inherited = (method for each in lineage(self._m, cls)[1:] for method in each.methods.values())
            others = ((each.frame.source, self._facts(each)) for each in inherited if each.frame.source is not self.source)
            if kind_of(self._m, cls) is None and any(
                stands_alone(facts, source.index) for source, facts in others if source.path
            ):
                found[cls] = {name for name, value in variables.items() if isinstance(name, str) and cls in parts_of(value)}
        return found

    def _classes(self) -> list[Class]:
        """The classes of this file."""
        values = self._m.state.heap.of(self._m.state.frame).values()
        return [
            cls for cls in dict.fromkeys(each for each in values if isinstance(each, Class)) if cls.frame.source is self.source
        ]

    def _functions(self) -> list[tuple[Class | None, Function]]:
        found: list[tuple[Class | None, Function]] = []
        for value in self._m.state.heap.of(self._m.state.frame).values():
            if isinstance(value, Function) and value.code.name != "lambda" and value.owner is None:
                found += [(None, value)] if value.frame.source is self.source else []
        found += [(cls, method) for cls in self._classes() for method in cls.methods.values()]
        return list({function.code: (cls, function) for cls, function in found}.values())

    def _is_left_behind(self, cls: Class | None, function: Function) -> bool:
        """Whether this is a function of a script that nothing speaks of: its calls were taken out, and it is never run."""
        if cls or self.library is None or self.source.file is None or function.code.decorators:
            return False
        name, own = function.code.name, self._facts(function)
        if name in self._spoken_of or any(
            name in each.mentions for each in self.source.index.functions.values() if each is not own
        ):
            return False
        known = _BY_NAME.isdisjoint(self.source.index.names) and any(map(_is_guarded, self.source.body))
        return known and not self.library.importers(self.source.file, name)

    @cached_property
    def _has_commands(self) -> bool:
        """Whether who runs the file says by its name which function is run, `fire.Fire()`: each is a program of its own."""
        spoken = () if COMMANDING.isdisjoint(self.source.index.names) else ir.walk(*self.source.body)
        calls = (each for each in spoken if isinstance(each, ir.Call) and not each.arguments)
        return any(last_name(each.function) in COMMANDING for each in calls)

    @cached_property
    def _spoken_of(self) -> frozenset[str]:
        """The names that stand outside of all functions."""
        return frozenset(each.name for each in ir.walk(*self.source.body) if isinstance(each, ir.Name))

    def _facts(self, function: Function) -> Facts:
        return function.frame.source.index.of(function.code)

    def _promising(self, found: list[tuple[Class | None, Function]], reached: Set[object]) -> list[tuple[Class | None, Function]]:
        """The functions in which anything can happen that a rule could match, or that call one of those.

        reached: what was read. A function that only calls such code, and gives it nothing, would add nothing to it.
        """
        index = self.source.index
        alone = {
            facts: function.code in reached
            for facts, function in ((self._facts(function), function) for _, function in self._functions())
            if stands_alone(facts, index) or self._modules.leads_to_training(facts, self.source, self._has_commands)
        }
        promising = index.reaching(alone)
        unread = index.reaching({facts for facts, read in alone.items() if not read})
        return [
            each
            for each in found
            if (facts := self._facts(each[1])) in unread or (facts in promising and gives(facts, index.held))
        ]

    def _heads(self, pending: list[tuple[Class | None, Function]]) -> list[tuple[Class | None, Function]]:
        """Those of functions and methods that none of the others may call, or hand to who calls them. What is no method is called
        by its bare name: another `evaluate` is meant in `meter.evaluate()`."""
        calls, bare = set[str](), set[str]()
        for _, function in pending:
            facts = self._facts(function)
            calls |= (facts.calls | facts.handed) - {function.code.name}
            bare |= (facts.bare | facts.handed) - {function.code.name}
        return [(owner, function) for owner, function in pending if function.code.name not in (calls if owner else bare)]

    # entries

    def _run_by_framework(self, cls: Class) -> bool:
        """A framework runs objects of this class, and nothing in sight has made it do so."""
        hooks = self._hooks(cls)
        return RUN in hooks and not self._asks_any(cls, hooks)

    def _is_left_out(self, owner: Class | None, function: Function) -> bool:
        """Whether a framework runs objects of a class in sight, and does not call this method of it: training is left out where
        there is `trainer.test(model)` alone."""
        hooks = self._hooks(owner) if owner is not None else set[str]()
        return owner is not None and function.code.name in hooks and self._asks_any(owner, hooks)

    def _hooks(self, cls: Class) -> set[str]:
        """The methods that a class has from a framework's code, which calls those that it has of its own."""
        return {name for each in lineage(self._m, cls) if not each.frame.source.path for name in each.methods}

    def _asks_any(self, cls: Class, hooks: set[str]) -> bool:
        return any(cls.methods[name].code in self._m.reached for name in hooks & cls.methods.keys())

    def _run(self, cls: Class) -> None:
        """An object of this class, that nothing is known of, is run by its framework."""
        instance = self._m.invoke(cls.node, cls, UNSEEN)
        method = method_of(self._m, cls, RUN, instance)
        if isinstance(method, Function):
            self._m.invoke(cls.node, method, NO_ARGUMENTS)

    def _alone(self, cls: Class | None, function: Function) -> None:
        """A function that nobody here calls, with arguments that nothing is known of."""
        m = self._m
        if cls is None:
            with surroundings(m, function):
                hold_graphs(m.state, m.invoke(function.code, function, UNSEEN))
            return
        if not trains(self.source.index.within(cls.node)) and kind_of(m, cls) == "model":
            return
        cls = next((heir for heir in self._classes() if completes(m, heir, cls, function.code)), cls)
        instance = self._object(cls)
        callers = self._inherited_callers(cls, function.code.name) if function.code not in m.reached else []
        for caller in (method_of(m, cls, name, instance) for name in callers):
            if isinstance(caller, Function):
                self._asked(cls, instance, function, caller)
        if function.code not in m.reached:
            method = method_of(m, cls, function.code.name, instance)
            if isinstance(method, Function):
                self._asked(cls, instance, function, method)

    def _asked(self, cls: Class, instance: Value, function: Function, method: Function) -> None:
        """An object is asked for something by whoever has it, through an inherited method where that comes to this one."""
        m = self._m
        with m.state.undone(), surroundings(m, instance):
            found = dict(m.state.heap.of(instance))
            given = m.invoke(function.code, method, UNSEEN)
            if method.code is function.code:
                hold_graphs(m.state, given)
            if isinstance(instance, Instance):
                self._users.write(instance, found)

    def _compose(self, cls: Class, between: str) -> None:
        """A user calls the methods of an object in turn."""
        instance = self._object(cls)
        if isinstance(instance, Instance):
            self._users.compose(instance, between)

    def _object(self, cls: Class) -> Value:
        """An object of this class that nothing is known of: made once, as each of its methods finds it."""
        state = self._m.state
        if cls not in self._objects:
            made: list[tuple[Value, dict[Term, bool]]] = []

            def make() -> None:
                instance = self._m.invoke(cls.node, cls, UNSEEN)
                if isinstance(instance, Instance):
                    self._users.prepare(instance)
                    self._unsettle(cls, instance)
                made.append((instance, dict(state.assumed)))

            region = state.block(make)
            self._objects[cls] = *made[0], region
        instance, assumed, region = self._objects[cls]
        state.assumed.update(assumed)
        state.out.append(region)
        return instance

    def _inherited_callers(self, cls: Class, name: str) -> list[str]:
        """The methods that a class inherits from others of the project and that call this one, or a method that does: what
        overrides is called by them, and where nobody calls those, they come first."""
        inherited: dict[str, Facts] = {}
        for each in lineage(self._m, cls)[1:]:
            if each.frame.source.path:
                inherited |= {name: self._facts(method) for name, method in each.methods.items() if name not in cls.methods}
        found: list[str] = []
        sought = {name}
        while new := [each for each, facts in inherited.items() if each not in found and not facts.members.isdisjoint(sought)]:
            found += new
            sought |= set(new)
        called = set[str]().union(*(inherited[each].members for each in found))
        return [each for each in found if each not in called]

    def _unsettle_shared(self) -> None:
        """What functions bind of the module's variables is not what it left: they may have been called before, `setup` say."""
        state = self._m.state
        for name in self.source.index.shared:
            left = state.heap.get((state.frame, name))
            if left is not None and all(isinstance(part, Const) for part in parts_of(left)):
                state.heap[(state.frame, name)] = state.symbol(Term("name", state.frame.label, name))
        for name, keys in self.source.index.edited.items():
            unsettle(self._m, (state.frame, name), dict.fromkeys(keys, False))

    def _unsettle(self, cls: Class, instance: Instance) -> None:
        """What other methods bind is not what the constructor left: those may have been called before, `setup` say."""
        state = self._m.state
        methods = [method for each in lineage(self._m, cls) for name, method in each.methods.items() if name != "__init__"]
        nodes = [node for method in methods for node in ir.walk(*method.code.body) if not _moves(node)]
        for name in {name[5:] for node in nodes for name in bound_by(node) if name.startswith("self.")}:
            left = state.heap.get((instance, name))
            if left == NONE:  # it is what a method makes of it
                state.heap.forget((instance, name))
            elif left is not None and all(isinstance(part, (Api, Const)) for part in parts_of(left)):
                default = self._modules.default_of(name)
                state.heap[(instance, name)] = state.symbol(Term("attribute", instance.term, name), (), default)


def _stepped(seen: Iterable[Event]) -> list[Role]:
    """The optimizers that take steps."""
    roles = (role for event in seen if event.verb == "step" for role in event.on)
    return [role for role in dict.fromkeys(roles) if role.kind == "optimizer"]


def _moves(node: ir.Node) -> bool:
    """Whether a name is bound to what it stands for, on another device: `self.criterion = self.criterion.cuda()`."""
    match node:
        case ir.Assign(targets=(target,), value=ir.Call(function=ir.Attribute(base=base, name=name))):
            return name in MOVES and is_same_place(target, base)
        case _:
            return False


def _is_registered(statement: ir.Statement) -> bool:
    """Whether a statement defines a function that its decorators are given."""
    return isinstance(statement, ir.Define) and bool(statement.code.decorators)


def _is_guarded(statement: ir.Statement) -> bool:
    return isinstance(statement, ir.If) and is_main_guard(statement.test)
