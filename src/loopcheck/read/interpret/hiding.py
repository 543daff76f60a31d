"""Layers that a network keeps in a plain list or dictionary, where it does not find them when it is asked for its parameters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

from loopcheck.api import MOVES
from loopcheck.loop import Role
from loopcheck.read.domain.values import Api, Class, Value
from loopcheck.read.front import ir
from loopcheck.read.front.bound import bound_by
from loopcheck.read.interpret.binding import last_name
from loopcheck.read.interpret.lineage import kind_of, lineage
from loopcheck.read.interpret.machine import Machine
from loopcheck.read.vocabulary.layers import copies_layers, has_parameters, is_container

_Container: TypeAlias = "ir.Sequence | ir.Mapping | ir.Comprehension"
_ON_PURPOSE = frozenset({
    "add_module", "register_module", "register_parameter", "setattr", "__setattr__", "_modules", "_apply", "named_parameters",
    "requires_grad", "requires_grad_", "state_dict",
})  # fmt: skip
"""Where a network speaks of one of these, it may know what it does not see."""


def tell_hidden(m: Machine, cls: Class) -> None:
    """A network hides layers from itself, as its class is written: that needs no object of it."""
    init = cls.methods.get("__init__")
    kept = () if init is None else _kept(init.code)
    if not kept or kind_of(m, cls) != "model" or _knows(m, cls) or _is_replaced(cls):
        return
    for name, value, layers in kept:
        several = len(layers) > 1 or not isinstance(value, ir.Sequence) or not value.elements
        if several and any(_learns(m, each) for each in layers) and _is_applied(name, cls) and not _used_elsewhere(name, cls):
            keyed = isinstance(value, ir.Mapping) or (isinstance(value, ir.Comprehension) and value.key is not None)
            facts = {"of": "dict" if keyed else "list", "bare": all(last_name(each.function) == "Parameter" for each in layers)}
            m.state.emit("hide", [Role("class", cls.name)], value, facts)


def _knows(m: Machine, cls: Class) -> bool:
    """Whether the network registers layers by hand, means not to, or says itself what its parameters are."""
    family = lineage(m, cls)
    said = [each.frame.source.index.within(each.node) for each in family]
    asked = {of for facts in said for of, name in facts.taken if name == "parameters"}
    mentioned = set[str]().union(*(facts.mentions for facts in said), *(each.methods for each in family))
    return not _ON_PURPOSE.isdisjoint(mentioned) or ("parameters" in mentioned and asked != {"self"})


@lru_cache(maxsize=1024)
def _kept(code: ir.Code) -> tuple[tuple[str, _Container, tuple[ir.Call, ...]], ...]:
    """The attributes that are lists or dictionaries, each with the calls that make what is put into it, if any do; not those that
    are a `ModuleList` under another test, to which what is put into it may belong."""
    nodes = _reached(code)
    only = _named_once(nodes)
    bound = [(name, _behind(value, only)) for name, value in _bound(nodes)]
    registered = {name for name, value in bound if isinstance(value, ir.Call) and is_container(f"torch.nn.{last_name(value)}")}
    found = []
    for name, value in bound:
        if isinstance(value, (ir.Sequence, ir.Mapping, ir.Comprehension)) and name not in registered:
            made = [_made(_behind(each, only)) for each in _elements(name, value, nodes)]
            layers = tuple(each for each in made if isinstance(each, ir.Call))
            found += [(name, value, layers)] if layers else []
    return tuple(found)


def _bound(nodes: Sequence[ir.Node]) -> Iterator[tuple[str, ir.Expression]]:
    """The attributes that a function gives values, each with one."""
    for node in nodes:
        match node:
            case (
                ir.Assign(targets=(ir.Attribute(base=ir.Name(name="self"), name=name),), value=value)
                | ir.Annotate(target=ir.Attribute(base=ir.Name(name="self"), name=name), value=value)
            ) if value is not None:
                yield name, value


def _named_once(nodes: Sequence[ir.Node]) -> dict[str, ir.Expression]:
    """What a function gives a name in one place, and uses in one: nobody else has what the name stands for."""
    times = Counter(node.name for node in nodes if isinstance(node, ir.Name))
    found: dict[str, ir.Expression] = {}
    for node in nodes:
        match node:
            case ir.Assign(targets=(ir.Name(name=name),), value=value) if times[name] == 2:
                found[name] = value
    return found


def _behind(value: ir.Expression, only: Mapping[str, ir.Expression]) -> ir.Expression:
    """What a name stands for that nobody else uses."""
    return only.get(value.name, value) if isinstance(value, ir.Name) else value


def _reached(code: ir.Code) -> list[ir.Node]:
    """What a function may come to: not the arm of an `if` whose test is a variable that is one literal for good."""
    nodes = [*ir.walk(*code.body)]
    times = Counter(name for node in nodes for name in bound_by(node)) + Counter(code.parameters.names)
    known: dict[str, object] = {}
    for node in nodes:
        match node:
            case ir.Assign(targets=(ir.Name(name=name),), value=ir.Literal(value=value)) if times[name] == 1:
                known[name] = value
    found, work = list[ir.Node](), list[ir.Node](code.body)
    while work:
        node = work.pop()
        found.append(node)
        match node:
            case ir.If(test=ir.Name(name=name)) if name in known:
                work += node.then if known[name] else node.other
            case ir.If(test=ir.Not(operand=ir.Name(name=name))) if name in known:
                work += node.other if known[name] else node.then
            case _:
                work += ir.children(node)
    return found


def _elements(name: str, value: _Container, nodes: Sequence[ir.Node]) -> Iterator[ir.Expression]:
    """What is put into it, where it is made and further down."""
    match value:
        case ir.Sequence(elements=inside) | ir.Mapping(values=inside):
            yield from inside
        case ir.Comprehension(element=element):
            yield element
    for node in nodes:
        match node:
            case ir.Call(
                function=ir.Attribute(base=ir.Attribute(base=ir.Name(name="self"), name=of), name="append"),
                arguments=(ir.Argument(value=added),),
            ) if of == name:
                yield added
            case ir.Assign(targets=(ir.Subscript(base=ir.Attribute(base=ir.Name(name="self"), name=of)),), value=added) if (
                of == name
            ):
                yield added


def _made(node: ir.Expression) -> ir.Expression:
    """The layer of `nn.Linear(4, 4).to(device)`."""
    while isinstance(node, ir.Call) and isinstance(node.function, ir.Attribute) and node.function.name in MOVES:
        node = node.function.base
    return node


def _learns(m: Machine, node: ir.Call) -> bool:
    """Whether a call makes a layer with parameters, of torch or of the file."""
    callee: Value = m.evaluate(node.function)
    match callee:
        case Api(name) if is_container(name):
            inside = (_made(each.value) for each in node.arguments)
            return any(_learns(m, each) for each in inside if isinstance(each, ir.Call))
        case Api(name):
            return has_parameters(name)
        case Class():
            facts = callee.frame.source.index.within(callee.node)
            layers = (f"torch.nn.{name}" for of, name in facts.taken if of == "nn")
            return kind_of(m, callee) == "model" and any(map(has_parameters, layers))
        case _:
            return False


def _is_replaced(cls: Class) -> bool:
    """Whether the file has another class of this name further down: it is that which anybody makes objects of."""
    bodies = cls.frame.source.index.bodies
    return cls.frame.parent is None and any(row > cls.node.span[0] and each.name == cls.name for row, each in bodies.items())


def _is_applied(name: str, cls: Class) -> bool:
    """Whether a network with a forward may use what it keeps, in another method than the one that makes it."""
    others = [method for called, method in cls.methods.items() if called != "__init__"]
    said = (method.frame.source.index.of(method.code).mentions for method in others)
    return "forward" not in cls.methods or any(name in mentions for mentions in said)


def _used_elsewhere(name: str, cls: Class) -> bool:
    """Whether something else holds the layers too, or has copies of them, or somebody asks a network for them:
    `nn.Sequential(*self.layers)`, `nn.TransformerEncoder(self.layers[0], 6)`."""
    if any(name in taken for of, taken in cls.frame.source.index.uses.items() if of != "self"):
        return True
    for method in cls.methods.values():
        for node in ir.walk(*method.code.body):
            if isinstance(node, ir.Call) and (is_container(made := f"torch.nn.{last_name(node)}") or copies_layers(made)):
                inside = (each for given in node.arguments for each in ir.walk(given.value))
                if any(isinstance(each, ir.Attribute) and each.name == name for each in inside):
                    return True
    return False
