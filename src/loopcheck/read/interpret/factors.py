"""What the function of a schedule makes of step 0, and of those after it: computed with numbers, as far as these are known."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from loopcheck.read.domain.counts import PROBE
from loopcheck.read.domain.values import Api, Bound, Const, Function, Instance, Items, Partial, Symbol, Value
from loopcheck.read.front import ir
from loopcheck.read.front.bound import targets_of
from loopcheck.read.interpret.budget import MOST_PASSES
from loopcheck.read.interpret.lineage import method_of
from loopcheck.read.interpret.machine import Machine
from loopcheck.read.interpret.members import attribute
from loopcheck.read.interpret.numbers import (
    FUNCTIONS,
    MANY,
    Number,
    Put,
    applied,
    compared,
    computed,
    entry,
    number_of,
    within,
)
from loopcheck.words import RATE, words


def factor(m: Machine, function: Value | None, step: float = 0.0, put: Put | None = None) -> float | None:
    """What a function of the number of a step returns for one, of several functions all; None where that cannot be told."""
    if isinstance(function, Items) and function.values:
        found = {factor(m, each, step, put) for each in function.values}
        return found.pop() if len(found) == 1 else None
    return _called(m, function, [step], {}, (), put)


def gives_rate(m: Machine, function: Value | None, rate: Value) -> bool | None:
    """Whether what a function of the number of a step returns is a learning rate: this one for the first step, or a multiple of
    it for each of the first ones; None where neither can be told.

    A rate that is written as a number may be another number by chance: what is no multiple of it on a later step gives factors.
    """
    given = [(factor(m, function, step, Put(rate, PROBE)), factor(m, function, step, Put(rate, 2 * PROBE))) for step in _STEPS]
    known = [(one, twice) for one, twice in given if one is not None and twice is not None]
    if not isinstance(rate, Const) and given[0][0] == PROBE:
        return True
    multiples = all(twice == 2 * one for one, twice in known) and any(one for one, _ in known)
    if known and not multiples and _are_rates(m, function, rate):
        return True
    return multiples if known else None


_STEPS = (0.0, 1.0, 2.0, 3.0)
"""The steps that a function is asked for, few enough to be in a warm-up that has a length by default."""
_LATER = tuple(map(float, (*range(4, 100), *range(100, 1000, 50))))
"""Steps on which a warm-up of factors would have come to 1."""


def _are_rates(m: Machine, function: Value | None, rate: Value) -> bool:
    """Whether the numbers of a table, or what is called a rate, are learning rates as they are written: the optimizer's own is
    the greatest of them, where a factor would be 1 at some step. A formula of such numbers may be one of factors by chance."""
    own = number_of(m, rate)
    if own is None or not 0 < own <= _GREATEST or not _of_rates(m, function):
        return False
    found: list[float] = []
    for step in (*_STEPS, *_LATER):
        given = factor(m, function, step)
        if given is None or given > own * (1 + _ROUNDED):
            return False
        found.append(given)
    return min(found) < own and math.isclose(max(found), own, rel_tol=_ROUNDED)


def as_function(m: Machine, function: Value | None) -> Value | None:
    """What is called where this is; of an object its `__call__`."""
    if isinstance(function, Instance):
        function = method_of(m, function.cls, "__call__", function)
    return function


def _of_rates(m: Machine, function: Value | None) -> bool:
    """Whether a function of the number of a step returns entries of a table, or what its name says is a rate."""
    function = as_function(m, function)
    body = function.code.body if isinstance(function, Function) else ()
    given = [each.value for each in ir.walk(*body) if isinstance(each, ir.Return)]
    named = any(isinstance(each, ir.Name) and words(each.name) & RATE for each in given)
    read = (each.index for each in ir.walk(*body) if isinstance(each, ir.Subscript))
    return named or not all(isinstance(index, ir.Literal) for index in read)  # `options["peak"]` is none


_GREATEST = 0.1
"""Learning rates up to here are no factors that somebody would begin with, one half say."""
_ROUNDED = 1e-6
"""How far a number may be from another that it is meant to be, which was computed in another way."""


def zero_at_first(m: Machine, function: Function) -> ir.Return | None:
    """Where a function of the number of a step returns 0 for the first; None where it returns anything else, or may."""
    code = function.code
    names = code.parameters.names[1:] if function.method else code.parameters.names
    if len(names) != 1 or code.decorators:
        return None
    with m.state.within(frame=function.frame):
        reading = _Reading(m, function, {names[0]: 0.0}, (code,), None)
        try:
            found = reading.block(code.body)
        except _Unreadable:
            return None
    return reading.returned[0] if found == {0.0} and len(reading.returned) == 1 else None


def zero_rates(m: Machine, rates: Function) -> bool:
    """Whether the method `get_lr` of a class of schedules returns 0 for every group while torch has counted no step."""
    names = rates.code.parameters.names
    if rates.me is None or len(names) != 1 or rates.code.decorators:
        return False
    with m.state.within(frame=rates.frame):
        reading = _Reading(m, rates, {f"{names[0]}.last_epoch": 0.0}, (rates.code,), None)
        try:
            return reading.block(rates.code.body) == {0.0}
        except _Unreadable:
            return False


class _Unreadable(Exception):
    """A statement that is not a number's."""


