"""A call as the rows of the vocabulary see it."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Set
from dataclasses import replace
from typing import Any

from loopcheck.loop import Fact, Role, Test
from loopcheck.read.domain.choices import Activation, put_through
from loopcheck.read.domain.conditions import Not
from loopcheck.read.domain.filenames import lasts
from loopcheck.read.domain.generators import spend
from loopcheck.read.domain.graphs import take_numbers, write_out
from loopcheck.read.domain.modes import apart, in_train_mode, switched
from loopcheck.read.domain.parts import entries_of, names_of, parts_of, role_of, roles_in, tensor_in, term_of
from loopcheck.read.domain.state import GRAD, WORLD
from loopcheck.read.domain.terms import BY_ITSELF, Term
from loopcheck.read.domain.values import (
    NONE,
    Api,
    Arguments,
    Choice,
    Class,
    Const,
    Function,
    Grad,
    Instance,
    Items,
    Object,
    Once,
    Params,
    Partial,
    Scope,
    Stream,
    Symbol,
    Tensor,
    Value,
)
from loopcheck.read.front import ir
from loopcheck.read.front.source import Entered
from loopcheck.read.interpret.alike import done_to
from loopcheck.read.interpret.attaching import left_out, tell_attached, tell_thawed
from loopcheck.read.interpret.backwards import backward, computed_of
from loopcheck.read.interpret.batches import computed_here, draw, iterator, stored, stream
from loopcheck.read.interpret.binding import bind_attribute
from loopcheck.read.interpret.conditions import condition
from loopcheck.read.interpret.factors import factor, gives_rate
from loopcheck.read.interpret.lineage import is_of
from loopcheck.read.interpret.logits import of_probabilities
from loopcheck.read.interpret.machine import Machine
from loopcheck.read.interpret.members import attribute, fields_of, file_of, item, name_of, some_of
from loopcheck.read.interpret.moded import has_moded_left, layerless
from loopcheck.read.interpret.names import define
from loopcheck.read.interpret.normalizing import by_batch
from loopcheck.read.interpret.noticing import differentiated, redrawn
from loopcheck.read.interpret.operators import chosen, truth
from loopcheck.read.interpret.parameters import cleared, edited_gradients, freeze, may_be_frozen, take
from loopcheck.read.interpret.ranks import every_rank, functions, launched
from loopcheck.read.interpret.retained import let_go
from loopcheck.read.interpret.scoping import may_set_modes
from loopcheck.read.interpret.spans import counts_from_one, counts_on, span_of
from loopcheck.read.interpret.wrapping import wrapper
from loopcheck.read.objects.evidence import adopt, roles, taken_alone
from loopcheck.read.objects.passes import comes_to, doubt, settle
from loopcheck.read.vocabulary import Row
from loopcheck.read.vocabulary.layers import said_to_be_a_layer
from loopcheck.said.gpu import computes_on_gpu
from loopcheck.said.keys import knows_wrappers
from loopcheck.said.scaling import speaks_of_scaling
from loopcheck.words import KINDS, words

SOURCES = {"optimizer": "model", "scheduler": "optimizer", "warmup": "optimizer"}
"""What an object is built from, by its kind."""


class BoundCall:
    """A call as the vocabulary's rows see it: see `vocabulary.Call`."""

    def __init__(self, m: Machine, node: ir.Place, name: str, me: Value | None, given: Arguments) -> None:
        self._m, self._node = m, node
        self.name, self.me = name, me
        self.args, self.keywords, self.complete = given.values, given.keywords, given.complete
        self.guards: tuple[object, ...] = m.state.here.guards

    def get(self, index: int, name: str) -> Value | None:
        if name in self.keywords:
            return self.keywords[name]
        return self.args[index] if index < len(self.args) else None

    def text(self, index: int, name: str) -> str:
        for at, arg in enumerate(self._written()):
            if (arg.keyword == name) if arg.keyword or arg.star == "**" else at == index:
                return self._m.state.frame.source.enclosed(arg.value)
        return ""

    def formula(self, index: int, name: str) -> str:
        written, state = self.text(index, name), self._m.state
        body = self._m.active[-1].code.body if self._m.active else state.frame.source.body
        assigned = (each for each in ir.walk(*body) if isinstance(each, ir.Assign) and each.span < self._node.span)
        bound = (each for each in assigned if [*map(self._m.code, each.targets)] == [written])
        last = max(bound, key=lambda each: each.span, default=None)
        return self._m.code(last.value) if last else written

    def _written(self) -> tuple[ir.Argument, ...]:
        return self._node.arguments if isinstance(self._node, ir.Call) else ()

    @property
    def receiver(self) -> str:
        function = self._node.function if isinstance(self._node, ir.Call) else None
        return self._m.state.frame.source.enclosed(function.base) if isinstance(function, ir.Attribute) else ""

    @property
    def wrapper(self) -> str:
        function = self._node.function if isinstance(self._node, ir.Call) else None
        if not isinstance(function, ir.Attribute) or knows_wrappers(self._m.state.frame.source.text):
            return ""
        return wrapper(self._m, function.base)

    @property
    def options(self) -> str:
        return ", ".join(map(self._m.code, self._written()))

    @property
    def scales(self) -> bool:
        return any(map(speaks_of_scaling, self._texts))

    @property
    def for_gpu(self) -> bool:
        return any(map(computes_on_gpu, self._texts))

    @property
    def _texts(self) -> Iterable[str]:
        """The code of the files that are read on the way here."""
        frames = (self._m.state.frame, *(each.frame for each in self._m.active))
        return (frame.source.text for frame in frames)

    @property
    def by_batch_here(self) -> bool:
        here = self._m.state.here
        counted = any(isinstance(each, ir.Binary) and each.operator == "%" for guard in here.guards for each in ir.walk(guard))
        body = self._m.active[-1].code.body if self._m.active else self._m.state.frame.source.body
        return bool(here.passes) and bool(here.passes[-1].iterates) and not counted and not _in_emergency(body, self._node)

    @property
    def optimizers(self) -> Iterable[Role]:
        return [role for role in self._m.state.kept if role.kind == "optimizer"]

    @property
    def grad(self) -> bool | None:
        return self._m.state.records

    @property
    def loops(self) -> frozenset[Term]:
        return self._m.state.here.loops

    @property
    def variables(self) -> Mapping[str, Value]:
        return self._m.state.heap.of(self._m.state.frame)

    def keeps(self, value: Value | None, name: str) -> object:
        found = [self._m.state.kept.get(role, {}).get(name) for role in self.roles(value, "")]
        return found[0] if found and all(each == found[0] for each in found) else None

    def keep(self, value: Value | None, **known: object) -> None:
        for role in self.roles(value, ""):
            self._m.state.kept[role] = {**self._m.state.kept.get(role, {}), **known}

    def hold(self, name: str, value: Value) -> None:
        self._m.state.heap[(self.me.role if isinstance(self.me, Object) else self.me, name)] = value

    def bind(self, value: Value, name: str, to: Value) -> None:
        bind_attribute(self._m, self._node, value, name, to)

    def holds(self, value: Value, name: str) -> bool:
        return (value, name) in self._m.state.heap

    def either(self, flag: Value, then: Value, other: Value) -> Value:
        return chosen(self._m.state, truth(self._m.state, flag), then, other)

    def when(self, value: Value | None, happens: Callable[[], object], otherwise: Callable[[], object] = lambda: None) -> None:
        if value is not None:
            self._m.state.branch(truth(self._m.state, value), happens, otherwise)

    def each(self, value: Value, use: Callable[[Value], Value]) -> Value:
        return self._m.state.each(value, use)

    def goes_on_with(self, file: Term) -> None:
        state = self._m.state
        for read, role in state.files.items():
            known = state.symbols.get(read)
            if known is not None and name_of(read) is file and known.names.isdisjoint(state.here.loops):
                state.written_again.add(role)

    def file_of(self, value: Value | None) -> Role | None:
        return None if value is None else file_of(self._m.state, term_of(value))

    def emit_of_left(self, verb: str, value: Value, facts: Mapping[str, Fact | None]) -> None:
        self._m.state.emit_of_left(verb, term_of(value), self._node, facts)

    def runs(self, number: Value) -> bool | None:
        return True if comes_to(self._m.state.here.passes, term_of(number)) else None

    @property
    def told_apart(self) -> bool:
        role, decided = role_of(self.me), self._m.state.here.decided.items()
        if role is not None and role.under and role.under.items() <= decided:
            return False  # it asks for what the object was made under
        return any(_tells_apart(each) and not self._holds_for(role, each) for each in self._m.state.here.guards)

    def _holds_for(self, role: Role | None, guard: ir.Expression) -> bool:
        """Whether a test holds wherever an object was made, by what was compared there: `kind != "poly"` for "step"."""
        match condition(self._m, guard) if role is not None and role.under and isinstance(guard, ir.Compare) else None:
            case Not(Test() as equal) if role is not None:
                made = (
                    self._m.state.conditions[key]
                    for key, holds in role.under.items()
                    if holds and key in self._m.state.conditions
                )
                return any(isinstance(each, Test) and each.excludes(equal) for each in made)
            case _:
                return False

    @property
    def sought(self) -> bool:
        guards = (each for each in self._m.state.here.guards if isinstance(each, ir.Expression))
        return any(self._seeks(each) for guard in guards for each in ir.walk(guard))

    def _seeks(self, node: ir.Node) -> bool:
        match node:
            case ir.Call(function=ir.Name(name="hasattr"), arguments=(of, ir.Argument(value=ir.Literal(value=name)))):
                return f"{self._m.code(of.value)}.{name}" == self.receiver
            case _:
                return False

    def asks_for(self, attribute: str) -> bool:
        return any(isinstance(key, Term) and key.mentions(attribute) for key in self._m.state.assumed)

    def by_every_rank(self, path: Value | None, together: Collection[object] = ()) -> bool | None:
        return every_rank(self._m, path, together)

    @property
    def functions(self) -> frozenset[object]:
        return functions(self._m)

    @property
    def launched(self) -> bool:
        return launched(self._m)

    @property
    def unasked(self) -> bool:
        calls = [each for each in self._m.state.here.calls if isinstance(each, Entered)]
        return bool(calls) and not isinstance(calls[0].node, ir.Call)

    def join_group(self, size: Value | None) -> None:
        self._m.state.join_group()
        self._m.state.heap[WORLD] = size or self._m.state.fresh("world size")

    @property
    def by_itself(self) -> bool:
        return self._m.state.by_itself and not self._m.trials  # who calls the function may have joined them

    def varies(self, value: Value | None, inside: bool = False) -> bool:
        state = self._m.state
        passes = state.here.passes[-1:] if inside else state.here.passes
        anew = set[Term]() if inside else set(state.counters)
        anew.update(*(turn.given for turn in passes))
        return value is not None and not anew.isdisjoint(names_of(value))

    def stored(self, dataset: Value | None) -> bool | None:
        return stored(self._m, dataset)

    def stream(self, dataset: Value | None) -> str:
        return stream(self._m, dataset)

    def computed_here(self, dataset: Value | None) -> bool:
        return computed_here(self._m, dataset)

    def lasts(self, value: Value) -> bool | None:
        state = self._m.state
        anew = state.counters.union(*(turn.given | turn.binds for turn in state.here.passes))
        if not anew.isdisjoint(term_of(value).parts()):
            return False

        def before(call: Term) -> bool:
            made = state.symbols.get(call)
            return made is not None and made.names.isdisjoint(state.here.loops | anew)

        return lasts(term_of(value), before)

    @property
    def known(self) -> Iterable[Role]:
        return [*self._m.state.kept]

    def pure(self) -> Value:
        return without_effects(self._m, self.name, self._given)

    def trainable(self) -> Value:
        term = self._m.state.new(BY_ITSELF)
        return self._m.state.symbol(term, names_of(self._given) | {term})

    def question(self) -> Value:
        return without_effects(self._m, self.name, self._given, lasting=True)

    def count_of(self, name: str) -> Value:
        counted = [self._m.state.symbol(Term("attribute", term_of(each), name)) for each in self.args]
        return without_effects(self._m, self.name, Items(tuple(counted)), lasting=True)

    @property
    def _given(self) -> Items:
        me = () if self.me is None else (self.me,)
        return Items((*me, *self.args, *self.keywords.values()))

    def of_file(self) -> Value:
        return self._m.state.symbol(Term("call", self.name, self._m.state.frame.source.path))

    def item(self, value: Value, index: Value) -> Value:
        return item(self._m, value, index)

    def attribute(self, value: Value, name: str) -> Value:
        return attribute(self._m, value, name)

    def invoke(self, function: Value, args: tuple[Value, ...], keywords: Mapping[str, Value] | None = None) -> Value:
        return self._m.invoke(self._node, function, Arguments(args, keywords or {}, self.complete))

    def is_of(self, value: Value, cls: Value) -> bool | None:
        return is_of(self._m, value, cls) if isinstance(value, Instance) and isinstance(cls, Class) else None

    def module(self, name: str) -> Value:
        return self._m.modules.bound(name)

    def define(self, code: str, name: str) -> Value:
        return define(self._m, code, name)

    def unknown(self, label: str, called: str = "") -> Value:
        made = self._m.state.fresh(label)
        made.label = called
        return made

    def iterator(self, over: Value) -> Value:
        return iterator(self._m, self._node, over, self.text(0, "object"))

    def draw(self, stream: Stream, element: Value) -> None:
        self._m.state.note_batch(element, stream)
        draw(self._m, stream, self.text(0, "iterator"))

    def copy(self, value: Value) -> Value:
        term = self._m.state.new("copy", "copy")
        return Symbol(term, names_of(value) | {term})

    def on(self, me: Value) -> BoundCall:
        return BoundCall(self._m, self._node, self.name, me, Arguments(self.args, self.keywords, self.complete))

    def enter(self, context: Value) -> Value:
        if isinstance(context, Scope) and context.grad is not None:
            self._m.state.heap[GRAD] = context
        elif may_set_modes(self._m, context):
            self._m.state.heap[GRAD] = Scope(None)
            self._m.state.emit("evaluate", [], self._node, open=True)
        return context

    def says(self, function: Value, names: Set[str]) -> bool | None:
        return _says(self._m, function, names)

    def for_each_part(self, function: Value) -> bool:
        code = function.code if isinstance(function, Function) else None
        if code is None or not code.parameters.names or self.me is None:
            return False
        alike = all(done_to(each, code.parameters.names[-1]) for each in code.body)
        self.invoke(function, (self.me if alike else self.some_of(self.me),))
        return True

    def is_layer(self, value: Value | None) -> bool:
        layers = {said_to_be_a_layer(term) for term, holds in self._m.state.assumed.items() if holds}
        return any(not layers.isdisjoint(role.anew) for role in self.roles(value, "model"))

    def some_of(self, models: Value) -> Value:
        given = self._m.state.fresh(self.name)
        return some_of(self._m, given, models)

    def at_exit(self, function: Value, args: tuple[Value, ...], keywords: Mapping[str, Value]) -> None:
        given, assumed = Arguments(args, keywords, self.complete), dict(self._m.state.assumed)
        self._m.state.here.exits.append((assumed, lambda: self._m.invoke(self._node, function, given)))

    @property
    def alone(self) -> bool:
        return self._m.state.heap.get(WORLD) == Const(1)

    @property
    def in_group(self) -> bool | None:
        state = self._m.state
        return True if state.grouped or not state.assumed or launched(self._m) else None

    def end(self) -> None:
        self._m.state.leave("abort" if self.loops else "exit")  # out of a loop it is no way in which training ends

    def cleared(self, value: Value) -> None:
        for each in parts_of(value):
            if isinstance(each, Grad):
                cleared(self._m, each.of, self._node)

    def redrawn(self, weights: Value | None) -> None:
        params = (each.models for each in parts_of(weights or NONE) if isinstance(each, Params))
        redrawn(self._m.state, [*self.roles(weights, ""), *itertools.chain.from_iterable(params)])

    def edited(self, value: Value, by: str | None = None, added: bool | None = None) -> None:
        for each in parts_of(value):
            if isinstance(each, Grad):
                edited_gradients(self._m, each.of, self._node, by, added)

    def fields(self, value: Value | None) -> Items | None:
        return fields_of(self._m, value)

    def derived(self, value: Value, name: str) -> Value:
        return self._m.state.symbol(Term("call", Term("attribute", term_of(value), name)), names_of(value))

    def computed(self, tensor: Tensor) -> Value:
        return computed_of(self._m, tensor, (*self.args, *self.keywords.values()))

    def take_numbers(self, tensor: Tensor, as_tensor: bool = False) -> None:
        take_numbers(self._m.state, tensor, as_tensor)

    def write_out(self, values: Iterable[Value]) -> None:
        write_out(self._m.state, values)

    def without_graph(self, tensor: Tensor) -> None:
        for term in tensor.forwards | {tensor.term} if tensor.models else ():  # nor had what a gradient would go back to
            if event := self._m.state.applied.get(term):
                doubt(event, "grad")

    def let_go(self, tensor: Tensor) -> None:
        let_go(self._m.state, tensor)

    def leaf(self, tensor: Tensor) -> None:
        self._m.state.leaves.add(tensor.term)

    def freeze(self, models: Iterable[Role], frozen: bool | None) -> None:
        models = list(models)
        if frozen is False:
            tell_thawed(self._m, models, self._node, {"thawed": self.receiver})
        freeze(self._m.state, models, frozen)

    def attached(self, whole: Role, part: Value) -> None:
        tell_attached(self._m, whole, part, self._node)

    def take(self, params: Params) -> None:
        take(self._m.state, params)

    def left_out(self, params: Params) -> frozenset[Role]:
        return left_out(self._m, params)

    def once(self, params: Params) -> Params:
        state = self._m.state
        return replace(params, once=Once(state.new("generator"), state.here.loops))

    def spend(self, value: Value | None) -> bool:
        return spend(self._m.state, value or NONE)

    def still(self, models: Iterable[Role]) -> None:
        self._m.state.stilled.update(models)

    def may_be_frozen(self, value: Value) -> bool:
        role = role_of(value)
        return role is not None and role.kind == "model" and may_be_frozen(self._m.state, role)

    def frozen(self, optimizers: Iterable[Role]) -> bool | None:
        """Of optimizers whose models are out of sight, anything that was frozen may be theirs."""
        optimizers, stilled = list(optimizers), self._m.state.stilled
        trained = frozenset[Role]().union(*(role.sources for role in optimizers))
        apart = all(role.of for role in optimizers) and all(trained.isdisjoint(each.wholes) for each in stilled)
        return False if not stilled or apart else None

    def roles(self, value: Value | None, kind: str) -> list[Role]:
        return [] if value is None else roles(self._m.state, value, kind)

    def objects(self, values: Iterable[Value]) -> list[Role]:
        given = Items(tuple(values))
        for each in parts_of(given):
            if isinstance(each, Symbol):
                adopt(self._m.state, each)
        return self.roles(given, "")

    def apart(self, models: Iterable[Role], training: bool) -> bool | None:
        return apart(self._m.state, models, training)

    def switched(self, models: Iterable[Role], training: bool) -> None:
        switched(self._m.state, models, training)

    def in_train_mode(self, value: Value | None) -> bool | None:
        found = {in_train_mode(self._m.state, role) for role in self.roles(value, "model")}
        return found.pop() if len(found) == 1 else None

    def moded(self, value: Value | None) -> bool | None:
        found = {has_moded_left(self._m, role) for role in self.roles(value, "model")}
        return found.pop() if len(found) == 1 else None

    def computes_only(self, value: Value) -> bool:
        if isinstance(value, Instance):
            return layerless(self._m, value.cls)
        return isinstance(value, Object) and bool(value.facts.get("empty"))

    def by_batch(self, value: Value | None) -> bool | None:
        found = {by_batch(self._m, role) for role in self.roles(value, "model")}
        return found.pop() if len(found) == 1 else None

    def activation(self, how: str, given: Tensor | None = None) -> Activation:
        return put_through(given.activation if given else "", how, self._m.state.site(self._node))

    def of_probabilities(self, logged: Tensor) -> Tensor:
        return of_probabilities(self._m, self._node, logged)

    def window(self, size: str, then: Value | None = None) -> Value:
        last = self._m.state.fresh("last", counter=True)
        following = then.term if isinstance(then, Symbol) else None
        self._m.state.known(Test(last.term, last.names, True, size, following, text=last.term.text))
        return last

    def window_before(self, size: str) -> Value:
        ended = self._m.state.fresh("ended", counter=True)
        self._m.state.known(Test(ended.term, ended.names, True, size, first=True, text=ended.term.text))
        return ended

    def emit(
        self,
        verb: str,
        on: Iterable[Role],
        facts: Mapping[str, Fact | None] | None = None,
        open: bool = False,
        names: Mapping[str, str] | None = None,
    ) -> None:
        self._m.state.emit(verb, on, self._node, facts, names, open)

    def backward(self, loss: Value | None, facts: Mapping[str, Fact | None], names: Mapping[str, str] | None = None) -> Value:
        words = {"loss": self.text(0, "loss"), **(names or {})}
        return backward(self._m, self._node, NONE if loss is None else loss, words, facts)

    def differentiated(self, values: Iterable[Value]) -> None:
        tensor = tensor_in(Items(tuple(values)))
        if tensor:
            differentiated(self._m.state, tensor)
        self._m.state.untold = self._m.state.untold or not tensor

    def build(
        self,
        kind: str,
        of: Iterable[Value],
        facts: Mapping[str, Fact | None],
        keeps: Mapping[str, object],
        names: Mapping[str, str] | None = None,
    ) -> Value:
        made = built(self._m, self._node, self.name, kind, of, facts, keeps, names)
        if kind == "loader":
            made.role.anew |= names_of(Items((*self.args, *self.keywords.values())))
        return made

    def factor(self, function: Value | None, step: float = 0.0) -> float | None:
        return factor(self._m, function, step)

    def gives_rate(self, function: Value | None, rate: Value) -> bool | None:
        return gives_rate(self._m, function, rate)

    def counts_on(self, function: Value | None) -> bool:
        return counts_on(self._m, function)

    def counts_from_one(self, function: Value | None) -> bool:
        return isinstance(function, Function) and counts_from_one(function)

    def span_of(self, function: Value | None) -> Term | None:
        return span_of(self._m, function)


