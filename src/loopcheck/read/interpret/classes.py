"""Classes of the project: what their definition binds, and what constructing an object of one does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from loopcheck.loop import UNWRITABLE, Role
from loopcheck.read.domain.counts import unit
from loopcheck.read.domain.parts import leaves_of, parts_of, role_of, roles_in
from loopcheck.read.domain.state import UNREAD, State
from loopcheck.read.domain.terms import Term
from loopcheck.read.domain.values import NONE, Arguments, Class, Const, Function, Instance, Items, Later, Symbol, Value
from loopcheck.read.front import ir
from loopcheck.read.front.index import EDITING
from loopcheck.read.interpret.dropout import tell_dropout
from loopcheck.read.interpret.factors import zero_rates
from loopcheck.read.interpret.functions import definition, inline, made
from loopcheck.read.interpret.hiding import tell_hidden
from loopcheck.read.interpret.lineage import accessor, kind_of, method_of, wrapping_base
from loopcheck.read.interpret.machine import Instruction, Machine
from loopcheck.read.interpret.members import item, some_class
from loopcheck.read.interpret.moded import given_mode
from loopcheck.read.interpret.names import class_of, written_out
from loopcheck.read.interpret.probabilities import tell_of_function, tell_of_methods
from loopcheck.read.interpret.rows import SOURCES
from loopcheck.read.interpret.spans import keeps_its_rates, span_of_class
from loopcheck.read.objects.evidence import adopt
from loopcheck.read.objects.passes import settle
from loopcheck.read.vocabulary import annotated

AFTER_CONSTRUCTION = ("__post_init__", "__attrs_post_init__")
"""The methods that the constructors of dataclasses, and of attrs, end with."""


def defined(m: Machine, node: ir.Class) -> None:
    """A class is bound, with its methods and the worth of its fields, and put into what the project's decorators keep."""
    state = m.state
    state.frame.kept = True
    cls = Class(node, state.frame, tuple(_base(m, base) for base in node.bases))
    for statement in node.body:
        match statement:
            case ir.Define(code=code):
                roles = {accessor(code, mark) for mark in code.decorators} - {None}
                if not roles:
                    cls.methods[code.name] = replace(made(m, code), owner=cls)
                elif "setter" in roles:
                    cls.setters[code.name] = replace(made(m, code), owner=cls)
            case ir.Assign(targets=(ir.Name(name=name), *_), value=value):
                _bind(m, cls, name, m.evaluate(value))
            case ir.Annotate(target=ir.Name(name=name), annotation=annotation, value=written):
                state.heap[(cls, name)] = _field(m, cls, name, annotation, written)
    state.heap[state.variable(node.name)] = cls
    _registered(m, node.decorators, cls)
    tell_dropout(m, cls)
    tell_hidden(m, cls)
    tell_of_methods(m, cls)


def _bind(m: Machine, cls: Class, name: str, value: Value) -> None:
    """A class has a value under a name; of a function, `predict = predict`, a method: whoever has an object may call it."""
    if isinstance(value, Function) and value.owner is None and value.code.name != "lambda":
        m.definitions.add(definition(value))
        cls.methods[name] = replace(value, owner=cls)
    else:
        m.state.heap[(cls, name)] = value


def _field(m: Machine, cls: Class, name: str, annotation: str, written: ir.Expression | None) -> Symbol:
    """A field of a dataclass, with its default."""
    default = None if written is None else m.evaluate(written)
    kind = annotated(annotation)
    symbol = m.state.symbol(Term("name", cls.name, name), (), default if isinstance(default, Const) else None)
    if kind and symbol.role is None:
        symbol.role = Role(kind, name, open=kind != "model", evidence="annotated")
    elif symbol.typed is None:
        symbol.typed = class_of(m, cls.frame, annotation) or _made_by(m, written)
    return symbol


def _made_by(m: Machine, written: ir.Expression | None) -> Value | None:
    """What makes a field of a dataclass where nothing is given for it, `list` of `field(default_factory=list)`."""
    match written:
        case ir.Call(arguments=arguments):
            return next((m.evaluate(each.value) for each in arguments if each.keyword == "default_factory"), None)
        case _:
            return None


def _base(m: Machine, node: ir.Expression) -> Value:
    """A base class; a name of another module is not looked at before somebody asks."""
    stored = m.state.heap.get((m.state.frame, node.name)) if isinstance(node, ir.Name) else None
    return stored if isinstance(stored, Later) else written_out(m, _some_of(m.evaluate(node)))


def _some_of(base: Value) -> Value:
    """A base that settings choose from classes of one module: some class of that, where a page says what they have in common."""
    return some_class([*leaves_of(base)]) or base


