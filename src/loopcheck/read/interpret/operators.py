"""Operators on abstract values, and the conditions that comparisons come to."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Hashable
from dataclasses import replace
from functools import reduce
from typing import Any

from loopcheck.loop import Test
from loopcheck.read.domain import counts, health
from loopcheck.read.domain.conditions import Condition, Not, either_of, either_way, negate
from loopcheck.read.domain.counting import begins_at, is_number
from loopcheck.read.domain.graphs import take_numbers
from loopcheck.read.domain.parts import all_params, listed, names_of, source_of, tensor_in, term_of
from loopcheck.read.domain.state import State
from loopcheck.read.domain.terms import Term, constant
from loopcheck.read.domain.values import (
    MOST_PARTS,
    NONE,
    Api,
    Bound,
    Choice,
    Const,
    Grad,
    Items,
    Object,
    Params,
    Scope,
    Symbol,
    Tensor,
    Value,
    weight,
)
from loopcheck.read.front import ir
from loopcheck.read.interpret.budget import MOST_ITEMS, MOST_MEMBERS
from loopcheck.read.interpret.machine import Machine
from loopcheck.read.interpret.ranks import launcher_asked
from loopcheck.read.objects.evidence import trained_by_itself
from loopcheck.read.vocabulary import packages
from loopcheck.words import is_class_name, words

LARGEST = 10**12
"""Of numbers that are computed with; beyond, a sum of a program is not known."""
LONGEST = 10_000
"""The same of strings."""
_FOLD: dict[str, Callable[[Any, Any], object]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv, "%": operator.mod,
    "**": operator.pow, "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt,
    ">=": operator.ge,
}  # fmt: skip
POSITIVE = {"!=": "==", "is not": "is", "not in": "in"}


def folded(op: str, left: object, right: object) -> Const | None:
    """What an operator makes of two literals, as long as that stays small."""
    if not _small(left) or not _small(right) or (op == "**" and not _small_power(left, right)):
        return None
    if (op == "*" and _repeated(left, right) > LONGEST) or (op == "%" and isinstance(left, (str, bytes))):
        return None
    try:
        made = _FOLD[op](left, right)
    except (KeyError, TypeError, ValueError, ArithmeticError):
        return None
    return Const(made) if _small(made) else None


def _small(value: object) -> bool:
    if isinstance(value, int):
        return abs(value) <= LARGEST
    return not isinstance(value, (str, bytes)) or len(value) <= LONGEST


def _repeated(left: object, right: object) -> int:
    """The length of a string that is repeated; 0 of what is none."""
    text, times = (left, right) if isinstance(left, (str, bytes)) else (right, left)
    return len(text) * times if isinstance(text, (str, bytes)) and isinstance(times, int) else 0


def _small_power(left: object, right: object) -> bool:
    return isinstance(right, (int, float)) and isinstance(left, (int, float)) and abs(right) <= 64


def binary(state: State, op: str, left: Value, right: Value, literal: tuple[bool, bool], written: str) -> Value:
    """`left op right`. literal: which of them are written out as numbers. written: the right one as it is written."""
    if isinstance(left, Const) and isinstance(right, Const):
        return folded(op, left.value, right.value) or state.fresh("value")
    if op == "+" and isinstance(left, Items) and isinstance(right, Items):
        return gathered(state, left.values + right.values)
    if op == "*" and (several := _times(left, right) or _times(right, left)):
        return gathered(state, several)
    if isinstance(left, (Params, Choice)) and (params := all_params(left)) and (others := all_params(right)):
        return params.merged(others)
    if op == "+" and isinstance(left, (Params, Items)) and isinstance(right, (Params, Items)):  # a network's, `+ [scale]`
        return gathered(state, (*_elements(left), *_elements(right)))
    if health.outcome(left) is not None or health.outcome(right) is not None:
        return health.both(op, left, right) or state.symbol(
            Term(op, term_of(left), term_of(right)), names_of(left) | names_of(right)
        )
    a, b = tensor_in(left), tensor_in(right)
    if a or b:
        a, b = a or _by_itself(state, left), b or _by_itself(state, right)
    plain = all(isinstance(each, (Const, Tensor)) for each in (left, right))
    if not plain or any(each and each.term in state.leaves for each in (a, b)):
        a, b = (each and state.regained(each) for each in (a, b))
    if a and b:
        return a.added(b) if op in ("+", "-") else a.merged(b)
    if a and op == "/":
        if literal[1]:
            return a.made("shared")
        return a.averaged() if _of_this_pass(state, right) else a.made("divided", right, written)
    if tensor := a or b:
        factor, is_literal = (right, literal[1]) if a else (left, literal[0])
        if op == "*" and isinstance(factor, Symbol) and _is_loss_scale(factor.term):
            return replace(tensor.used, scaler=factor)
        if op == "+" and _is_tiny(factor) and tensor.limited.activation:
            return tensor.limited
        return tensor.made("shared") if op == "*" and _may_be_share(factor, is_literal) else tensor.used
    return state.symbol(Term(op, term_of(left), term_of(right)), names_of(left) | names_of(right))


def _is_tiny(value: Value) -> bool:
    """A number that keeps a probability away from 0, where it is added to that."""
    return isinstance(value, Const) and isinstance(value.value, float) and 0 < value.value <= MOST_ADDED


MOST_ADDED = 1e-3
"""What is added to a probability for its logarithm; of more it is something else."""


def _times(some: Value, number: Value) -> tuple[Value, ...]:
    """The elements of a list of numbers or objects as often as is asked for, `[0.1] * 3`, `[nn.ReLU()] * 3`; none of slots to be
    filled, `[None] * 3`, nor of words, `["update", "save"] * 3`, which are passes of one loop."""
    match some, number:
        case Items(values, None), Const(int() as times) if 0 < times * len(values) <= MOST_ITEMS:
            return values * times if all(isinstance(each, Object) or _is_number(each) for each in values) else ()
        case _:
            return ()


def _is_number(value: Value) -> bool:
    return isinstance(value, Const) and isinstance(value.value, (int, float))


def _is_loss_scale(term: Term) -> bool:
    """`scaler.get_scale()`: by this a loss is scaled by hand."""
    called = term.operands[0] if term.head == "call" else None
    return isinstance(called, Term) and called.head == "attribute" and called.operands[1] == "get_scale"


def _elements(value: Params | Items) -> tuple[Value, ...]:
    """What a list comes to hold by `+=`: of a generator what that hands out, for good."""
    return value.values if isinstance(value, Items) else (listed(value) or value,)


def _by_itself(state: State, value: Value) -> Tensor | None:
    """A value that is computed of tensors that an optimizer has by themselves, a temperature say."""
    trained = trained_by_itself(state, value)
    return Tensor(term_of(value), trained) if trained else None


def operated(m: Machine, node: ir.Place, operator: str, left: Value, right: Value) -> Value:
    """`torch.div(left, right)`, `left.div(right)`: an operator that is called."""
    last = node.arguments[-1].value if isinstance(node, ir.Call) and node.arguments else None
    number = isinstance(last, ir.Literal) and isinstance(last.value, (int, float))
    result = binary(m.state, operator, left, right, (False, number), m.code(last) if last is not None else "")
    return m.state.computed(result) if isinstance(result, Tensor) else result


def gathered(state: State, values: tuple[Value, ...], keys: tuple[object, ...] | None = None) -> Value:
    """A tuple, list or dict of values; of too many in all, an unknown one."""
    return Items(values, keys) if sum(map(weight, values)) < MOST_PARTS else state.fresh("items")


def _of_this_pass(state: State, divisor: Value) -> bool:
    """A count of what this pass of the innermost loop is given, tokens say: an average over it alone, and not over a window."""
    turn = state.here.passes[-1] if state.here.passes else None
    return turn is not None and not turn.given.isdisjoint(names_of(divisor))


def _may_be_share(factor: Value, literal: bool) -> bool:
    """Multiplied by this a loss may be its share of a mean: by one over a whole number, or by what is not known.

    A number that is written out is the weight of a term.
    """
    if not isinstance(factor, Const):
        return True
    value = factor.value
    whole = isinstance(value, float) and 0 < value < 1 and math.isclose(1 / value, round(1 / value))
    return whole and not literal


def unary(state: State, op: str, value: Value) -> Value:
    """`-value`."""
    if isinstance(value, Const) and isinstance(value.value, (int, float)) and op == "-":
        return Const(-value.value)
    if op == "~" and (other := health.opposite(value)):
        return other
    if isinstance(value, (Tensor, Const)):
        return value.used if isinstance(value, Tensor) else state.fresh("value")
    return state.symbol(Term(op, term_of(value)), names_of(value))


# conditions


def chosen(state: State, condition: Condition, then: Value, other: Value) -> Value:
    """The one value where the condition holds, the other where it does not."""
    return state.choice(state.resolved(condition), then, other)


def truth(state: State, value: Value, present: bool = False) -> Condition:
    """When a value is true; with `present`, when it is not None. Of an unknown value these are one test."""
    value = state.settled(value)
    match value:
        case Const(literal):
            return literal is not None if present else bool(literal)
        case Choice(test, then, other):
            return either_way(test, truth(state, then, present), truth(state, other, present))
        case Symbol(term) if not present and is_number(state, term):  # it is not 0
            return negate(counted(state, comparison(state, value, "==", Const(0)), "", False))
        case Symbol(term, names):
            return state.test(term, names)
        case Tensor(term) if not present:
            return answer if (answer := health.outcome(value)) is not None else state.test(source_of(term), names_of(value))
        case Items(values) if not present:
            return bool(values)
        case Bound() if not present:  # an attribute of something known, which nobody in sight has set: the same each time
            return state.test(term_of(value), names_of(value))
        case Api(name) if not present and _may_be_false(name):
            return state.test(term_of(value), frozenset())
        case Params() | Grad() | Scope() if not present:
            return state.test(state.new("test"), frozenset())
        case _:
            return True


def _may_be_false(name: str) -> bool:
    """Whether something of a package of which nothing is known may be a setting, `cfg.debug`: no class, and nothing that was
    made."""
    return name.partition(".")[0] not in packages() and not name.endswith(")") and not is_class_name(name.rpartition(".")[2])


def comparison(state: State, left: Value, op: str, right: Value) -> Condition:
    """When `left op right` holds."""
    left, right = state.settled(left), state.settled(right)
    if op in POSITIVE:
        return negate(comparison(state, left, POSITIVE[op], right))
    if isinstance(left, Choice):
        return either_way(left.test, comparison(state, left.then, op, right), comparison(state, left.other, op, right))
    if isinstance(right, Choice):
        return either_way(right.test, comparison(state, left, op, right.then), comparison(state, left, op, right.other))
    if isinstance(left, Const) and isinstance(right, Symbol) and op in _MIRRORED:
        return comparison(state, right, _MIRRORED[op], left)
    if isinstance(left, Symbol) and right == Const(1) and op in (">", "<=") and left.term not in state.begins:
        one = comparison(state, left, "==", right)  # of a count: `k > 1` is all that `k == 1` is not
        return one if op == "<=" else negate(one)
    if op in ("is", "==") and right == NONE:
        return negate(truth(state, left, present=True))
    for tensor in (left, right):  # what is larger than what has no graph, whatever they have
        if isinstance(tensor, Tensor) and op not in ("is", "in"):
            take_numbers(state, tensor)
    if health.outcome(left) is False:  # `torch.isnan(loss).sum() > 0`
        left = Const(0)
    if isinstance(left, Const) and isinstance(right, Const):
        return _of_literals(state, left, op, right)
    if isinstance(left, Tensor) and left == right and left.models and op == "==":  # `loss != loss`, which asks for a NaN
        return True
    if (always := _on_all_passes(state, left, op, right)) is not None:
        return always
    if isinstance(left, Api) and isinstance(right, Api) and op in ("is", "==") and _members(left, right):
        return left == right
    if isinstance(left, Const) and op == "in" and isinstance(right, Items):
        if right.keys is not None and not state.here.passes:  # a pass before may have given a dict another key
            return left.value in right.keys
        if right.keys is None and all(isinstance(each, Const) for each in right.values):
            return left in right.values
    if op == "in" and not names_of(left) and (members := _literals(right)):  # for good one of these, or none, as other tests say
        return reduce(either_of, (comparison(state, left, "==", each) for each in members))
    if (asked := launcher_asked(left, op, right)) is not None:
        launched = state.test(asked[0], frozenset())
        return launched if asked[1] else negate(launched)
    if op == "is":
        op = "=="
    subject, equals = _equality(left, op, right)
    term = Term(op, *(source_of(term_of(each)) for each in (left, right)))
    return state.test(term, names_of(left) | names_of(right), subject=subject, equals=equals)


def _literals(whole: Value) -> tuple[Value, ...]:
    """What a list or a tuple holds, where that is a few literals."""
    if not isinstance(whole, Items) or whole.keys is not None or len(whole.values) > MOST_MEMBERS:
        return ()
    return whole.values if all(isinstance(each, Const) for each in whole.values) else ()


def _on_all_passes(state: State, left: Value, op: str, right: Value) -> bool | None:
    """What the comparison of a counter with a number comes to on every pass, for the counter begins where it does and goes up:
    `epoch > 0` in a `range(1, epochs)`. None where passes differ.
    """
    if not isinstance(left, Symbol) or not isinstance(right, Const) or type(right.value) is not int:
        return None
    least = _least(state, left.term)
    if least is None:
        return None
    if least > right.value and op in _ORDER:
        return bool(_FOLD[op](least, right.value))
    return {">=": True, "<": False}.get(op) if least == right.value else None


_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "=="}


def _members(one: Api, other: Api) -> bool:
    """Whether both are members of one enumeration, `Unit.STEP` and `Unit.EPOCH`, or types of numbers, `torch.float16`."""
    if _TYPES.fullmatch(one.name) and _TYPES.fullmatch(other.name):
        return True
    (of, _, name), (others, _, last) = one.name.rpartition("."), other.name.rpartition(".")
    return of == others and is_class_name(of) and name.isupper() and last.isupper()


_TYPES = re.compile(r"torch\.(bfloat|float|complex|u?int)\d+")


def _equality(left: Value, op: str, right: Value) -> tuple[Term | None, object]:
    """The value that is compared with a constant, and the constant: it is not equal to another one besides."""
    name = right.name if isinstance(right, Api) else right.term.name if isinstance(right, Symbol) else ""
    named = name.rpartition(".")[2].isupper()
    if op == "==" and (isinstance(right, Const) or named) and not isinstance(left, Const):
        return term_of(left), term_of(right)
    return None, None


def _of_literals(state: State, left: Const, op: str, right: Const) -> Condition:
    if op in ("is", "=="):
        return left.value == right.value
    try:
        if op == "in":
            return left.value in right.value  # type: ignore[operator]
        return bool(_FOLD[op](left.value, right.value))
    except (KeyError, TypeError):
        return state.test(state.new("test"), frozenset())


# counters


def counted(state: State, condition: Condition, window: str, by_name: bool) -> Condition:
    """The condition with what it says of a counter: the window that it tests for, and when in a loop it holds.

    window: what a counter is divided by, or compared with, as written, where that makes a window. by_name: it is called a
    counter.
    """
    if isinstance(condition, Not):
        return Not(counted(state, condition.of, window, by_name))
    if isinstance(condition, Test) and by_name:
        condition = replace(condition, counter=True)
    if not isinstance(condition, Test) or not condition.counter:
        return condition
    term = condition.key
    assert isinstance(term, Term)
    on = frozenset(name for name in condition.names if isinstance(name, Term))
    remainder = counts.remainder(term)
    if remainder is not None:
        if remainder[1] == _constant(1):  # every number is divisible by one
            return remainder[2] == _constant(0)
        condition = _congruence(condition, *remainder)
        shifted = _in_step(*remainder)
        counter, divisor, rest = counts.remainder(shifted) or remainder
        base, added = counts.offset(counter)
        begin = begins_at(state, base)
        first = begin is not None and _constant(begin + added) == rest
        running = _running(state, base)
        following = _moved_on(counter, divisor, rest, running is not None)
        names = condition.names | _elsewhere(state, counter) if running is None else frozenset([running])
        by_chance = _handed_out(state, counter) or _has_length(divisor)  # once in an epoch: where that ends, others may know
        condition = replace(condition, key=shifted, names=names, counter=not by_chance)
        within = begin is not None and _is_within(begin + added, counts.number(divisor), counts.number(rest))
        late = within and not by_chance
        return state.known(replace(condition, window=window, following=following, first=first, late=late))
    if window:
        return state.known(replace(condition, window=window))
    final = term.head == "==" and _is_final(state, term)
    if term.head == "==" and (ahead := _ahead_of_length(term)) is not None:
        return state.known(_by_length(state, condition, *ahead, final))
    at_first = _at_first(state, term)
    if at_first is False and term.head in _ABOVE:  # said of the passes before, the first among them
        before = Term(_ABOVE[term.head], *term.operands)
        alone, ebbs = _left_behind(state, before)
        return Not(state.known(replace(state.test(before, on), first=True, alone=alone, ebbs=ebbs)))
    alone, ebbs = _left_behind(state, term)
    return state.known(replace(condition, first=bool(at_first), alone=alone, ebbs=ebbs, last=final, final=final))


def _is_final(state: State, term: Term) -> bool:
    """Whether a loop counts, `for i in range(k)`, and a comparison says that it is at its last number, `i == k - 1`."""
    match term.operands:
        case (Term() as counter, Term() as other):
            (base, added), (number, more) = counts.offset(counter), counts.from_zero(other)
            ends = (counts.from_zero(turn.end) for turn in state.here.passes if turn.count is base and turn.end is not None)
            return any(number is end and more - added == beyond - 1 for end, beyond in ends)
        case _:
            return False


_ABOVE = {">": "<=", ">=": "<"}


def _at_first(state: State, term: Term) -> bool | None:
    """What the comparison of a loop's counter with a number comes to on the first pass.

    What is to happen above a number that nobody here knows, `epoch > args.warmup`, is not to happen from the start; what is to
    happen below it, `epoch < args.warmup`, is.
    """
    match term.operands:
        case (Term() as counter, Term() as other) if term.head in _ORDER:
            number, begin = counts.number(other), begins_at(state, counter)
            if number is not None and begin is not None:
                return bool(_FOLD[term.head](begin, number))
            counts_passes = any(turn.count == counts.offset(counter)[0] for turn in state.here.passes)
            return term.head not in _ABOVE if term.head != "==" and counts_passes else None
        case _:
            return None


def outcome(key: Hashable, counter: Term, value: Value) -> bool | None:
    """What a test comes to where a counter, or a flag, has a value; None where it is about something else, or not decided so."""
    if not isinstance(key, Term) or not isinstance(value, Const):
        return None
    if key is counter:
        return bool(value.value)
    if (remainder := counts.remainder(key)) is not None:
        return True if remainder[0] is counter and remainder[2] is _constant(0) and value == Const(0) else None
    match key.operands:
        case (Term() as counted, Term() as other) if key.head in _ORDER and counts.offset(counted)[0] is counter:
            start, number = value.value, counts.number(other)
            if number is not None and isinstance(start, int):
                return bool(_FOLD[key.head](start + counts.offset(counted)[1], number))
    return None


def _left_behind(state: State, term: Term) -> tuple[bool, bool]:
    """Whether the comparison of a counter that goes up holds on its first pass `alone`, and whether it `ebbs`."""
    match term.operands:
        case (Term() as left, Term() as right) if (least := _least(state, left)) is not None:
            last = {"==": least, "<=": least, "<": least + 1}.get(term.head)
            return last is not None and counts.number(right) == last, term.head in ("<", "<=")
        case _:
            return False, False


def _least(state: State, counter: Term) -> int | None:
    """The number that a count is no less than on the first pass, and above which it is on all others; None where none is told."""
    base, added = counts.offset(counter)
    return state.least[base] + added if base in state.least else None


_ORDER = frozenset({"==", "<", "<=", ">", ">="})


def _constant(value: int) -> Term:
    return Term("constant", constant(value))


def _is_counter(term: object) -> bool:
    return isinstance(term, Term) and term.head in ("new", "name", "attribute")


def _in_step(counter: Term, divisor: Term, rest: Term) -> Term:
    """`i % k == k - 1` said as `(i + 1) % k == 0`, and `i % k == 1` as `(i - 1) % k == 0`."""
    zero = _constant(0)
    literal = counts.number(divisor)
    if rest == Term("-", divisor, _constant(1)) or (literal is not None and rest == _constant(literal - 1)):
        return Term("==", Term("%", Term("+", counter, _constant(1)), divisor), zero)
    if rest == _constant(1):
        return Term("==", Term("%", Term("-", counter, _constant(1)), divisor), zero)
    return Term("==", Term("%", counter, divisor), rest)


def _congruence(test: Test, counter: Term, divisor: Term, rest: Term) -> Test:
    """The test said of what is counted, where the numbers are known: `(i + 1) % 4 == 0` and `i % 4 == 1` cannot both hold."""
    base, added = counts.offset(counter)
    literal, remainder = counts.number(divisor), counts.number(rest)
    if not literal or remainder is None:
        return test
    return replace(test, subject=Term("%", base, divisor), equals=_constant((remainder - added) % literal))


def _is_within(begin: int, size: int | None, rest: int | None) -> bool:
    """Whether no window ends with a loop's first pass, as a count begins between two ends. size: of a window, where it is known;
    else it is more than one pass."""
    return rest is not None and ((begin - rest) % size != 0 if size else begin - rest == 1)


def _running(state: State, counter: Term) -> Term | None:
    """What `i + epoch * len(loader)` depends on: it goes on by one from pass to pass, through the end of an epoch as well."""
    turn = state.here.passes[-1] if state.here.passes else None
    match counter.head, counter.operands:
        case "+", (Term() as one, Term() as other) if turn is not None and turn.count in (one, other):
            before = other if one is turn.count else one
            lengths = [each for each in before.operands if isinstance(each, Term) and _has_length(each)]
            if before.head == "*" and lengths:
                running = Term("running", counter)
                turn.running.add(running)
                return running
    return None


def _elsewhere(state: State, counter: Term) -> frozenset[Term]:
    """What a count depends on that lives in an object, `self.global_step`: somebody moves it on with each pass of this loop.

    An epoch moves on with a loop around it.
    """
    base, _ = counts.offset(counter)
    if base.head != "attribute" or not state.here.passes or "epoch" in words(base.name):
        return frozenset()
    running = Term("running", base)
    state.here.passes[-1].running.add(running)
    return frozenset([running])


def _handed_out(state: State, counter: Term) -> bool:
    """A number that comes with the batch, `for step, batch in steps`, or `step.number`: where it is when the loop begins
    again, nobody knows."""
    base, _ = counts.offset(counter)
    while base.head == "attribute" and isinstance(base.operands[0], Term):
        base = base.operands[0]
    return any(base in turn.given for turn in state.here.passes)


def _moved_on(counter: Term, divisor: Term, rest: Term, running: bool) -> Term | None:
    """The test that has this one's outcome on the next pass: of `(i + 1) % k == 0` that of `i % k == 0`.

    running: the count goes on by one. Of what is computed from a counter in another way, nobody knows.
    """
    match counter.head, counter.operands:
        case "+", (Term() as inner, other) if other == _constant(1):
            before = inner
        case _ if _is_counter(counter) or (running and counts.offset(counter)[1] == 0):
            before = Term("-", counter, _constant(1))
        case _:
            return None
    return Term("==", Term("%", before, divisor), rest)


def _ahead_of_length(term: Term) -> tuple[Term, int, Term] | None:
    """Of the comparison of a counter with a length, `i == len(loader) - 1`, what counts, by how much it is short of the length
    where they are equal, and the length; None of another comparison."""
    match term.operands:
        case (Term() as left, Term() as right):
            sides = [(left, right)] if _has_length(right) else [(right, left)] if _has_length(left) else []
            for (counter, added), (length, more) in [(counts.offset(one), counts.offset(other)) for one, other in sides]:
                return counter, added - more, length
    return None


def _by_length(state: State, test: Test, counter: Term, short: int, length: Term, final: bool) -> Test:
    """The test with what it says of the passes of a loop, where that goes through so many."""
    begin = begins_at(state, counter)
    key, following = (Term("==", counts.shifted(counter, by), length) for by in (short, short - 1))
    last = final or (begin is not None and begin + short == 1)
    return replace(test, key=key, following=following, first=begin is not None and begin + short == 0, last=last, final=final)


def _has_length(term: Term) -> bool:
    match term.head, term.operands:
        case "call", ("builtins.len", *_):
            return True
        case (("+" | "-"), (Term() as left, Term() as right)):
            return _has_length(left) or _has_length(right)
        case _:
            return False
