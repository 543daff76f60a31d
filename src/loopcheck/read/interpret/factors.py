"""What the function of a schedule makes of step 0, and of those after it: computed with numbers, as far as these are known.

A warm-up has a length, whatever it is: 0 is less than what is not known, and 0 divided by it is 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field

from loopcheck.api import COUNTED
from loopcheck.read.domain.counts import PROBE, of_batches, unit
from loopcheck.read.domain.parts import term_of
from loopcheck.read.domain.terms import LONGEST, Term, constant
from loopcheck.read.domain.values import Api, Bound, Const, Frame, Function, Instance, Items, Partial, Stream, Symbol, Value
from loopcheck.read.front import ir
from loopcheck.read.front.bound import bound_names, targets_of
from loopcheck.read.interpret.budget import MOST_PASSES
from loopcheck.read.interpret.lineage import lineage, method_of
from loopcheck.read.interpret.machine import Machine
from loopcheck.read.interpret.members import attribute, of_file
from loopcheck.read.interpret.operators import folded
from loopcheck.read.vocabulary.tensors import SPREADS
from loopcheck.words import RATES, words


@dataclass(frozen=True)
class Put:
    """A number that is put for a value, where a name in a function stands for that, to see what comes out of it."""

    value: Value
    number: float


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
    own = _number(m, rate)
    if own is None or not 0 < own <= _GREATEST or not _of_rates(m, function):
        return False
    found: list[float] = []
    for step in (*_STEPS, *_LATER):
        given = factor(m, function, step)
        if given is None or given > own * (1 + _ROUNDED):
            return False
        found.append(given)
    return min(found) < own and math.isclose(max(found), own, rel_tol=_ROUNDED)


def _as_function(m: Machine, function: Value | None) -> Value | None:
    """What is called where this is; of an object its `__call__`."""
    if isinstance(function, Instance):
        function = method_of(m, function.cls, "__call__", function)
    return function


def _of_rates(m: Machine, function: Value | None) -> bool:
    """Whether a function of the number of a step returns entries of a table, or what its name says is a rate."""
    function = _as_function(m, function)
    body = function.code.body if isinstance(function, Function) else ()
    given = [each.value for each in ir.walk(*body) if isinstance(each, ir.Return)]
    named = any(isinstance(each, ir.Name) and words(each.name) & RATES for each in given)
    return named or any(isinstance(each, ir.Subscript) for each in ir.walk(*body))


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


def keeps_its_rates(m: Machine, made: Instance, rates: Function) -> bool:
    """Whether the method `get_lr` of a class of schedules gives after each step the rates that it gave before, as only what its
    object was told decides them: it reads nothing that torch counts, and does nothing else with the object."""
    if not rates.code.parameters.names or rates.code.decorators or any("." in name for name in bound_names(rates.code.body)):
        return False
    nodes, known = [*ir.walk(*rates.code.body)], {rates.code.parameters.names[0], "super"}
    names = [each for each in nodes if isinstance(each, ir.Name) and each.name in known]
    read = [each.name for each in nodes if isinstance(each, ir.Attribute) and each.base in names]
    own = {name for each in lineage(m, made.cls) for name in each.methods}
    return len(read) == len(names) and (COUNTED | own).isdisjoint(read)


def counts_on(m: Machine, function: Value | None) -> bool:
    """Whether a function of the number of a step adds to it what a file says, `epoch + start_epoch`; of several functions all."""
    if isinstance(function, Items) and function.values:
        return all(counts_on(m, each) for each in function.values)
    if not isinstance(function, Function):
        return False
    own = set(function.code.parameters.names)
    sums = [each for each in ir.walk(*function.code.body) if isinstance(each, ir.Binary) and each.operator == "+"]
    pairs = [pair for each in sums for pair in ((each.left, each.right), (each.right, each.left))]
    added = [other for count, other in pairs if isinstance(count, ir.Name) and count.name in own and _is_named(other, own)]
    with m.state.within(frame=function.frame):
        return any(of_file(m.evaluate(each)) for each in added)


def counts_from_one(function: Function) -> bool:
    """Whether a function of the number of a step takes one from it, `(step - 1) % cycle`: the first step is 1."""
    own = function.code.parameters.names
    differences = (each for each in ir.walk(*function.code.body) if isinstance(each, ir.Binary) and each.operator == "-")
    return any(
        isinstance(each.left, ir.Name) and each.left.name in own and isinstance(each.right, ir.Literal) and each.right.value == 1
        for each in differences
    )


def span_of(m: Machine, function: Value | None) -> Term | None:
    """What a function of the number of a step divides this by, or compares it with: the end of a schedule, or of a part of it.
    None where these count different things, or nothing that is known."""
    function = _as_function(m, function)
    if not isinstance(function, Function) or function.code.decorators:
        return None
    names = function.code.parameters.names[1:] if function.method else function.code.parameters.names
    return _divisor(m, function, names[:1])


def span_of_class(m: Machine, rates: Function) -> Term | None:
    """The same of the method `get_lr` of a class of schedules, for which torch counts the steps in `self.last_epoch`."""
    if rates.me is None or not rates.code.parameters.names or rates.code.decorators:
        return None
    return _divisor(m, rates, [f"{rates.code.parameters.names[0]}.last_epoch"])


def _divisor(m: Machine, function: Function, counts: Sequence[str]) -> Term | None:
    """What a function divides by or compares with what is called like one of these counts."""
    nodes = [*ir.walk(*function.code.body)]
    divisions = [each for each in nodes if isinstance(each, ir.Binary) and each.operator in ("/", "//", "%")]
    again = {_whole(each.left) for each in divisions}  # `step / epochs / len(loader)`
    pairs = [(each.left, each.right) for each in divisions]
    pairs += [(each.left, each.others[0]) for each in nodes if isinstance(each, ir.Compare) and len(each.others) == 1]
    own = set(counts)
    if any(_counts(_whole(each.left), own) for each in again.intersection(divisions) if isinstance(each, ir.Binary)):
        return None
    ends = [_whole(right) for left, right in pairs if _counts(_whole(left), own) and not isinstance(right, ir.Literal)]
    if not all(_is_computed(each) for each in ends):
        return None
    with m.state.within(frame=_of_method(m, function)):
        found = [term_of(m.evaluate(each)) for each in ends]
    told = {unit(each): each for each in found if each.head != "constant"}  # of a warm-up that is written nobody knows
    return next(iter(told.values())) if len(told) == 1 and not any(map(of_batches, found)) else None


def _of_method(m: Machine, function: Function) -> Frame:
    """The variables around the code of a function; of a method, with the object that it is bound to."""
    names = function.code.parameters.names
    if function.me is None or not names:
        return function.frame
    frame = Frame(function.frame.source, function.code.name, function.frame)
    m.state.heap[(frame, names[0])] = function.me
    return frame


def _counts(node: ir.Expression, own: Set[str]) -> bool:
    """Whether an expression is the number of a step, from wherever it is counted."""
    match node:
        case ir.Binary(operator="-", left=left, right=right):  # what is left of a run, `steps - step`
            return _counts(_whole(left), own) or _counts(_whole(right), own)
        case ir.Binary(operator="+", left=left):
            return _counts(_whole(left), own)
        case ir.Binary(operator="*", left=left, right=right):  # `math.pi * step / steps`
            return _counts(_whole(left), own) or _counts(_whole(right), own)
        case ir.Attribute(base=ir.Name(name=me), name=name):
            return f"{me}.{name}" in own
        case _:
            return isinstance(node, ir.Name) and node.name in own


def _whole(node: ir.Expression) -> ir.Expression:
    """A number, without the `float(…)` around it."""
    match node:
        case ir.Call(function=ir.Name(name="float"), arguments=(ir.Argument(value=value),)):
            return value
        case _:
            return node


def _is_computed(node: ir.Expression) -> bool:
    """Whether nothing happens where an expression is evaluated: a number of names, `max(1, total - warmup)`."""
    calls = [each.function for each in ir.walk(node) if isinstance(each, ir.Call)]
    return all(isinstance(each, ir.Name) and each.name in _FUNCTIONS.keys() | {"len", "round"} for each in calls)


def _is_named(node: ir.Expression, own: Set[str]) -> bool:
    """A variable, or an attribute or an item of one, that is none of these."""
    while isinstance(node, (ir.Attribute, ir.Subscript)):
        node = node.base
    return isinstance(node, ir.Name) and node.name not in own


Number = float | bool | None
"""What is not known is None."""


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
        named = {**{name: _number(m, value, put) for name, value in function.keywords}, **named}
        return _called(m, function.function, [*(_number(m, value, put) for value in function.args), *given], named, around, put)
    function = _as_function(m, function)
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
    """

    m: Machine
    function: Function
    known: dict[str, Number]
    around: tuple[ir.Code, ...]
    put: Put | None
    fell: bool = field(default=True, init=False)
    returned: list[ir.Return] = field(default_factory=list, init=False)
    tables: dict[str, ir.Sequence] = field(default_factory=dict, init=False)

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
                return self._each(name, self._numbers(iterable), body)
            case _:
                raise _Unreadable
        return set()

    def _each(self, name: str, numbers: list[Number], body: ir.Block) -> set[Number]:
        """What a loop over these returns, on all ways that are open."""
        found: set[Number] = set()
        with self.m.budget.unrolled(max(1, len(numbers))):
            for number in numbers:
                self.known[name] = number
                found |= self.block(body)
                if not self.fell:
                    break
        return found

    def _numbers(self, node: ir.Expression) -> list[Number]:
        """What a list of numbers holds that is written here or around the function. Raises _Unreadable where nobody knows."""
        if isinstance(node, ir.Sequence):
            found = [self.value(each) for each in node.elements]
        elif isinstance(node, ir.Call) and isinstance(node.function, ir.Name) and node.function.name == "range":
            found = self._counted([self.value(each.value) for each in node.arguments])
        elif self._is_outer(node) and isinstance(listed := self.m.evaluate(node), Items) and listed.keys is None:
            found = [_number(self.m, each, self.put) for each in listed.values]
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
        found, fell = self.block(then), self.fell
        one, self.known, self.fell = self.known, before, True
        found |= self.block(other)
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
                return _number(self.m, attribute(self.m, self.function.me, name), self.put)
            case ir.Name() | ir.Attribute() if self._is_outer(node):
                return _number(self.m, self.m.evaluate(node), self.put)
            case _:
                return None

    def _entry(self, base: ir.Expression, index: Number) -> Number:
        """What a table that is written here, around the function or in its object has under a number."""
        written = self.tables.get(base.name) if isinstance(base, ir.Name) else base
        if index is None:
            return None
        if isinstance(written, ir.Sequence) and written.elements:
            return self.value(written.elements[_within(index, len(written.elements))])
        table = self._found(base)
        return None if table is None else _entry(self.m, table, index, self.put)

    def _length(self, node: ir.Expression) -> Number:
        """How many numbers a table has: as many as there are epochs where nobody knows."""
        if isinstance(node, ir.Name) and node.name in self.tables:
            return len(self.tables[node.name].elements)
        table = self._found(node)
        if isinstance(table, Items):
            return len(table.values)
        return None if table is None or _entry(self.m, table, 0.0, self.put) is None else float(_MANY)

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
        if name in _FUNCTIONS and not any(each.keyword for each in arguments):
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