def _in_emergency(body: ir.Block, node: ir.Place) -> bool:
    """Whether something is done where an exception has come, and not otherwise."""
    tries = (each for each in ir.walk(*body) if isinstance(each, ir.Try))
    return any(inner is node for each in tries for handler in each.handlers for inner in ir.walk(*handler.body))


def _tells_apart(guard: ir.Expression) -> bool:
    """`isinstance(scheduler, StepLR)`, `args.policy == "step"`: not `scheduler is not None`, nor a test of a count."""
    nodes = [*ir.walk(guard)]
    named = any(isinstance(each, ir.Literal) and isinstance(each.value, str) for each in nodes)
    called = {each.name for each in nodes if isinstance(each, (ir.Name, ir.Attribute))}
    return named or any(words(name) & KINDS for name in called)


def built(
    m: Machine,
    node: ir.Place,
    name: str,
    kind: str,
    of: Iterable[Value],
    facts: Mapping[str, Fact | None],
    keeps: Mapping[str, object],
    names: Mapping[str, str] | None = None,
) -> Object:
    """A new object, and its `build` event."""
    sources: list[Role] = []
    unseen = False
    for value in itertools.chain.from_iterable(map(_of_groups, of)):
        spend(m.state, value)
        found = roles(m.state, value, SOURCES.get(kind, ""))
        if kind == "optimizer":
            taken_alone(m.state, value)
        unseen = unseen or not found or any(isinstance(each, Params) and each.open for each in parts_of(value))
        sources += found
    role = Role(kind, "", of=tuple(dict.fromkeys(sources)), open=unseen and kind in SOURCES, anew=m.state.here.loops)
    m.state.emit("build", [role], node, facts, {"class": name.rpartition(".")[2], **(names or {})})
    m.state.kept[role] = keeps
    if kind in ("scheduler", "warmup"):
        _tell_spent(m, role)
    return Object(role, keeps)


