"""What a network puts its outputs through last, read off the text of its forward: that is not interpreted, for a forward is what
the caller writes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache

from loopcheck.api import ACTIVATED, ACTIVATIONS, APPLIES, GATHERS, LIMITS, MOVES, REARRANGES, RESIZES
from loopcheck.loop import Role
from loopcheck.read.domain.choices import NUMBER, Activation, Each, Entries, Limited, agreed, entries_put_through
from loopcheck.read.domain.parts import leaves_of, role_of
from loopcheck.read.domain.values import Api, Const, Function, Instance, Object, Value
from loopcheck.read.front import ir
from loopcheck.read.front.bound import bound_names, targets_of
from loopcheck.read.front.index import EDITING
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
    body, inside = _run_by(m, made, method.code.body), (*through, method)
    found = [
        _last(m, made, each.value, body[:at] if each is statement else (*body[:at], statement), inside) if each.value else ""
        for at, statement in enumerate(body)
        for each in ir.walk(statement)
        if isinstance(each, ir.Return)
    ]
    told = [each for each in found if each != NUMBER]
    return agreed(told) if told else ""


def _run_by(m: Machine, made: Instance, body: ir.Block) -> ir.Block:
    """The statements of a method that an object comes to: one arm of a branch that what it keeps decides, none after a return."""
    found: list[ir.Statement] = []
    for statement in body:
        outcome = _decided(m, made, statement.test) if isinstance(statement, ir.If) else None
        if isinstance(statement, ir.If) and outcome is not None:
            found += _run_by(m, made, statement.then if outcome else statement.other)
        else:
            found.append(statement)
        if found and isinstance(found[-1], (ir.Return, ir.Raise)):
            break
    return tuple(found)


def _decided(m: Machine, made: Instance, test: ir.Expression) -> bool | None:
    """How a test comes out by what an object keeps, `self.act is not None`; None where that cannot be told."""
    match test:
        case ir.Not(operand=operand):
            outcome = _decided(m, made, operand)
            return None if outcome is None else not outcome
        case ir.Attribute(base=ir.Name(name="self"), name=name):
            kept = _kept(m, made, name)
            return bool(kept.value) if isinstance(kept, Const) else True if _puts_through(m, kept) else None
        case ir.Compare(
            left=ir.Attribute(base=ir.Name(name="self"), name=name),
            operators=(("is" | "is not" | "==" | "!=") as operator,),
            others=(ir.Literal(value=value),),
        ):
            kept = _kept(m, made, name)
            if not isinstance(kept, (Const, Object, Instance, Api, Function)):
                return None
            return (isinstance(kept, Const) and kept.value == value) == (operator in ("is", "=="))
        case _:
            return None


def _kept(m: Machine, made: Instance, name: str) -> Value | None:
    """What a network keeps in an attribute that nobody but itself sets: others do so to all that have it, in sight or not."""
    sources = m.state.frame.source, made.cls.frame.source
    return None if any(_sets(each.text, name) for each in sources) else m.state.heap.get((made, name))


@lru_cache(maxsize=1024)
def _sets(text: str, name: str) -> bool:
    """Whether code sets an attribute of this name of something else than `self`, or speaks of it by its name."""
    return "__dict__" in text or re.search(rf"(?<!\bself)\.{name}\s*=(?!=)|[\"']{name}[\"']", text) is not None


def _puts_through(m: Machine, kept: Value | None) -> str:
    """What a layer or a function of torch that a network keeps puts its argument through; empty of anything else."""
    return _of_layer(m, kept) if isinstance(kept, Object) else _of_function(kept) if isinstance(kept, Api) else ""


def _by_part(
    m: Machine, made: Instance, name: str, call: ir.Call, before: ir.Block, inside: tuple[Function, ...]
) -> str | tuple[str, ...]:
    """What a call of a method or of a part of the network, `self.head(x)`, hands back was put through last, each of several."""
    layer = m.state.heap.get((made, name))
    if layer is None:
        return _handed_back(m, made, name, inside)
    if isinstance(layer, Object) and layer.facts.get("rearranges") and call.arguments:
        return _one(m, made, call.arguments[0].value, before, inside)
    several = [*leaves_of(layer)]
    if several and all(isinstance(each, (Object, Api)) for each in several):
        hows = {_puts_through(m, each) for each in several}
        return _here(hows.pop(), call, inside) if len(hows) == 1 else ""
    inner = role_of(layer)
    return activation(m, inner) if inner is not None and isinstance(layer, Instance) else ""


def _last(
    m: Machine, made: Instance, node: ir.Expression, before: ir.Block, inside: tuple[Function, ...]
) -> str | tuple[str, ...]:
    """What an expression is put through last, of several outputs each. before: the statements in front of it: the last that binds
    a name counts. inside: the methods around."""
    match node:
        case ir.Sequence(elements=elements):
            deeper = (*inside, inside[-1])
            known = not _is_deep(inside) and not any(isinstance(each, ir.Starred) for each in elements)
            return tuple(_one(m, made, each, before, deeper) for each in elements) if known else ""
        case ir.Name(name=name):
            if (entries := _filled(m, made, name, before, inside)) is not None:
                return entries
            if _is_new_list(name, before):
                how = _listed(m, made, name, before, inside)
                return Each(how) if how else ""
            for at in reversed(range(len(before))):
                match before[at]:
                    case ir.Assign(targets=(ir.Name(name=bound),), value=value) if bound == name:
                        found = _last(m, made, value, before[:at], inside)
                        return "" if isinstance(found, (tuple, Each)) and _is_edited(name, before[at + 1 :]) else found
                    case ir.Assign(targets=(ir.Sequence(elements=names),), value=value) if (
                        place := _place(name, names)
                    ) is not None:
                        if isinstance(value, ir.Sequence) and len(value.elements) == len(names):
                            return _last(m, made, value.elements[place], before[:at], inside)
                        found = _last(m, made, value, before[:at], inside)
                        return found[place] if isinstance(found, tuple) and len(found) == len(names) else ""
                    case ir.For(
                        target=ir.Name(name=each),
                        iterable=ir.Attribute(base=ir.Name(name="self"), name=held),
                        body=(ir.Assign(targets=(ir.Name(name=bound),), value=ir.Call(function=ir.Name(name=called)) as call),),
                    ) if bound == name and called == each:  # `for layer in self.layers: x = layer(x)`
                        layers = m.state.heap.get((made, held))
                        return _here(_of_layer(m, layers), call, inside) if isinstance(layers, Object) else ""
                    case ir.If(then=then, other=other) as branch if name in _bound(branch):
                        return _on_both(m, made, node, before[:at], (then, other), inside)
                    case statement if name in _bound(statement):
                        return ""
            return ""
        case ir.Call(function=ir.Attribute(base=ir.Name(name="self"), name=name)):
            return _by_part(m, made, name, node, before, inside)
        case ir.Call(
            function=ir.Attribute(name=called),
            arguments=(ir.Argument(value=ir.Attribute(base=ir.Name(name="self"), name=name)), *given),
        ) if called in APPLIES:
            return _by_part(m, made, name, replace(node, arguments=tuple(given)), before, inside)
        case ir.Comprehension(clauses=(_,), key=None):
            how = _of_all(m, made, node, before, inside)
            return Each(how) if how else ""
        case ir.Mapping(keys=keys, values=values) if None not in keys:  # what is unpacked may have any key
            return _entries(m, made, zip(map(_key, keys), values, strict=True), before, inside)
        case ir.Call(function=ir.Name(name="dict"), arguments=given) if all(each.keyword for each in given):
            return _entries(m, made, ((each.keyword, each.value) for each in given), before, inside)
        case ir.Subscript(base=base, index=ir.Literal(value=str(key))):
            whole = _last(m, made, base, before, inside)
            return whole.by_key.get(key, "") if isinstance(whole, Entries) else ""
        case ir.Subscript(base=ir.Call(function=ir.Attribute(name=name)) as base) if name in GATHERS:  # one of many alike
            return _last(m, made, base, before, inside)
        case ir.Subscript(base=base, index=ir.Literal(value=int(place))):
            return _at(_last(m, made, base, before, inside), place)
        case ir.Subscript(base=base, index=ir.Unary(operator="-", operand=ir.Literal(value=int(place)))):
            return _at(_last(m, made, base, before, inside), -place)
        case ir.Subscript(base=ir.Name() as base, index=None | ir.Sequence()):  # some of its values, `scores[:, -1]`
            return _one(m, made, base, before, inside)
        case ir.Literal(value=int() | float()):
            return NUMBER
        case ir.Call(function=ir.Attribute(name="item" | "tolist" | "size" | "numpy")) | ir.Call(function=ir.Name(name="len")):
            return NUMBER
        case ir.Call(function=ir.Attribute(name=name), arguments=(ir.Argument(value=parts), *_)) if name in GATHERS:
            return "" if _is_deep(inside) else _of_all(m, made, parts, before, (*inside, inside[-1]))
        case ir.Call(function=ir.Attribute(base=base, name=name), arguments=given) if name in LIMITS:
            of_torch = isinstance(base, ir.Name) and base.name == "torch" and given
            how = _one(m, made, given[0].value if of_torch else base, before, inside)
            return Limited(how) if how in ACTIVATIONS else ""
        case ir.Call(function=ir.Attribute(name=name)) if name in ACTIVATIONS:
            return _here(name, node, inside)
        case ir.Call(function=ir.Attribute(name=name), arguments=(ir.Argument(value=given), *_)) if (
            name in REARRANGES | RESIZES and _of_torch(node.function)
        ):
            return _one(m, made, given, before, inside)
        case ir.Call(function=ir.Call() | ir.Name() as maker) if how := _layer(maker, before):
            return _here(how, node, inside)
        case ir.Call(function=ir.Attribute(base=base, name=name)) if name in MOVES | REARRANGES:
            return _one(m, made, base, before, inside)
        case _:
            return ""


def _on_both(
    m: Machine, made: Instance, node: ir.Expression, before: ir.Block, arms: Iterable[ir.Block], inside: tuple[Function, ...]
) -> str | tuple[str, ...]:
    """What an expression is put through last behind both arms of a branch, those left out that do not come to their end."""
    ends = [arm for arm in arms if not (arm and isinstance(arm[-1], (ir.Return, ir.Raise)))]
    deeper = (*inside, inside[-1])
    return "" if _is_deep(inside) else agreed([_last(m, made, node, (*before, *arm), deeper) for arm in ends] or [""])


def _of_torch(function: ir.Expression) -> bool:
    """Whether a function is called by a name that modules of torch have: `torch.squeeze`, `F.interpolate`."""
    match function:
        case ir.Attribute(base=ir.Name(name="torch" | "F") | ir.Attribute(name="functional")):
            return True
        case _:
            return False


def _one(m: Machine, made: Instance, node: ir.Expression, before: ir.Block, inside: tuple[Function, ...]) -> str:
    """What an expression that stands for one output is put through last; empty of one that stands for several."""
    found = _last(m, made, node, before, inside)
    return found if isinstance(found, str) else ""


def _at(found: str | tuple[str, ...], place: int) -> str:
    """What one of several outputs was put through last; empty where there are none that many, or it is a part of one."""
    return found[place] if isinstance(found, tuple) and -len(found) <= place < len(found) else ""


def _place(name: str, targets: tuple[ir.Expression, ...]) -> int | None:
    """Which of several targets a name is; None where it is none of them, or a part of one."""
    places = [at for at, each in enumerate(targets) if isinstance(each, ir.Name) and each.name == name]
    return places[-1] if places else None


def _is_edited(name: str, after: ir.Block) -> bool:
    """Whether statements call a method that changes a list of this name, `outs.reverse()`."""
    for each in ir.walk(*after):
        match each:
            case ir.Call(function=ir.Attribute(base=ir.Name(name=of), name=method)) if of == name and method in EDITING:
                return True
    return False


MOST_TOGETHER = 2
"""Tuples, lists and dictionaries, one inside of the other, whose parts are looked at; nothing is known of those beyond."""


def _is_deep(inside: tuple[Function, ...]) -> bool:
    """Whether as many are looked at already, each of which has put the innermost method there once more."""
    return inside.count(inside[-1]) > MOST_TOGETHER


def _entries(
    m: Machine, made: Instance, entries: Iterable[tuple[str, ir.Expression]], before: ir.Block, inside: tuple[Function, ...]
) -> str:
    """What the entries of a dictionary were put through last."""
    deeper = (*inside, inside[-1])
    return "" if _is_deep(inside) else entries_put_through({key: _last(m, made, of, before, deeper) for key, of in entries})


def _of_all(m: Machine, made: Instance, parts: ir.Expression, before: ir.Block, inside: tuple[Function, ...]) -> str:
    """What every part of what is put together was put through last: those of a list that is written out or appended to."""
    match parts:
        case ir.Sequence(elements=elements) if elements:
            found = [_last(m, made, each, before, inside) for each in elements]
        case ir.Comprehension(element=element, clauses=clauses):
            rebound = (ir.Assign(each.target.span, (each.target,), ir.Opaque(each.target.span)) for each in clauses)
            found = [_last(m, made, element, (*before, *rebound), inside)]
        case ir.Name(name=name):
            return _listed(m, made, name, before, inside)
        case _:
            return ""
    how = agreed(found)
    return how if isinstance(how, str) else ""


def _is_new_list(name: str, before: ir.Block) -> bool:
    """Whether statements last assign a name an empty list."""
    at = _assigned_last(name, before)
    match before[at] if at is not None else None:
        case ir.Assign(value=ir.Sequence(elements=()) | ir.Call(function=ir.Name(name="list"), arguments=())):
            return True
        case _:
            return False


def _listed(m: Machine, made: Instance, name: str, before: ir.Block, inside: tuple[Function, ...]) -> str:
    """What all that a list holds was put through last, of which nothing else is done than that it is appended to."""
    at = _assigned_last(name, before)
    match before[at] if at is not None else None:
        case ir.Assign(value=ir.Sequence(elements=()) | ir.Call(function=ir.Name(name="list"), arguments=())):
            found: list[str | tuple[str, ...]] = []
        case ir.Assign(value=value):
            found = [_of_all(m, made, value, before[:at], inside)]
        case _:
            return ""
    after = before[(at or 0) + 1 :]
    appended = [*_appended(name, after, before[: (at or 0) + 1])]
    if len(appended) != _mentions(name, after):
        return ""
    found += [_last(m, made, each, around, inside) for each, around in appended]
    how = agreed(found) if found else ""
    return how if isinstance(how, str) else ""


def _appended(name: str, body: ir.Block, before: ir.Block) -> Iterator[tuple[ir.Expression, ir.Block]]:
    """What statements append to a list, each with all that may have run by then."""
    for at, statement in enumerate(body):
        match statement:
            case ir.Evaluate(
                value=ir.Call(
                    function=ir.Attribute(base=ir.Name(name=to), name="append"), arguments=(ir.Argument(value=value, star=""),)
                )
            ) if to == name:
                yield value, (*before, *body[:at])
            case ir.For(body=inner) | ir.While(body=inner) | ir.With(body=inner):
                yield from _appended(name, inner, (*before, *body[: at + 1]))
            case ir.If(then=then, other=other):
                yield from _appended(name, then, (*before, *body[: at + 1]))
                yield from _appended(name, other, (*before, *body[: at + 1]))


def _filled(m: Machine, made: Instance, name: str, before: ir.Block, inside: tuple[Function, ...]) -> str | None:
    """What the entries of a dictionary were put through last, of which nothing else is done than that some are written to. None
    of what is no dictionary."""
    at = _assigned_last(name, before)
    match before[at] if at is not None else None:
        case ir.Assign(value=ir.Mapping() | ir.Call(function=ir.Name(name="dict")) as value):
            whole = _last(m, made, value, before[:at], inside)
        case _:
            return None
    found = dict(whole.by_key) if isinstance(whole, Entries) else {}
    for number in range((at or 0) + 1, len(before)):
        written = [*_written(name, before[number])]
        if len(written) != _mentions(name, (before[number],)):
            return ""
        at_once = isinstance(before[number], ir.Assign)  # and not on some ways
        known = _entries(m, made, written, before[:number], inside) if at_once else ""
        found.update({key: known.by_key.get(key, "") if isinstance(known, Entries) else "" for key, _ in written})
    return entries_put_through(found)


def _written(name: str, statement: ir.Statement) -> Iterator[tuple[str, ir.Expression]]:
    """The entries of a dictionary that a statement, or one inside of it, writes under keys that are written out."""
    for node in ir.walk(statement):
        match node:
            case ir.Assign(targets=(ir.Subscript(base=ir.Name(name=to), index=ir.Literal(value=str(key))),), value=value) if (
                to == name
            ):
                yield key, value


def _assigned_last(name: str, before: ir.Block) -> int | None:
    """Where statements last assign a name as a whole, which stands by itself; None where there is no such place."""
    for at in reversed(range(len(before))):
        match before[at]:
            case ir.Assign(targets=(ir.Name(name=bound),)) if bound == name:
                return at
    return None


def _mentions(name: str, body: ir.Block) -> int:
    """How often a name stands in statements."""
    return sum(isinstance(each, ir.Name) and each.name == name for each in ir.walk(*body))


def _key(key: ir.Expression | None) -> str:
    """A key that is written out as a text; of any other one that nobody asks for."""
    return key.value if isinstance(key, ir.Literal) and isinstance(key.value, str) else ""


def _of_layer(m: Machine, layer: Object) -> str:
    """What a layer puts its values through last; of a container that was added to since, by the last."""
    known = m.state.kept.get(layer.role, {}).get("activation", layer.activation)
    return known if isinstance(known, str) else ""


def _of_function(kept: Api) -> str:
    """What a function of torch puts its argument through, which a network keeps in an attribute: `self.act = torch.sigmoid`."""
    module, _, name = kept.name.rpartition(".")
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