def computed(operator: str, left: Number, right: Number) -> Number:
    if left is not None and right is not None:
        if operator == "**":
            return applied("power", [left, right])  # however many steps there are
        found = folded(operator, left, right)
        return found.value if found is not None and isinstance(found.value, (int, float)) else None
    if operator == "*" and 0 in (left, right):
        return 0.0
    return 0.0 if operator in ("/", "//", "%") and left == 0 else None


def compared(operator: str, left: Number, right: Number) -> Number:
    """0 is less than a length that is not known."""
    if None not in (left, right):
        found = folded(operator, left, right)
        return found.value if found is not None and isinstance(found.value, bool) else None
    if left == 0 and right is None:
        return {"<": True, "<=": True, "!=": True, ">": False, ">=": False, "==": False}.get(operator)
    if right == 0 and left is None:
        return {">": True, ">=": True, "!=": True, "<": False, "<=": False, "==": False}.get(operator)
    return None


_OF_MATH = ("ceil", "cos", "exp", "floor", "log", "log10", "log1p", "log2", "pow", "sin", "sqrt", "tanh")
_FUNCTIONS: Mapping[str, Callable[..., float]] = {
    **{name: getattr(math, name) for name in _OF_MATH},
    "abs": abs, "float": float, "int": int, "max": max, "min": min, "maximum": max, "minimum": min, "power": math.pow,
}  # fmt: skip


