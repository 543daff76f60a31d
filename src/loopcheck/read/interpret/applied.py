"""Which of the layers that the constructor of a network makes its other methods apply: one that nothing applies is no difference
between train and eval mode."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from weakref import WeakKeyDictionary

from loopcheck.api import MODED
from loopcheck.read.domain.values import Api, Class, Const, Function, Instance
from loopcheck.read.front import ir
from loopcheck.read.front.index import Facts
from loopcheck.read.interpret.drops import path_of
from loopcheck.read.interpret.lineage import bases_of, facts_of, lineage
from loopcheck.read.interpret.machine import Machine

_found: WeakKeyDictionary[Class, frozenset[str]] = WeakKeyDictionary()


def never_applied(m: Machine, cls: Class) -> frozenset[str]:
    """The attributes of a network of the project that hold what its constructor makes and no other method speaks of, with the
    names by which only such are made: a layer that nothing applies is no difference between the modes. Found once for a class,
    for its code says it, and every forward of one of its objects asks."""
    if cls not in _found:
        _found[cls] = _never_applied(m, cls)
    return _found[cls]


def _never_applied(m: Machine, cls: Class) -> frozenset[str]:
    methods = methods_of(m, cls)
    made, said = methods.get("__init__"), said_beside_constructor(methods)
    if made is None or "forward" not in methods or said.mentions & _OVER_PARTS or not is_plain_module(m, cls):
        return frozenset()
    bound: list[tuple[set[str], set[str]]] = []
    for node in ir.walk(*made.code.body):
        if isinstance(node, ir.Assign):
            names = {each.name for each in ir.walk(node.value) if isinstance(each, (ir.Name, ir.Attribute))}
            bound.append(({path_of(target)[1] if path_of(target)[0] == "self" else "" for target in node.targets}, names))
    attributes = {name for targets, _ in bound for name in targets if name} - said.mentions
    named = {name for targets, names in bound if targets <= attributes for name in names}
    others = {name for targets, names in bound if not targets <= attributes for name in names} | said.mentions
    return frozenset(attributes | (named - others - _applied_at_once(made.code.body)))


def _applied_at_once(block: ir.Block) -> set[str]:
    """The names that a constructor speaks of in what it does not bind, `layers.append(nn.Dropout(0.5))`."""
    done = [node.value for node in ir.walk(*block) if isinstance(node, ir.Evaluate)]
    return {each.name for each in ir.walk(*done) if isinstance(each, (ir.Name, ir.Attribute))}


_OVER_PARTS = frozenset({"children", "modules", "named_children", "named_modules", "_modules", "getattr", "__dict__"})
"""What code says that applies the parts of a module without naming them."""


def methods_of(m: Machine, cls: Class) -> dict[str, Function]:
    """The methods of a class by their names, those of its bases among them."""
    return {name: method for each in reversed(lineage(m, cls)) for name, method in each.methods.items()}


def said_beside_constructor(methods: Mapping[str, Function]) -> Facts:
    """What all methods but the constructor speak of: the layers that it makes are applied there."""
    said = Facts()
    for name, method in methods.items():
        if name != "__init__":
            said.absorb(method.frame.source.index.of(method.code))
    return said


def behind_what_is_off(m: Machine, made: Instance) -> set[str]:
    """The attributes of a module that its methods speak of behind tests alone that are off, `if self.dropout:` of one that is
    made without: whatever layer such an attribute holds, nothing applies it."""
    off = {name for name, value in m.state.heap.of(made).items() if isinstance(value, Const) and not value.value}
    bodies = [method.code.body for name, method in methods_of(m, made.cls).items() if name != "__init__"] if off else []
    tests = (node for body in bodies for node in _tests(body) if is_off(node.test, off))
    behind = {inner for node in tests for inner in ir.walk(*node.then)}
    own = [node for body in bodies for node in _own(body)] if behind else []
    return {node.name for node in own if node in behind} - {node.name for node in own if node not in behind}


@lru_cache(maxsize=4096)
def _tests(body: ir.Block) -> tuple[ir.If, ...]:
    return tuple(node for node in ir.walk(*body) if isinstance(node, ir.If))


@lru_cache(maxsize=4096)
def _own(body: ir.Block) -> tuple[ir.Attribute, ...]:
    """The attributes of self that a method speaks of."""
    taken = (node for node in ir.walk(*body) if isinstance(node, ir.Attribute))
    return tuple(node for node in taken if isinstance(node.base, ir.Name) and node.base.name == "self")


def is_off(share: ir.Expression | None, off: set[str]) -> bool:
    """Whether a share or a test is one of the attributes that are off, or a literal that is."""
    match share:
        case ir.Literal(value=value):
            return not value
        case ir.Conditional(then=then, other=other):
            return is_off(then, off) and is_off(other, off)
        case ir.Attribute(base=ir.Name(name="self"), name=name):
            return name in off
        case _:
            return False


def is_plain_module(m: Machine, cls: Class) -> bool:
    """Whether all layers of a class are made in sight: by its constructor, to be held by their names."""
    bases = [base for each in lineage(m, cls) for base in bases_of(m, each) if not isinstance(base, Class)]
    facts = facts_of(lineage(m, cls))
    known = all(isinstance(base, Api) and base.name == "torch.nn.Module" for base in bases)
    return known and "setattr" not in facts.bare and facts.taken.isdisjoint({("self", "add_module"), ("self", "register_module")})


def replaced_layers(m: Machine, classes: list[Class]) -> set[str]:
    """The layers of torch that a class derives from and whose forward is never run, as it has one of its own: a batch norm that
    always normalizes by its statistics."""
    forward = next((each.methods["forward"] for each in classes if "forward" in each.methods), None)
    if forward is None or "forward" in forward.frame.source.index.of(forward.code).calls:
        return set()
    derived = {base.name.rpartition(".")[2] for each in classes for base in bases_of(m, each) if isinstance(base, Api)}
    return {name for name in derived if name in MODED and MODED[name].option in ("track_running_stats", "p")}
