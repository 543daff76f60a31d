"""Comprehensions: what they gather, unrolled where that is known, and else from one pass that stands for all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, reduce

from loopcheck.read.domain.generators import postpone
from loopcheck.read.domain.parts import role_of, tensor_in
from loopcheck.read.domain.values import (
    NONE,
    Const,
    Grad,
    Instance,
    Items,
    Object,
    Once,
    Params,
    Stream,
    Symbol,
    Value,
)
from loopcheck.read.front import ir
from loopcheck.read.interpret.alike import is_done_to
from loopcheck.read.interpret.binding import assign
from loopcheck.read.interpret.budget import MOST_CLAUSES, MOST_UNROLLED
from loopcheck.read.interpret.conditions import condition
from loopcheck.read.interpret.elements import bind_element, containers_of, drawn_of
from loopcheck.read.interpret.loops import begun_pass, mapped_over, repeat
from loopcheck.read.interpret.machine import Instruction, Machine
from loopcheck.read.interpret.members import fill
from loopcheck.read.interpret.operators import gathered
from loopcheck.read.interpret.unrolling import handed_out
from loopcheck.read.vocabulary import mode_of


def comprehension(m: Machine, node: ir.Comprehension) -> Value:
    clause = node.clauses[0]
    inner = _inner_comprehension(node)
    iterable = handed_out(m.evaluate(clause.iterable))
    asks_mode = all(any(mode_of("model", name) for name in ir.identifiers(test)) for test in clause.tests)
    if isinstance(iterable, Items) and 0 < len(iterable.values) <= MOST_UNROLLED and asks_mode and iterable.keys is None:
        keys, values = [], []
        for index, value in enumerate(iterable.values):
            with m.state.inside((node, index)):
                assign(m, clause.target, value)
                if all(condition(m, test) is not False for test in clause.tests):  # of a mode not known, as if it were train mode
                    keys.append(NONE if node.key is None or inner else m.evaluate(node.key))
                    values.append(m.evaluate(inner or node.element))
        if inner:
            return _one_after_another(m, values) if node.key is None else m.state.fresh("dict")
        if node.key is None:
            return gathered(m.state, tuple(values))
        named: list[object] = [key.value for key in keys if isinstance(key, Const) and isinstance(key.value, str)]
        known = named or [key for key in keys if isinstance(key, (Object, Instance))]  # numbers are data
        return gathered(m.state, tuple(values), tuple(known)) if len({*known}) == len(keys) else m.state.fresh("dict")
    keys, made = [], []
    turn = begun_pass(m, node, clause.target, iterable, clause.iterable)
    whole = not clause.tests and len(node.clauses) == 1
    at_once = whole and any(is_done_to(node.element, name) for name in containers_of(clause.target, iterable))

    def once() -> None:
        bind_element(m, turn, clause.target, iterable, at_once=at_once)
        for test in clause.tests:
            m.evaluate(test)
        if node.key is not None and not inner:
            keys.append(m.evaluate(node.key))
        made.append(m.evaluate(inner or node.element))

    repeat(m, (), turn, once, each_object=at_once or isinstance(iterable, Params))
    if len(keys) == 1 and isinstance(keys[0], Symbol) and role_of(keys[0]):
        return gathered(m.state, tuple(made), tuple(keys))  # each that the loop hands out has one like this
    result = iterable if _same_tensors(node, iterable) else _gathered(m, node, made[0])
    fill(m.state, result, made[0])
    if node.once:
        postpone(m.state, result, iterable)
    return result


def drained(m: Machine, node: ir.Call, value: Value, written: ir.Expression) -> Value:
    """What is left of `map(function, loader)` where a call draws all of it, `sum(map(…))`: a pass, as a comprehension is."""
    if not isinstance(value, Stream) or value.by is None:
        return value
    made: list[Value] = []
    turn = begun_pass(m, node, node, value, mapped_over(written))
    repeat(m, (), turn, lambda: made.append(drawn_of(m, turn, value)))
    return tensor_in(made[0]) or (made[0] if role_of(made[0]) else m.state.fresh("list"))


@lru_cache(maxsize=1 << 12)
def _inner_comprehension(node: ir.Comprehension) -> ir.Comprehension | None:
    """What each pass over the first clause hands on, where there are more: `[p for p in net.parameters()]` of
    `[p for net in nets for p in net.parameters()]`.
    """
    inner = node.clauses[1:MOST_CLAUSES]
    return ir.Comprehension(node.span, node.element, inner, node.key) if inner else None


def _one_after_another(m: Machine, lists: Sequence[Value]) -> Value:
    """The elements of several lists, as one list."""
    params = [each for each in lists if isinstance(each, Params)]
    if params and len(params) == len(lists):
        return reduce(Params.merged, params)
    parts = [each.values for each in lists if isinstance(each, Items) and each.keys is None]
    return gathered(m.state, sum(parts, ()) if len(parts) == len(lists) else tuple(lists))


def _same_tensors(node: ir.Comprehension, iterable: Value) -> bool:
    """Whether it is a dictionary of the very tensors of a state, `{k: v for k, v in model.state_dict().items()}`, or the pairs
    to make one of.
    """
    role, target, element = role_of(iterable), node.clauses[0].target, node.element
    if role is None or role.kind != "state" or not isinstance(target, ir.Sequence) or node.clauses[1:]:
        return False
    if node.key is None:
        if not isinstance(element, ir.Sequence):
            return False  # a list of the tensors alone is no state
        element = element.elements[-1]
    value = target.elements[-1]
    return isinstance(value, ir.Name) and _of_same_memory(element, value.name)


def _of_same_memory(node: ir.Expression, name: str) -> bool:
    """Whether it is a tensor of this name, or another one of the same memory."""
    match node:
        case ir.Attribute(base=base, name="data") | ir.Call(function=ir.Attribute(base=base, name="detach")):
            return _of_same_memory(base, name)
        case _:
            return isinstance(node, ir.Name) and node.name == name


def _gathered(m: Machine, node: ir.Comprehension, element: Value) -> Value:
    """What a comprehension over values like this is worth."""
    if isinstance(element, Grad):
        return element
    if isinstance(element, Params):
        tests = node.clauses[0].tests
        if any("requires_grad" in ir.identifiers(test) for test in tests):
            m.state.stilled.update(element.models)
        asked = [each for test in tests for each in _conjuncts(test)]
        split = any("requires_grad" not in ir.identifiers(each) for each in asked)
        trainable = any("requires_grad" in ir.identifiers(each) and not isinstance(each, ir.Not) for each in asked)
        taken = Params(element.models, element.whole and not split, split or element.grouped, element.open)
        once = Once(m.state.new("generator"), m.state.here.loops) if node.once else None
        return replace(taken, trainable=trainable, once=once)
    return tensor_in(element) or (element if role_of(element) else m.state.fresh("list"))


def _conjuncts(test: ir.Expression) -> list[ir.Expression]:
    """What must all hold where a test does."""
    if isinstance(test, ir.Logical) and test.word == "and":
        return [*_conjuncts(test.left), *_conjuncts(test.right)]
    return [test]


INSTRUCTIONS: Mapping[type, Instruction] = {ir.Comprehension: comprehension}
