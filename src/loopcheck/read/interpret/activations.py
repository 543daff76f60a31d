"""What a network puts its outputs through last, read off the text of its forward: that is not interpreted, for a forward is what
the caller writes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from loopcheck.api import ACTIVATED, ACTIVATIONS, MOVES
from loopcheck.loop import Role
from loopcheck.read.domain.choices import NUMBER, Activation, agreed
from loopcheck.read.domain.parts import leaves_of, role_of
from loopcheck.read.domain.values import Api, Function, Instance, Object, Value
from loopcheck.read.front import ir
from loopcheck.read.front.bound import bound_names, targets_of
from loopcheck.read.front.source import Site
from loopcheck.read.interpret.lineage import method_of
from loopcheck.read.interpret.machine import Machine
from loopcheck.read.vocabulary.layers import HEADS


def activation(m: Machine, role: Role) -> str | tuple[str, ...]:
    """`softmax` of a network whose every output is one; empty where that cannot be told. Of several outputs, of each.

    NUMBER of what is no tensor at all.
    """
    known = m.state.kept.get(role, {}).get("activation")
    if isinstance(known, str):
        return known
    made = m.made_of.get(role)
    if made is None:  # of a library's classifier, the layer that was put in its last one's place
        heads = [each for name in HEADS if isinstance(each := m.state.heap.get((role, name)), Object)]
        return _of_layer(m, heads[0]) if len(heads) == 1 and role.evidence == "built" else ""
    return _handed_back(m, made, "forward", ())


def _handed_back(m: Machine, made: Instance, name: str, through: tuple[Function, ...]) -> str | tuple[str, ...]:
    """What every return of a method hands back was put through last. through: the methods that it is looked for in already."""
    method = method_of(m, made.cls, name, made)
    if not isinstance(method, Function) or any(method.code is each.code for each in through):
        return ""
    body, inside = method.code.body, (*through, method)
    found = [
        _returned(m, made, each.value, body[:at] if each is statement else (*body[:at], statement), inside)
        for at, statement in enumerate(body)
        for each in ir.walk(statement)
        if isinstance(each, ir.Return)
    ]
    told = [each for each in found if each != NUMBER]
    return agreed(told) if told else ""


def _returned(
    m: Machine, made: Instance, node: ir.Expression | None, before: ir.Block, inside: tuple[Function, ...]
) -> str | tuple[str, ...]:
    """What a return hands back was put through last. before: all that may have run by then, what stands around it included."""
    match node:
        case None:
            return ""
        case ir.Sequence(elements=elements):
            return tuple(_last(m, made, each, before, inside) for each in elements)
        case _:
            return _last(m, made, node, before, inside)


def _last(m: Machine, made: Instance, node: ir.Expression, before: ir.Block, inside: tuple[Function, ...]) -> str:
    """What an expression is put through last. before: the statements in front of it: the last that binds a name counts. inside:
    the methods around."""
    match node:
        case ir.Name(name=name):
            for at in reversed(range(len(before))):
                match before[at]:
                    case ir.Assign(targets=(ir.Name(name=bound),), value=value) if bound == name:
                        return _last(m, made, value, before[:at], inside)
                    case ir.Assign(targets=(ir.Sequence(elements=names),), value=ir.Sequence(elements=values)):
                        for one, value in zip(names, values, strict=False):
                            if isinstance(one, ir.Name) and one.name == name:
                                return _last(m, made, value, before[:at], inside)
                        if not all(isinstance(one, ir.Name) for one in names):
                            return ""
                    case ir.For(
                        target=ir.Name(name=each),
                        iterable=ir.Attribute(base=ir.Name(name="self"), name=held),
                        body=(ir.Assign(targets=(ir.Name(name=bound),), value=ir.Call(function=ir.Name(name=called)) as call),),
                    ) if bound == name and called == each:  # `for layer in self.layers: x = layer(x)`
                        layers = m.state.heap.get((made, held))
                        return _here(_of_layer(m, layers), call, inside) if isinstance(layers, Object) else ""
                    case statement if name in _bound(statement):
                        return ""
            return ""
        case ir.Call(function=ir.Attribute(base=ir.Name(name="self"), name=name)):
            layer = m.state.heap.get((made, name))
            if layer is None:
                found = _handed_back(m, made, name, inside)
                return found if isinstance(found, str) else ""
            several = [*leaves_of(layer)]
            if several and all(isinstance(each, (Object, Api)) for each in several):
                hows = {_of_layer(m, each) if isinstance(each, Object) else _of_function(each) for each in several}
                return _here(hows.pop(), node, inside) if len(hows) == 1 else ""
            inner = role_of(layer)
            found = activation(m, inner) if inner is not None and isinstance(layer, Instance) else ""
            return found if isinstance(found, str) else ""
        case ir.Subscript(base=ir.Name() as base, index=None | ir.Sequence()):  # some of its values, `scores[:, -1]`
            return _last(m, made, base, before, inside)
        case ir.Literal(value=int() | float()):
            return NUMBER
        case ir.Call(function=ir.Attribute(name="item" | "tolist" | "size" | "numpy")) | ir.Call(function=ir.Name(name="len")):
            return NUMBER
        case ir.Call(function=ir.Attribute(name=name)) if name in ACTIVATIONS:
            return _here(name, node, inside)
        case ir.Call(function=ir.Call() | ir.Name() as maker) if how := _layer(maker, before):
            return _here(how, node, inside)
        case ir.Call(function=ir.Attribute(base=base, name=name)) if name in MOVES:
            return _last(m, made, base, before, inside)
        case _:
            return ""


def _of_layer(m: Machine, layer: Object) -> str:
    """What a layer puts its values through last; of a container that was added to since, by the last."""
    known = m.state.kept.get(layer.role, {}).get("activation", layer.activation)
    return known if isinstance(known, str) else ""


def _of_function(kept: Value) -> str:
    """What a function of torch puts its argument through, which a network keeps in an attribute: `self.act = torch.sigmoid`."""
    module, _, name = kept.name.rpartition(".") if isinstance(kept, Api) else ("", "", "")
    return name if module in ("torch", "torch.nn.functional", "torch.special") and name in ACTIVATIONS else ""


def _layer(node: ir.Expression, before: ir.Block) -> str:
    """What a layer does that is made where it is applied, `nn.Softmax(dim=1)(x)`, or under a name in front of that."""
    match node:
        case ir.Call(function=ir.Attribute(name=name) | ir.Name(name=name)):
            return ACTIVATED.get(name, "")
        case ir.Name(name=name):
            bound = [each for each in before if name in _bound(each)]
            match bound[-1:]:
                case [ir.Assign(targets=(ir.Name(),), value=ir.Call() as value)]:
                    return _layer(value, before)
    return ""


def _here(how: str, node: ir.Place, inside: tuple[Function, ...]) -> str:
    """An activation that is applied in the innermost of these methods."""
    return Activation(how, Site(inside[-1].frame.source, node)) if how else ""


@lru_cache(maxsize=1024)
def _bound(statement: ir.Statement) -> frozenset[str]:
    """The names that a statement may bind, those into parts of whose values it may write included."""
    written = frozenset(
        each.name
        for node in ir.walk(statement)
        if isinstance(node, (ir.Assign, ir.Augment))
        for whole in (node.targets if isinstance(node, ir.Assign) else (node.target,))
        for target in targets_of(whole)
        for each in ir.walk(target)
        if isinstance(each, ir.Name)
    )
    return written | bound_names((statement,)) | frozenset(_changed(statement))


def _changed(statement: ir.Statement) -> Iterator[str]:
    """The names of what a compound statement calls a method of, which may change it: in its branches, or time and again."""
    if isinstance(statement, (ir.Evaluate, ir.Return, ir.Assign)):
        return
    for each in ir.walk(statement):
        match each:
            case ir.Evaluate(value=ir.Call(function=ir.Attribute(base=base))):
                yield from ir.identifiers(base)
            case _:
                pass
