"""Which number a value is, and what is computed of such: of a name, of a formula, of an entry in a table of numbers.

A warm-up has a length, whatever it is: 0 is less than what is not known, and 0 divided by it is 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from loopcheck.read.domain.parts import term_of
from loopcheck.read.domain.terms import LONGEST, Term, constant
from loopcheck.read.domain.values import Const, Items, Stream, Symbol, Value
from loopcheck.read.interpret.machine import Machine
from loopcheck.read.interpret.operators import folded
from loopcheck.read.vocabulary.tensors import SPREADS


@dataclass(frozen=True)
class Put:
    """A number that is put for a value, where a name in a function stands for that, to see what comes out of it."""

    value: Value
    number: float


Number = float | bool | None
"""What is not known is None."""


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
FUNCTIONS: Mapping[str, Callable[..., float]] = {
    **{name: getattr(math, name) for name in _OF_MATH},
    "abs": abs, "float": float, "int": int, "max": max, "min": min, "maximum": max, "minimum": min, "power": math.pow,
}  # fmt: skip


def applied(name: str, given: list[Number]) -> Number:
    """What a function of numbers makes of these."""
    if None in given or name not in FUNCTIONS:
        return None
    try:
        return float(FUNCTIONS[name](*given))
    except (TypeError, ValueError, ArithmeticError):
        return None


def number_of(m: Machine, value: Value, put: Put | None = None) -> Number:
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
            return None if known is None or known.default is None else number_of(m, known.default)


def entry(m: Machine, table: Value, index: float, put: Put | None) -> Number:
    """What a table has under a number; whatever is asked of a list beyond its end, where no run comes, is its last.

    Of a table that is written as numbers one may be another by chance: it stands for itself.
    """
    found = Term("item", term_of(table), Term("constant", constant(int(index))))
    if put is not None and found is term_of(put.value):
        return put.number
    match table:
        case Items(values=(_, *_) as values, keys=None):
            return number_of(m, values[within(index, len(values))], None if isinstance(values[0], Const) else put)
        case Items(keys=tuple() as keys, values=values) if index in keys:
            return number_of(m, values[keys.index(index)], None if isinstance(values[0], Const) else put)
        case Stream(of=(inner,), numbered=False):  # `list(rates)`
            return entry(m, inner, index, put)
        case Symbol():
            return _of_term(m, found, put)
        case _:
            return None


def within(index: float, length: int) -> int:
    return min(int(index), length - 1)


def _spread(m: Machine, table: Term, index: float, put: Put | None) -> Number:
    """One of the numbers that are spread between two, of so many as there are epochs where nobody knows how many; or of a list
    that is written several times over."""
    match table.head, table.operands:
        case "call", (str(name), Term(head="items", operands=(Term() as first, Term() as last, *rest)), *_) if name in SPREADS:
            count = _of_term(m, rest[0], put) if rest and isinstance(rest[0], Term) else None
            share = min(index / max(1, (count or MANY) - 1), 1.0)
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


MANY = 100
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
