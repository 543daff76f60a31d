"""When an expression is true."""

from __future__ import annotations

from loopcheck.loop import Test
from loopcheck.read.domain.conditions import And, Condition, Not, both, either_of, negate, tests_of
from loopcheck.read.domain.terms import Term
from loopcheck.read.domain.values import Const, Value
from loopcheck.read.front import ir
from loopcheck.read.interpret.machine import Machine
from loopcheck.read.interpret.names import lookup, settings
from loopcheck.read.interpret.operators import comparison, counted, truth
from loopcheck.read.vocabulary import asks_mode
from loopcheck.words import COUNTERS, MICRO, words

_ZERO = Const(0)


def condition(m: Machine, node: ir.Expression) -> Condition:
    """When an expression is true, with where that is written."""
    return _located(m, _condition(m, node), node)


def _located(m: Machine, found: Condition, node: ir.Expression, inverted: bool = False, whole: bool = True) -> Condition:
    """The condition with where it is written; of one put together from others, where they are, or else where it is."""
    if isinstance(found, Test):
        return m.state.known(found.written(m.state.site(node), inverted)) if whole or found.at is None else found
    if isinstance(found, Not):
        of = _located(m, found.of, node, not inverted, whole)
        return found if of is found.of else Not(of)
    if isinstance(found, And):
        left = _located(m, found.left, node, inverted, False)
        right = _located(m, found.right, node, inverted, False)
        return found if left is found.left and right is found.right else And(left, right)
    return found


def _condition(m: Machine, node: ir.Expression) -> Condition:
    match node:
        case ir.Not(operand=operand):
            return negate(condition(m, operand))
        case ir.Logical(word="and", left=left, right=right):
            first = condition(m, left)
            return first if first is False else both(first, condition(m, right))
        case ir.Logical(left=left, right=right):
            first = condition(m, left)
            return first if first is True else either_of(first, condition(m, right))
        case ir.Compare(left=left, operators=(op,), others=(right,)):
            found = comparison(m.state, _setting(m, left) or m.evaluate(left), op, m.evaluate(right))
            return counted(m.state, found, *_window(m, left, right))
        case ir.Compare(left=left, operators=operators, others=others):
            values = [m.evaluate(left), *map(m.evaluate, others)]
            found = True
            for op, before, after in zip(operators, values, values[1:], strict=False):
                found = both(found, comparison(m.state, before, op, after))
            return found
        case ir.Binary(operator="%"):
            found = comparison(m.state, m.evaluate(node), "==", _ZERO)
            return negate(counted(m.state, found, *_window(m, node, None)))
        case _:
            return truth(m.state, m.evaluate(node))


def _setting(m: Machine, node: ir.Expression) -> Value | None:
    """A string that people edit between runs, `OPTIMIZER = "adam"`: what is compared with it is a program that was meant."""
    if not isinstance(node, ir.Name) or not node.name.isupper():
        return None
    value = lookup(m, node.name)
    if not isinstance(value, Const) or not isinstance(value.value, str):
        return None
    frame = next((each for each in m.state.frame.around() if node.name in settings(each)), None)
    return m.state.symbol(Term("name", frame.label, node.name), (), value) if frame else None


def _window(m: Machine, left: ir.Expression, right: ir.Expression | None) -> tuple[str, bool]:
    """What a comparison says of an accumulation window, as written, and whether it is called a counter that is compared."""
    sides = [each for each in (left, right) if each is not None]
    for side in sides:
        if isinstance(side, ir.Binary) and side.operator == "%":
            return m.code(side.right), bool(words(m.code(side.left)) & COUNTERS)
    for other in reversed(sides):
        written = m.code(other)
        if len(sides) == 2 and words(written) & MICRO:
            return written, False
    return "", False


def tell_restored(m: Machine, node: ir.Node, found: Condition) -> None:
    """Whoever looks at the mode that a model was in, `if net.training:`, is about to restore it."""
    if any(isinstance(test.key, Term) and asks_mode(test.key) for test in tests_of(found)):
        m.state.emit("train", [], node, open=True)
        m.state.emit("evaluate", [], node, open=True)