def construct(m: Machine, node: ir.Place, cls: Class, args: Arguments) -> Value:
    """An object of a class of the project: its `__init__` interpreted in place."""
    state = m.state
    m.reached.add(cls.node)
    if (wrapper := wrapping_base(m, cls)) is not None and method_of(m, cls, "__init__", None) is None:
        return m.invoke(node, wrapper, args)
    kind = kind_of(m, cls)
    role = _role(state, kind, args.all) if kind else None
    instance = Instance(cls, state.new(cls.name, "instance"), role)
    if role is not None and (role.kind == "model" or role.of):
        facts = {"training": given_mode(m, cls, args.all)} if role.kind == "model" else {}
        words = {"class": cls.name, **({"shifted": UNWRITABLE} if role.kind == "scheduler" else {})}
        state.emit("build", [role], node, facts, words)
    init = method_of(m, cls, "__init__", instance)
    if isinstance(init, Function):
        inline(m, node, init, args)
        if not state.heap.of(instance):
            state.heap[(instance, UNREAD)] = NONE
    else:
        names = [name for name in state.heap.of(cls) if isinstance(name, str)]
        given = {**dict(zip(names, args.values, strict=False)), **args.keywords}
        for name, value in given.items():
            state.heap[(instance, name)] = value
        for whole in [value for name, value in args.keywords.items() if name.startswith("**")]:  # `Snapshot(**torch.load(path))`
            for name in [each for each in names if each not in given]:
                state.heap[(instance, name)] = item(m, whole, Const(name))
        state.heap[(instance, state.new("given"))] = args.all  # a constructor out of sight keeps what it likes
        for name in AFTER_CONSTRUCTION:
            if isinstance(after := method_of(m, cls, name, instance), Function):
                inline(m, node, after, Arguments())
    if instance.role is not None and instance.role.kind == "scheduler":
        _tell_rates(m, cls, instance, instance.role)
    if role is not None and role.kind == "model":
        m.made_of[role] = instance
        _note_vectors(m, instance, role)
    return instance


def _tell_rates(m: Machine, cls: Class, made: Instance, role: Role) -> None:
    """What a schedule of a class of the project is as long as, whether its first rate is 0, and whether its steps change nothing,
    where torch counts them: it has no `step` of its own."""
    rates = method_of(m, cls, "get_lr", made)
    if role.built is None or not isinstance(rates, Function) or isinstance(method_of(m, cls, "step", made), Function):
        return
    if keeps_its_rates(m, made, rates):
        m.state.kept[role] = {**m.state.kept.get(role, {}), "told": True}
    if zero_rates(m, rates):
        settle(role.built, "from_zero", True)
    span = span_of_class(m, rates)
    if span is not None and (counted := unit(span)) is not None:
        settle(role.built, "length", counted)


def _role(state: State, kind: str, given: Items) -> Role:
    """An object of a class of the project, made from what it is given."""
    of = tuple(dict.fromkeys(role for role in roles_in(given) if role.kind == SOURCES.get(kind)))
    return Role(kind, "", of, open=kind in SOURCES and not of, anew=state.here.loops)


def _note_vectors(m: Machine, made: Instance, role: Role) -> None:
    """Whether a module has one-dimensional parameters: not where no layer of it has."""
    kept = m.state.kept
    parts = [part for value in list(m.state.heap.of(made).values()) for part in parts_of(value)]
    inner = [adopt(m.state, part) if isinstance(part, Symbol) else role_of(part) for part in parts]
    layers = [kept.get(each, {}).get("vectors") for each in inner if each is not None]
    kept[role] = {**kept.get(role, {}), "vectors": not all(each is False for each in layers)}


def function_defined(m: Machine, node: ir.Define) -> None:
    """A function is bound, and registered with the objects whose methods decorate it, `@trainer.on(…)`, or in what the project's
    decorators keep."""
    function = made(m, node.code)
    m.state.heap[m.state.variable(node.code.name)] = function
    tell_of_function(m, function)
    _registered(m, node.code.decorators, function)


def _registered(m: Machine, marks: Sequence[ir.Expression], defined: Class | Function) -> None:
    """What is defined is given to those of its decorators that keep it: objects of the project, functions that fill a list."""
    for mark in reversed(marks):
        if isinstance(mark, ir.Call) and isinstance(mark.function, ir.Attribute) and _registers(m, mark.function.base):
            m.invoke(mark, m.evaluate(mark), Arguments((defined,)))
        elif _keeps(m, mark):
            decorator = m.evaluate(mark)
            if isinstance(decorator, Function):
                m.invoke(mark, decorator, Arguments((defined,)))


def _keeps(m: Machine, mark: ir.Expression) -> bool:
    """Whether a decorator of the project puts what it is given into a container: `handlers[event].append(function)`."""
    name = mark.function if isinstance(mark, ir.Call) else mark
    decorator = m.state.settled(m.evaluate(name)) if isinstance(name, ir.Name) else None
    return isinstance(decorator, Function) and any(map(_stores, ir.walk(*decorator.code.body)))


def _stores(node: ir.Node) -> bool:
    match node:
        case ir.Call(function=ir.Attribute(name=name)):
            return name in EDITING
        case ir.Assign(targets=targets):
            return any(isinstance(each, ir.Subscript) for each in targets)
        case ir.Define(code=inner):  # of `@on(event)`, what that makes
            return any(map(_stores, ir.walk(*inner.body)))
        case _:
            return False


def _registers(m: Machine, node: ir.Expression) -> bool:
    """Whether a name stands for an object of a class that is in sight."""
    return isinstance(node, ir.Name) and isinstance(m.state.settled(m.evaluate(node)), Instance)


INSTRUCTIONS: Mapping[type, Instruction] = {ir.Class: defined, ir.Define: function_defined}