def applied(name: str, given: list[Number]) -> Number:
    """What a function of numbers makes of these."""
    if None in given or name not in _FUNCTIONS:
        return None
    try:
        return float(_FUNCTIONS[name](*given))
    except (TypeError, ValueError, ArithmeticError):
        return None


def _default(m: Machine, node: ir.Expression | None, put: Put | None) -> Number:
    """What a parameter is by itself: a number that is written, or what is called so around the function."""
    if isinstance(node, ir.Literal):
        return node.value if isinstance(node.value, (bool, int, float)) else None
    return _number(m, m.evaluate(node), put) if isinstance(node, (ir.Name, ir.Attribute)) else None


def _number(m: Machine, value: Value, put: Put | None = None) -> Number:
    """The number that a value is, or is where the user of the program says nothing."""
    if put is not None and value == put.value:
        return put.number
    if isinstance(value, Symbol) and value.default is not None:
        value = value.default
    if isinstance(value, Symbol):
        return 0.0 if _is_nothing(value.term) else _of_term(m, value.term, put)
    return value.value if isinstance(value, Const) and isinstance(value.value, (bool, int, float)) else None


def _of_term(m: Machine, term: Term, put: Put | None) -> Number:
    """The number that is computed of others: `args.lr * 0.1`, and an entry of a table of such."""
    if put is not None and term is term_of(put.value):
        return put.number
    if term.size > LONGEST:
        return None
    match term.head, term.operands:
        case "constant", ((("int" | "float"), str(text)),) if not text.startswith("…"):
            return float(text)
        case ("+" | "-" | "*" | "/" | "//" | "**") as operator, (Term() as left, Term() as right):
            return computed(operator, _of_term(m, left, put), _of_term(m, right, put))
        case "item", (Term() as table, Term() as at) if (index := _of_term(m, at, put)) is not None:
            return _spread(m, table, index, put)
        case _:
            known = m.state.symbols.get(term)
            return None if known is None or known.default is None else _number(m, known.default)


