"""What a pass of a loop finds changed by the passes before it (havoc): what its body binds again, and what outlasts a pass."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache

from loopcheck import words as kinds
from loopcheck.read.domain.heap import Key
from loopcheck.read.domain.parts import names_of, parts_of, role_of
from loopcheck.read.domain.terms import Term
from loopcheck.read.domain.values import NO_ARGUMENTS, NONE, Api, Choice, Const, Instance, Symbol, Value
from loopcheck.read.front import ir
from loopcheck.read.front.bound import bound_names
from loopcheck.read.interpret.binding import last_name
from loopcheck.read.interpret.editing import unsettle_items
from loopcheck.read.interpret.lineage import lineage
from loopcheck.read.interpret.machine import Machine
from loopcheck.read.interpret.names import lookup
from loopcheck.read.interpret.rows import BoundCall
from loopcheck.read.vocabulary import Outlasting, methods


def havoc(m: Machine, body: ir.Block) -> tuple[dict[Key, Term], Mapping[Term, tuple[Key, object]]]:
    """What each variable is where a pass begins that the body binds again, or a function that it calls may, and each entry of a
    dict: they are not constant in it, and the first pass must not be taken for every pass."""
    state = m.state
    found: dict[Key, Term] = {}
    shared = state.frame.source.index.shared
    for name in bound_names(body) | (shared if shared and _called(body) else set()):
        base: object = state.frame.home(name)
        if name.startswith("self."):
            base, name = state.frame.me, name[5:]
        elif name in shared:
            base = next((each for each in state.frame.around() if (each, name) in state.heap), base)
        value = state.heap.get((base, name))
        if isinstance(value, (Const, Choice, Symbol)) and not any(role_of(part) for part in parts_of(value)):
            counter = not state.counters.isdisjoint(names_of(value))
            state.heap[(base, name)] = within = state.fresh(f"{state.frame.name}.{name}", counter)
            state.entered[within.term] = value
            found[(base, name)] = within.term
    entries = unsettle_items(m, body, bool(_called(body)))
    for key, value in _left_open(m, body).items():
        state.heap[key] = within = state.fresh(str(key[1]))
        state.entered[within.term] = value
        found[key] = within.term
    return found, entries


def _left_open(m: Machine, body: ir.Block) -> dict[Key, Value]:
    """Attributes of objects that are `None`, or a limit to be beaten, before a loop, and that a method which its body calls may
    bind, or a method of what the object itself calls: `self.best`. What each of them is there."""
    found: dict[Key, Value] = {}
    work = [_at(m, path) for path in _receivers(body)]
    met = list[Instance]()
    while work:
        value = work.pop(0)
        if isinstance(value, Instance) and value.role is None and value not in met:
            met.append(value)
            bodies = [
                method.code.body for cls in lineage(m, value.cls) for each, method in cls.methods.items() if each != "__init__"
            ]
            bound = {each[5:] for method in bodies for each in bound_names(method) if each.startswith("self.")}
            kept = {each: _held(m, value, each) for each in sorted(bound)}
            found |= {(value, each): held for each, held in kept.items() if held is not None and _is_open(held)}
            called = {each[5:] for method in bodies for each in _receivers(method) if each.startswith("self.")}
            work += [m.state.settled(_held(m, value, each) or NONE) for each in sorted(called)]
    return found


def _held(m: Machine, instance: Instance, name: str) -> Value | None:
    """The attribute of an object, or what its class says of it: `_optimizer = None`."""
    owners = (instance, *lineage(m, instance.cls))
    return next((found for each in owners if (found := m.state.heap.get((each, name))) is not None), None)


def _is_open(value: Value) -> bool:
    """Whether it stands for what is not there yet: `None`, or what everything is better than, `float("inf")`. A whole number may
    be a count, which is followed from pass to pass."""
    match value:
        case Const(float()):
            return True
        case Api(name) | Symbol(Term(head="-", operands=(Term(head="api", operands=(str() as name,)),))):
            return name.rpartition(".")[2].lower() in _INFINITIES
        case _:
            return value == NONE


_INFINITIES = {"inf", "infty", "infinity"}


def _at(m: Machine, path: str) -> Value:
    """The value of a variable, or of an attribute of one."""
    name, _, of = path.partition(".")
    value = m.state.settled(lookup(m, name))
    return m.state.settled(m.state.heap.get((value, of)) or NONE) if of else value


def carry(m: Machine, body: ir.Block) -> None:
    """Each object has what a method that the body calls on it has left behind in the pass before."""
    for node in ir.calls_in(body):
        if isinstance(node.function, ir.Attribute) and (name := node.function.name) in _OUTLASTING:
            value = _at(m, _path(node.function.base))
            row = methods().get((role.kind, name)) if (role := role_of(value)) else None
            if isinstance(row, Outlasting):
                row.before(BoundCall(m, node, name, value, NO_ARGUMENTS))


_OUTLASTING = frozenset(name for (_, name), row in methods().items() if isinstance(row, Outlasting))


def may_switch(m: Machine, body: ir.Block, layers: Collection[str]) -> bool:
    """Whether a body may switch a model's mode: it calls what does, or what says that it trains or evaluates. A layer of the
    model, which the loop binds, has a mode of its own."""
    switching = m.state.frame.source.index.switching
    called = {name for name, of in _methods(body) if of not in layers and (name in switching or kinds.words(name) & _SWITCHING)}
    return bool(called - {"eval"}) or ("eval" in called and not _is_pythons(m, body, "eval"))


def _is_pythons(m: Machine, body: ir.Block, name: str) -> bool:
    """Whether what a body calls by a name is Python's own function, `eval(line)`, and no method."""
    called = [each.function for each in ir.calls_in(body) if last_name(each) == name]
    return all(isinstance(each, ir.Name) for each in called) and lookup(m, name) == Api(f"builtins.{name}")


@lru_cache(maxsize=4096)
def _called(body: ir.Block) -> frozenset[str]:
    """The last names of what code calls."""
    return frozenset(map(last_name, ir.calls_in(body)))


@lru_cache(maxsize=4096)
def _methods(body: ir.Block) -> frozenset[tuple[str, str]]:
    """The last names of what code calls, with the variables whose methods they are."""
    return frozenset((last_name(each), _path(_base(each))) for each in ir.calls_in(body))


@lru_cache(maxsize=4096)
def _receivers(body: ir.Block) -> tuple[str, ...]:
    """The variables, and attributes of variables, that code calls or calls a method of: `stopper` and `self.stopper`, of
    `self.stopper(loss)` as well as of `self.stopper.step(loss)`."""
    paths = (_path(part) for each in ir.calls_in(body) for part in (_base(each), each.function))
    return tuple(path for path in dict.fromkeys(paths) if path)


def _base(call: ir.Call) -> ir.Expression | None:
    return call.function.base if isinstance(call.function, ir.Attribute) else None


def _path(node: ir.Expression | None) -> str:
    """How a variable or an attribute of one is written; nothing of what is neither."""
    match node:
        case ir.Name(name=name):
            return name
        case ir.Attribute(base=ir.Name(name=name), name=of):
            return f"{name}.{of}"
        case _:
            return ""


_SWITCHING = kinds.TRAINING | kinds.HELD_OUT
