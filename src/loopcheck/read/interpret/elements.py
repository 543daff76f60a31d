"""What a loop's variables are worth on a pass: the elements of what it runs over, or one that stands for them all."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

from loopcheck.loop import Role
from loopcheck.read.domain.here import Pass
from loopcheck.read.domain.parts import leaves_of, names_of, role_of
from loopcheck.read.domain.terms import Term
from loopcheck.read.domain.values import (
    NONE,
    UNKNOWN_PARAMS,
    Arguments,
    Choice,
    Const,
    Grad,
    Instance,
    Items,
    Object,
    Params,
    Stream,
    Symbol,
    Tensor,
    Value,
)
from loopcheck.read.front import ir
from loopcheck.read.front.bound import targets_of
from loopcheck.read.interpret.binding import assign, last_name
from loopcheck.read.interpret.machine import Machine
from loopcheck.read.interpret.members import begun_from, fill, is_repeated, is_some, some_of
from loopcheck.read.interpret.rates import of_group


def bind_element(
    m: Machine, turn: Pass, target: ir.Expression, iterable: Value, each_object: bool = False, at_once: bool = False
) -> None:
    """The values of a loop's variables on one pass; of objects in an unknown collection, one that stands for them all.

    at_once: what is done to each model is done to what holds them.
    """
    state = m.state
    pair = target.elements if isinstance(target, ir.Sequence) and len(target.elements) == 2 else None
    containers, columns = containers_of(target, iterable), _columns(m, target, iterable)
    over = iterable
    while isinstance(iterable, Stream) and iterable.of:
        if iterable.numbered and pair:
            _count(m, turn, pair[0], iterable)
            target, pair = pair[1], None
        if iterable.by is not None:
            assign(m, target, drawn_of(m, turn, iterable))
            return
        iterable = state.settled(iterable.of[0]) if len(iterable.of) == 1 else NONE
    element = element_of(iterable)
    if turn.spent and isinstance(element, Params) and isinstance(iterable, Params):
        element = replace(element, once=iterable.once)
    while isinstance(element, Params) and isinstance(target, ir.Sequence) and len(target.elements) == 2:
        target = target.elements[1]  # named_parameters(), and these numbered
    if element is not None:
        assign(m, target, element)
    elif isinstance(iterable, Stream):
        _count(m, turn, target, iterable)
    else:
        for each in targets_of(target):
            if isinstance(each, ir.Name) and each.name in columns:
                assign(m, each, columns[each.name])
                continue
            if at_once and isinstance(each, ir.Name) and each.name in containers:
                assign(m, each, containers[each.name])
                continue
            if each_object and isinstance(iterable, Symbol):
                assign(m, each, state.symbol(Term("each", iterable.term), names_of(iterable)))
                continue
            given = state.fresh(f"{state.frame.name}.{last_name(each)}")
            turn.given.add(given.term)
            state.note_batch(given, over)
            of_group(m, given, iterable)
            fill(state, given, iterable)
            whole = containers.get(each.name) if isinstance(each, ir.Name) else None
            whole = iterable if whole is None and is_some(m, iterable) else whole
            assign(m, each, given if whole is None else some_of(m, given, whole))


def drawn_of(m: Machine, turn: Pass, over: Value) -> Value:
    """The element that one pass draws: of what is put through a function, `map(step, loader)`, what that makes of it."""
    if isinstance(over, Stream) and over.by is not None:
        drawn = turn.node.iterable if isinstance(turn.node, ir.For) else turn.node
        call = drawn if isinstance(drawn, ir.Call) else turn.node
        return m.invoke(call, over.by, Arguments((drawn_of(m, turn, over.of[0]),)))
    element = element_of(over)
    if element is None:
        element = m.state.fresh(f"{m.state.frame.name}.element")
        turn.given.add(element.term)
        m.state.note_batch(element, over)
    return element


def containers_of(target: ir.Expression, iterable: Value) -> dict[str, Value]:
    """The containers of models that a loop's variables take their values from."""
    match target, iterable:
        case ir.Name(name=name), Object(Role(kind="model")) | Instance(role=Role(kind="model")):
            return {name: iterable}
        case ir.Sequence(elements=(_, inner)), Stream((of,), numbered=True):
            return containers_of(inner, of)
        case ir.Sequence(elements=elements), Stream(of) if len(of) == len(elements):
            found = [containers_of(each, one) for each, one in zip(elements, of, strict=True)]
            return dict(pair for each in found for pair in each.items())
        case _, Stream((of,), numbered=False):
            return containers_of(target, of)
        case ir.Name(name=name), Choice():  # a layer of one or the other: none of them is the whole
            return {name: iterable} if all(containers_of(target, each) for each in leaves_of(iterable)) else {}
        case _:
            return {}


def _columns(m: Machine, target: ir.Expression, iterable: Value) -> dict[str, Value]:
    """The gradients among what a loop's variables take from several values at once: `for sum, grad in zip(sums, gradients)`."""
    match target, iterable:
        case ir.Sequence(elements=(_, inner)), Stream((of,), numbered=True):
            return _columns(m, inner, of)
        case ir.Sequence(elements=elements), Stream(of) if len(of) == len(elements):
            pairs = zip(elements, map(m.state.settled, of), strict=True)
            return {each.name: one for each, one in pairs if isinstance(each, ir.Name) and isinstance(one, Grad)}
        case _:
            return {}


def _count(m: Machine, turn: Pass, target: ir.Expression, counted: Stream) -> None:
    counter, start = m.state.fresh(f"{m.state.frame.name}.{last_name(target)}", counter=True), counted.start
    if start is None and counted.first is not None:
        m.state.entered[counter.term] = counted.first
        begun_from(m, counted.first)
        start = 0 if any(each == Const(0) for each in leaves_of(counted.first)) else None  # of the run that goes on from no other
    if start is not None:
        m.state.begins.update(dict.fromkeys(counter.names, start))
    if counted.rises:
        m.state.least[counter.term] = 0 if start is None else start  # nobody counts up from below 0 by an option
    turn.count, turn.start = counter.term, counted.start
    turn.number = target.name if isinstance(target, ir.Name) else ""
    assign(m, target, counter)


def element_of(iterable: Value) -> Value | None:
    """What each of the elements is worth, where they are all alike."""
    if isinstance(iterable, Choice):
        leaves = list(leaves_of(iterable))
        params = [each for each in map(element_of, leaves) if isinstance(each, Params)]
        unknown = [UNKNOWN_PARAMS for leaf in leaves if isinstance(leaf, Symbol) and leaf.role is None]
        told = params and len(params) + len(unknown) == len(leaves)
        return reduce(Params.merged, [*params, *unknown]) if told else None
    match iterable:
        case Params():
            return replace(iterable, once=None, each=True)
        case Tensor():
            return iterable.each
        case Grad():
            return iterable
        case Object(Role(kind=kind)) if kind not in ("loader", "model"):
            return iterable
        case Items(values) if values and all(isinstance(value, Params) or role_of(value) for value in values):
            return values[0] if len(values) == 1 or is_repeated(iterable) else None
        case _:
            return None