def _tell_spent(m: Machine, made: Role) -> None:
    """A decay is over when the warm-up of its optimizer is: it is as long. Parts of a sequence have their turns."""
    kept = m.state.kept
    parts = kept[made].get("parts")
    for part in parts if isinstance(parts, (list, tuple)) else ():
        kept[part] = {**kept.get(part, {}), "falls": None, "rises": None}
        if part.built is not None:
            settle(part.built, "spent", False)
    pairs = [
        (decay, rise) for other in kept for decay, rise in ((made, other), (other, made)) if not set(made.of).isdisjoint(other.of)
    ]
    for decay, rise in pairs:
        length = kept[decay].get("falls")
        if length is not None and length == kept[rise].get("rises") and decay.built is not None:
            settle(decay.built, "spent", True)


def asked(m: Machine, node: ir.Place, row: Row, name: str, me: Value | None, given: Arguments) -> Value:
    """Ask the vocabulary; where the optimizer given is one or another, under the test that decides."""
    for at, value in enumerate(map(m.state.settled, given.values)):
        if _one_of_optimizers(value):
            return m.state.each(value, lambda one, at=at: _with(m, node, row, name, me, given, at, one))  # type: ignore[misc]
    return row(BoundCall(m, node, name, me, given))


def _with(m: Machine, node: ir.Place, row: Row, name: str, me: Value | None, given: Arguments, at: int, one: Value) -> Value:
    values = (*given.values[:at], one, *given.values[at + 1 :])
    return asked(m, node, row, name, me, replace(given, values=values))