def _entry(m: Machine, table: Value, index: float, put: Put | None) -> Number:
    """What a table has under a number; whatever is asked of a list beyond its end, where no run comes, is its last.

    Of a table that is written as numbers one may be another by chance: it stands for itself.
    """
    found = Term("item", term_of(table), Term("constant", constant(int(index))))
    if put is not None and found is term_of(put.value):
        return put.number
    match table:
        case Items(values=(_, *_) as values, keys=None):
            return _number(m, values[_within(index, len(values))], None if isinstance(values[0], Const) else put)
        case Items(keys=tuple() as keys, values=values) if index in keys:
            return _number(m, values[keys.index(index)], None if isinstance(values[0], Const) else put)
        case Stream(of=(inner,), numbered=False):  # `list(rates)`
            return _entry(m, inner, index, put)
        case Symbol():
            return _of_term(m, found, put)
        case _:
            return None


def _within(index: float, length: int) -> int:
    return min(int(index), length - 1)


def _spread(m: Machine, table: Term, index: float, put: Put | None) -> Number:
    """One of the numbers that are spread between two, of so many as there are epochs where nobody knows how many; or of a list
    that is written several times over."""
    match table.head, table.operands:
        case "call", (str(name), Term(head="items", operands=(Term() as first, Term() as last, *rest)), *_) if name in SPREADS:
            count = _of_term(m, rest[0], put) if rest and isinstance(rest[0], Term) else None
            share = min(index / max(1, (count or _MANY) - 1), 1.0)
            begin, end = _of_term(m, first, put), _of_term(m, last, put)
            end = begin if end is None and not share else end
            return None if begin is None or end is None or len(rest) > 1 else SPREADS[name](begin, end, share)
        case "call", (_, Term(head="items", operands=(Term(head="attribute", operands=(Term() as inner, "tolist")),)), *_):
            return _spread(m, inner, index, put)
        case "*", (Term(head="items", operands=(_, *_) as listed), _):
            found = listed[int(index) % len(listed)]
            return _of_term(m, found, put) if isinstance(found, Term) else None
        case _:
            return None


_MANY = 100
"""The epochs of a run whose length is not known."""


def _is_nothing(term: Term) -> bool:
    """`0 * steps`, `int(ratio * steps)` of a ratio of 0: no warm-up is meant."""
    match term.head, term.operands:
        case "constant", ((_, ("0" | "0.0")),):
            return True
        case ("*", (Term() as left, Term() as right)):
            return _is_nothing(left) or _is_nothing(right)
        case ("/" | "//", (Term() as left, _)) | ("call", ("builtins.int", Term(head="items", operands=(Term() as left,)))):
            return _is_nothing(left)
        case _:
            return False