def _called(
    m: Machine,
    function: Value | None,
    given: list[Number],
    named: Mapping[str, Number],
    around: tuple[ir.Code, ...],
    put: Put | None,
) -> Number:
    if isinstance(function, Partial):
        named = {**{name: number_of(m, value, put) for name, value in function.keywords}, **named}
        return _called(m, function.function, [*(number_of(m, value, put) for value in function.args), *given], named, around, put)
    function = as_function(m, function)
    if not isinstance(function, Function) or function.code in around or function.code.decorators:
        return None
    code = function.code.parameters
    names = code.names[1:] if function.method else code.names
    with m.state.within(frame=function.frame):
        known = {each.name: _default(m, each.default, put) for each in (*code.positional, *code.keyword)}
        known |= {**dict(zip(names, given, strict=False)), **named}
        try:
            found = _Reading(m, function, known, (*around, function.code), put).block(function.code.body)
        except _Unreadable:
            return None
    return found.pop() if len(found) == 1 else None


@dataclass
class _Reading:
    """One call of a function. known: its variables; of those that are not its own the program is asked. around: what is being
    called, itself among it. returned: the statements that do so, on all these ways. tables: the lists among its variables.
    jumped: the way that is read has left a pass of a loop, by `break` or `continue`.
    """

    m: Machine
    function: Function
    known: dict[str, Number]
    around: tuple[ir.Code, ...]
    put: Put | None
    fell: bool = field(default=True, init=False)
    returned: list[ir.Return] = field(default_factory=list, init=False)
    tables: dict[str, ir.Sequence] = field(default_factory=dict, init=False)
    jumped: str = field(default="", init=False)

    def block(self, block: ir.Block) -> set[Number]:
        """What the statements return, on all ways that are open; `fell`: one of these leads past them."""
        found: set[Number] = set()
        for statement in block:
            found |= self._statement(statement)
            if not self.fell:
                break
        return found

    def _statement(self, node: ir.Statement) -> set[Number]:
        match node:
            case ir.Return(value=value):
                self.fell = False
                self.returned.append(node)
                return {None if value is None else self.value(value)}
            case ir.Raise():
                self.fell = False
                return set()
            case ir.If(test=test, then=then, other=other):
                return self._either(self.value(test), then, other)
            case ir.Assign(targets=(ir.Name(name=name),), value=ir.Sequence() as table) if name not in self.known:
                self.known[name], self.tables[name] = None, table
            case ir.Assign(targets=(ir.Name(name=name),), value=value) if name not in self.tables:
                self.known[name] = self.value(value)
            case ir.Augment(target=ir.Name(name=name) as target, operator=operator, value=value):
                self.known[name] = computed(operator, self.value(target), self.value(value))
            case ir.Evaluate(value=ir.Literal() | ir.Compare()):  # an assertion
                pass
            case ir.Evaluate(value=ir.Call(function=function)) if self._is_out_of_sight(function):  # `print(rate)`
                pass
            case ir.For(target=ir.Name(name=name), iterable=iterable, body=body, orelse=()):
                return self._each([{name: number} for number in self._numbers(iterable)], body)
            case ir.For(
                target=ir.Sequence(elements=(ir.Name(name=at), ir.Name(name=name))),
                iterable=ir.Call(function=ir.Name(name="enumerate"), arguments=(ir.Argument(value=iterable, star=""),)),
                body=body,
                orelse=(),
            ):
                numbers = self._numbers(iterable)
                return self._each([{at: float(place), name: number} for place, number in enumerate(numbers)], body)
            case ir.Jump(how=how):
                self.fell, self.jumped = False, how
            case _:
                raise _Unreadable
        return set()

    def _each(self, passes: list[dict[str, Number]], body: ir.Block) -> set[Number]:
        """What a loop over these returns, on all ways that are open. Each pass begins with its own variables."""
        found: set[Number] = set()
        with self.m.budget.unrolled(max(1, len(passes))):
            for own in passes:
                self.known |= own
                found |= self.block(body)
                jumped, self.jumped = self.jumped, ""
                self.fell = self.fell or bool(jumped)
                if not self.fell or jumped == "break":
                    break
        return found

    def _numbers(self, node: ir.Expression) -> list[Number]:
        """What a list of numbers holds that is written here or around the function. Raises _Unreadable where nobody knows."""
        if isinstance(node, ir.Sequence):
            found = [self.value(each) for each in node.elements]
        elif isinstance(node, ir.Call) and isinstance(node.function, ir.Name) and node.function.name == "range":
            found = self._counted([self.value(each.value) for each in node.arguments])
        elif self._is_outer(node) and isinstance(listed := self.m.evaluate(node), Items) and listed.keys is None:
            found = [number_of(self.m, each, self.put) for each in listed.values]
        else:
            raise _Unreadable
        if None in found or not self.m.budget.allows(len(found)):
            raise _Unreadable
        return found

    def _counted(self, given: list[Number]) -> list[Number]:
        """What a range hands out. Raises _Unreadable where its bounds are not known."""
        bounds = [int(each) for each in given if each is not None and abs(each) <= MOST_PASSES]
        if not 0 < len(bounds) == len(given) < 3:
            raise _Unreadable
        return [float(each) for each in range(*bounds)]

    def _is_out_of_sight(self, function: ir.Expression) -> bool:
        """Whether what is called is no function of the project: it changes no number that is read here."""
        return self._is_outer(function) and isinstance(self.m.evaluate(function), (Api, Bound, Symbol))

    def _either(self, test: Number, then: ir.Block, other: ir.Block) -> set[Number]:
        if test is not None:
            return self.block(then if test else other)
        before = dict(self.known)
        found, fell, jumped = self.block(then), self.fell, self.jumped
        one, self.known, self.fell, self.jumped = self.known, before, True, ""
        found |= self.block(other)
        if jumped or self.jumped:
            raise _Unreadable
        self.known = {name: value if one.get(name) == value else None for name, value in self.known.items()}
        self.fell = self.fell or fell
        return found

    def value(self, node: ir.Expression) -> Number:
        match node:
            case ir.Name(name=name) if name in self.known:
                return self.known[name]
            case ir.Literal(value=value):
                return value if isinstance(value, (bool, int, float)) else None
            case ir.Unary(operator="-", operand=operand):
                return computed("-", 0.0, self.value(operand))
            case ir.Binary(operator=operator, left=left, right=right):
                return computed(operator, self.value(left), self.value(right))
            case ir.Compare(left=left, operators=(operator,), others=(right,)):
                return compared(operator, self.value(left), self.value(right))
            case ir.Not(operand=operand):
                return None if (found := self.value(operand)) is None else not found
            case ir.Logical(word=word, left=left, right=right):
                one, other = self.value(left), self.value(right)
                decides = word == "or"
                return decides if decides in (one, other) else None if None in (one, other) else other
            case ir.Conditional(test=test, then=then, other=other):
                told = self.value(test)
                ways = {self.value(then), self.value(other)} if told is None else {self.value(then if told else other)}
                return ways.pop() if len(ways) == 1 else None
            case ir.Call(function=ir.Attribute(base=base, name="item"), arguments=()):
                return self.value(base)
            case ir.Call(function=ir.Name(name="len"), arguments=(ir.Argument(value=table),)):
                return self._length(table)
            case ir.Call(function=function, arguments=arguments) if not any(each.star for each in arguments):
                return self._call(function, arguments)
            case ir.Comprehension(element=element, clauses=clauses, key=None):  # of rates: one number for every group
                return self._of_every(element, clauses)
            case ir.Subscript(base=base, index=index) if index is not None:
                return self._entry(base, self.value(index))
            case ir.Attribute(base=ir.Name(name=me), name=name) if (count := ".".join((me, name))) in self.known:
                return self.known[count]
            case ir.Attribute(base=ir.Name(name=me), name=name) if self._is_me(me) and self.function.me is not None:
                return number_of(self.m, attribute(self.m, self.function.me, name), self.put)
            case ir.Name() | ir.Attribute() if self._is_outer(node):
                return number_of(self.m, self.m.evaluate(node), self.put)
            case _:
                return None

    def _entry(self, base: ir.Expression, index: Number) -> Number:
        """What a table that is written here, around the function or in its object has under a number."""
        written = self.tables.get(base.name) if isinstance(base, ir.Name) else base
        if index is None:
            return None
        if isinstance(written, ir.Sequence) and written.elements:
            return self.value(written.elements[within(index, len(written.elements))])
        table = self._found(base)
        return None if table is None else entry(self.m, table, index, self.put)

    def _length(self, node: ir.Expression) -> Number:
        """How many numbers a table has: as many as there are epochs where nobody knows."""
        if isinstance(node, ir.Name) and node.name in self.tables:
            return len(self.tables[node.name].elements)
        table = self._found(node)
        if isinstance(table, Items):
            return len(table.values)
        return None if table is None or entry(self.m, table, 0.0, self.put) is None else float(MANY)

    def _found(self, node: ir.Expression) -> Value | None:
        """What is called so around the function or in its object."""
        match node:
            case ir.Attribute(base=ir.Name(name=me), name=name) if self._is_me(me) and self.function.me is not None:
                return attribute(self.m, self.function.me, name)
            case _:
                return self.m.evaluate(node) if self._is_outer(node) else None

    def _of_every(self, element: ir.Expression, clauses: tuple[ir.Clause, ...]) -> Number:
        """What an element of a comprehension is, whatever its own names stand for."""
        around = self.known
        own = (each.name for clause in clauses for each in targets_of(clause.target) if isinstance(each, ir.Name))
        self.known = {**around, **dict.fromkeys(own)}
        found = self.value(element)
        self.known = around
        return found

    def _call(self, function: ir.Expression, arguments: tuple[ir.Argument, ...]) -> Number:
        given = [self.value(each.value) for each in arguments if not each.keyword]
        name = function.name if isinstance(function, (ir.Name, ir.Attribute)) else ""
        if name in FUNCTIONS and not any(each.keyword for each in arguments):
            return applied(name, given)
        found = self._found(function) if isinstance(function, (ir.Name, ir.Attribute)) else None
        named = {each.keyword: self.value(each.value) for each in arguments if each.keyword}
        return _called(self.m, found, given, named, self.around, self.put)

    def _is_me(self, name: str) -> bool:
        """It is what the method calls its object."""
        return self.function.method and self.function.code.parameters.names[:1] == (name,)

    def _is_outer(self, node: ir.Expression) -> bool:
        """It is no variable of this function, and none of what one of these holds."""
        while isinstance(node, ir.Attribute):
            node = node.base
        return isinstance(node, ir.Name) and node.name not in self.known and node.name not in self.function.code.parameters.names


def _default(m: Machine, node: ir.Expression | None, put: Put | None) -> Number:
    """What a parameter is by itself: a number that is written, or what is called so around the function."""
    if isinstance(node, ir.Literal):
        return node.value if isinstance(node.value, (bool, int, float)) else None
    return number_of(m, m.evaluate(node), put) if isinstance(node, (ir.Name, ir.Attribute)) else None