def _one_of_optimizers(value: Value) -> bool:
    return isinstance(value, Choice) and {role.kind for role in roles_in(value)} == {"optimizer"}


def without_effects(m: Machine, name: str, given: Items, at: ir.Place | None = None, lasting: bool = False) -> Value:
    """What a call returns that only computes: the same for the same arguments, in one pass of the loops around it.

    at: the call, of one that may make an object: two calls make two. lasting: the same on every pass as well.
    """
    site = () if at is None else (m.state.call_site(at),)
    names = names_of(given) if lasting else names_of(given) | m.state.here.loops
    return m.state.symbol(Term("call", name, term_of(given), *site), names)


def _of_groups(value: Value) -> Iterator[Value]:
    """Of parameter groups, the parameters."""
    if isinstance(value, Items) and value.keys is None and any(isinstance(each, Items) and each.keys for each in value.values):
        yield from (entries_of(each).get("params", each) for each in value.values if isinstance(each, Items))
    else:
        yield value


def closure_in(given: Arguments, kind: type[Any]) -> Value | None:
    """The first argument of a kind of value."""
    return next((each for each in (*given.values, *given.keywords.values()) if isinstance(each, kind)), None)


def _says(m: Machine, function: Value, names: Set[str], within: tuple[ir.Code, ...] = ()) -> bool | None:
    """Whether a function has any of these names in it, or what it names has; None where that is out of sight."""
    match function:
        case Partial(function=inner):
            return _says(m, inner, names, within)
        case Function(code=code, frame=frame):
            said = {each.name: each for each in ir.walk(*code.body) if isinstance(each, (ir.Name, ir.Attribute))}
            if not names.isdisjoint(said):
                return True
            known = [m.state.heap.get((each, name)) for name in said for each in frame.around()]
            called = [each for value in known if value is not None and isinstance(each := m.fetched(value), Function)]
            return any(_says(m, each, names, (*within, code)) for each in called if each.code not in (*within, code))
        case Symbol() | Api():
            return None
        case _:
            return False
