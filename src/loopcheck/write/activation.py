"""`deactivate`: an activation away from what a loss is given, or another one in its place."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from loopcheck.api import ACTIVATIONS
from loopcheck.finding import TextEdit
from loopcheck.fix import Deactivate
from loopcheck.loop import Event
from loopcheck.read.front.source import Site, Source
from loopcheck.rule import Witness
from loopcheck.write.edits import Change
from loopcheck.write.expressions import argument_of, called, own_level, with_comma
from loopcheck.write.statements import NoPlan, Statement, brief, code, dotted, short, statement_of, text_of, walk
from loopcheck.write.undivide import maker_of, read_elsewhere

_CLASSES = {name: function for function, name in ACTIVATIONS.items()}


def plan_deactivate(fix: Deactivate, witness: Witness) -> Change:
    """Where the activation stands: in the call, in the statement before it, or last in the network whose output that is."""
    level = own_level(witness, fix.what)
    source, call = level.source, called(level.node)
    given = argument_of(call, 0) or argument_of(call, "input")
    if given is None:
        raise NoPlan("the call does not say its arguments one by one")
    node = given.value
    if isinstance(node, cst.Name):
        node = _value(maker_of(statement_of(source, call), node.value), statement_of(source, call), node.value)
    return _changed(source, called(node) if _is_activation(node) else _origin(source, level.event), fix.instead)


def _value(made: Statement, here: Statement, name: str) -> cst.BaseExpression:
    """What a name was made of. Raises NoPlan where others go by it as well."""
    if not isinstance(made.node, cst.Assign) or not isinstance(made.node.targets[0].target, cst.Name):
        raise NoPlan("what the loss is given is made in a way of its own")
    if _is_activation(made.node.value) and read_elsewhere(made, here, name):
        raise NoPlan(f"`{name}` is used elsewhere, too")
    return made.node.value


def _origin(source: Source, criterion: Event) -> cst.Call:
    """The activation that the loss's input was put through, in a network. Raises NoPlan where that is in none of this file."""
    for _, site in criterion.origins:
        if isinstance(site, Site):
            if site.source is not source:
                raise NoPlan(f"the activation stands in {site.source.path}")
            if node := source.tree_node(site.node):
                return _last_of(source, called(node))
    raise NoPlan("where the activation stands is not known")


def _last_of(source: Source, call: cst.Call) -> cst.Call:
    """The activation that a call is, or applies: `self.softmax(x)`; of a sequence, `self.head(x)`, the one that it ends with.
    Raises NoPlan of other layers, which are not taken away with it."""
    if _name(call) in ACTIVATIONS or _name(call) in _CLASSES or not code(call.func).startswith("self."):
        return call
    made = [called(value) for target, value in _assigned(source) if code(target) == code(call.func)]
    if all(_name(maker) in _CLASSES for maker in made):
        return call
    match made:
        case [cst.Call(args=[*_, cst.Arg(value=cst.Call() as last)]) as maker] if _name(maker) == "Sequential":
            if _name(last) in _CLASSES:
                return last
    raise NoPlan(f"`{short(call)}` does more than that")


def _assigned(source: Source) -> Iterator[tuple[cst.BaseExpression, cst.BaseExpression]]:
    """What the file assigns, each with its value, those of a tuple one by one."""
    for each in walk(source.module):
        if isinstance(each, cst.Assign):
            for of in each.targets:
                match of.target, each.value:
                    case cst.Tuple(elements=targets), cst.Tuple(elements=values) if len(targets) == len(values):
                        yield from ((one.value, other.value) for one, other in zip(targets, values, strict=True))
                    case target, value:
                        yield target, value


def _name(call: cst.Call) -> str:
    return dotted(call.func).rpartition(".")[2]


def _is_activation(node: cst.CSTNode) -> bool:
    return isinstance(node, cst.Call) and _name(node) in ACTIVATIONS


def _changed(source: Source, call: cst.Call, instead: str) -> Change:
    if instead:
        name = ACTIVATIONS[instead] if _name(call) in _CLASSES else instead
        token = call.func.attr if isinstance(call.func, cst.Attribute) else call.func
        if _CLASSES.get(_name(call), _name(call)) not in instead or not isinstance(call.func, cst.Attribute):
            raise NoPlan(f"there is no such logarithm of `{short(call)}`")
        return Change((TextEdit(source.span_of(token), name),), f"replace `{_name(call)}` with `{name}` in `{short(call)}`")
    if _name(call) in _CLASSES:
        outer = called(source.parents[source.parents[call]])
        argument = next(each for each in outer.args if each.value is call)
        return Change((TextEdit(with_comma(source, outer, argument), ""),), f"remove `{brief(code(call))}` from `{short(outer)}`")
    inner = _activated(source, call)
    text = text_of(source, source.span_of(inner))
    edit = TextEdit(source.span_of(call), f"({text})" if inner.lpar else text)
    return Change((edit,), f"replace `{short(call)}` with `{brief(text)}`")


def _activated(source: Source, call: cst.Call) -> cst.BaseExpression:
    """What is put through an activation: `x` of `x.softmax(1)` and of `F.softmax(x, 1)`."""
    if isinstance(call.func, cst.Attribute) and not isinstance(call.func.value, (cst.Name, cst.Attribute)):
        return call.func.value
    tensors = [each for each in call.args if not each.keyword and not isinstance(each.value, (cst.Integer, cst.UnaryOperation))]
    given = tensors[0] if tensors else argument_of(call, "input")
    if given:
        return given.value
    if not isinstance(call.func, cst.Attribute):
        raise NoPlan("the call does not say its arguments one by one")
    return call.func.value
