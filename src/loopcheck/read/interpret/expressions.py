"""Expressions: what they are worth, and the events on the way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from loopcheck.read.domain.generators import spend
from loopcheck.read.domain.graphs import hold_graphs, write_out
from loopcheck.read.domain.parts import entries_of, leaves_of, listed, names_of, term_of
from loopcheck.read.domain.terms import Term
from loopcheck.read.domain.values import NONE, Bound, Choice, Const, Items, Params, Symbol, Tensor, Value
from loopcheck.read.front import ir
from loopcheck.read.interpret.comparing import compared
from loopcheck.read.interpret.conditions import condition
from loopcheck.read.interpret.functions import made
from loopcheck.read.interpret.machine import Instruction, Machine
from loopcheck.read.interpret.members import attribute, copied, item, part_of
from loopcheck.read.interpret.names import lookup
from loopcheck.read.interpret.noticing import masked
from loopcheck.read.interpret.operators import binary, chosen, gathered, truth, unary
from loopcheck.read.interpret.tallies import divided


def literal(m: Machine, node: ir.Literal) -> Value:
    return Const(node.value) if node.value is not ... else m.state.fresh("value")


def name(m: Machine, node: ir.Name) -> Value:
    value = lookup(m, node.name)
    return m.state.settled(value) if isinstance(value, Choice) else value


def taken(m: Machine, node: ir.Attribute) -> Value:
    """`base.name`; what is taken of a tensor and not called is a part of what was computed, `outputs.loss`."""
    value = m.state.settled(attribute(m, m.evaluate(node.base), node.name))
    return value.base if isinstance(value, Bound) and isinstance(value.base, Tensor) else value


def sequence(m: Machine, node: ir.Sequence) -> Value:
    values: list[Value] = []
    known = True
    for element in node.elements:
        value = m.evaluate(element)
        if isinstance(element, ir.Starred) and isinstance(value, Items):
            values += value.values
        else:
            known = known and (not isinstance(element, ir.Starred) or all(isinstance(each, Params) for each in leaves_of(value)))
            values.append(value)
    return gathered(m.state, tuple(values)) if known else m.state.fresh("sequence")


MOST_SPREAD = 3
"""Dicts, each one of two, that another one spreads: of more, there are too many ways."""


def mapping(m: Machine, node: ir.Mapping) -> Value:
    pairs = []
    for at, inner in zip(node.keys, node.values, strict=True):
        value = m.evaluate(inner)
        pairs.append((None if at is None else m.evaluate(at), m.state.settled(value)))
    spread = sum(key is None and isinstance(value, Choice) for key, value in pairs)
    found = _dict_of(m, pairs, {}) if spread <= MOST_SPREAD else None
    return found or m.state.fresh("dict")


def _dict_of(m: Machine, pairs: Sequence[tuple[Value | None, Value]], before: Mapping[object, Value]) -> Value | None:
    """A dict with these entries after others, each with its key, and without one what is spread; None where a key is not known.
    Where one dict or another is spread, it is one of two."""
    found = dict(before)
    for at, (key, value) in enumerate(pairs):
        match key, value:
            case None, Choice(test, one, another):
                then, other = (_dict_of(m, [(None, arm), *pairs[at + 1 :]], found) for arm in (one, another))
                return m.state.choice(test, then, other) if then and other else None
            case None, Items(keys=tuple()):
                found |= entries_of(value)
            case Const(name), _:
                found[name] = value
            case _:
                return None
    return gathered(m.state, tuple(found.values()), tuple(found))


def conditional(m: Machine, node: ir.Conditional) -> Value:
    values: dict[bool, Value] = {}
    found = condition(m, node.test)

    def arm(holds: bool, inner: ir.Expression) -> None:
        values[holds] = m.evaluate(inner)

    m.state.branch(found, lambda: arm(True, node.then), lambda: arm(False, node.other))
    return chosen(m.state, found, values.get(True, NONE), values[False]) if False in values else values[True]


def decided(m: Machine, node: ir.Not | ir.Compare) -> Value:
    """A condition, as a value."""
    return chosen(m.state, condition(m, node), Const(True), Const(False))


def logical(m: Machine, node: ir.Logical) -> Value:
    """`left and right`, `left or right`: one of the two, under the test whether the left one is true."""
    left = m.evaluate(node.left)
    found = truth(m.state, left)
    if found is (node.word == "or"):
        return left
    right = m.evaluate(node.right)
    if node.word == "or":
        return chosen(m.state, found, left, right)
    return chosen(m.state, found, right, NONE if isinstance(left, Symbol) else Const(False))


def signed(m: Machine, node: ir.Unary) -> Value:
    return unary(m.state, node.operator, m.evaluate(node.operand))


def operation(m: Machine, node: ir.Binary) -> Value:
    left, right = m.evaluate(node.left), m.evaluate(node.right)
    if node.operator == "/":
        divided(m, node.left, node.right, right)
    copied(m, left)
    copied(m, right)
    if node.operator == "-":
        compared(m, node, left, right)
    result = binary(m.state, node.operator, left, right, (_number(node.left), _number(node.right)), m.code(node.right))
    return m.state.computed(result) if isinstance(result, Tensor) else result


def _number(node: ir.Expression) -> bool:
    return isinstance(node, ir.Literal) and isinstance(node.value, (int, float))


def subscript(m: Machine, node: ir.Subscript) -> Value:
    base = m.evaluate(node.base)
    if node.index is None:
        return part_of(m, base)
    index = m.evaluate(node.index)
    masked(m, base, node.index)
    return item(m, base, index)


def function(m: Machine, node: ir.Lambda) -> Value:
    return made(m, node.code)


def walrus(m: Machine, node: ir.Walrus) -> Value:
    value = m.state.heap[m.state.variable(node.name)] = m.evaluate(node.value)
    return value


def yielded(m: Machine, node: ir.Yield) -> Value:
    """A generator hands over: where it manages a `with`, the body of that runs here."""
    value = NONE if node.value is None else m.evaluate(node.value)
    resumes = m.state.here.resumes
    if not resumes:
        hold_graphs(m.state, value)
        return value
    with m.state.within(resumes=resumes[:-1]):
        resumes[-1](value)
    return NONE


def formatted(m: Machine, node: ir.Text) -> Value:
    """`f"{loss:.3f}"`: the numbers of tensors are read."""
    parts = [m.evaluate(each) for each in node.parts]
    write_out(m.state, parts)
    return m.state.symbol(Term("text", m.code(node), *map(term_of, parts)), frozenset[Term]().union(*map(names_of, parts)))


def starred(m: Machine, node: ir.Starred) -> Value:
    """`[*model.parameters()]`: all that a generator hands out, in a list."""
    value = m.evaluate(node.value)
    spend(m.state, value)
    return listed(value) or value


def opaque(m: Machine, node: ir.Opaque) -> Value:
    return m.state.fresh("value")


INSTRUCTIONS: Mapping[type, Instruction] = {
    ir.Literal: literal,
    ir.Name: name,
    ir.Attribute: taken,
    ir.Sequence: sequence,
    ir.Mapping: mapping,
    ir.Conditional: conditional,
    ir.Logical: logical,
    ir.Not: decided,
    ir.Compare: decided,
    ir.Unary: signed,
    ir.Binary: operation,
    ir.Subscript: subscript,
    ir.Lambda: function,
    ir.Walrus: walrus,
    ir.Yield: yielded,
    ir.Text: formatted,
    ir.Starred: starred,
    ir.Opaque: opaque,
}
