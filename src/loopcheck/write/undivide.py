"""`undivide`: a division taken out of a loss, where it is backpropagated or where it was made."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from loopcheck.finding import TextEdit
from loopcheck.fix import SAFE, UNSAFE, Undivide
from loopcheck.read.front.source import Source
from loopcheck.rule import Witness
from loopcheck.write.edits import Change, take
from loopcheck.write.effects import effects
from loopcheck.write.expressions import called, loss_of, own_level
from loopcheck.write.statements import NoPlan, Statement, code, function_of, short, statement_of, statements, text_of, walk

_WAY = "the loss is divided in a way of its own"


def plan_undivide(fix: Undivide, witness: Witness) -> Change:
    """Safe where nothing but the backward reads the quotient: what a program logs would change with it."""
    level = own_level(witness, fix.what)
    source, by = level.source, level.format(fix.by)
    call = called(level.node)
    loss = loss_of(call)
    if not isinstance(loss, cst.Name):
        return Change((_dividend(source, loss, by),), f"remove the division by `{by}` from `{short(call)}`")
    here = statement_of(source, call)
    made = maker_of(here, loss.value)
    return Change(
        (_without(made, loss.value, by),),
        f"remove the division by `{by}` from `{made.title}`",
        UNSAFE if read_elsewhere(made, here, loss.value) else SAFE,
    )


def maker_of(here: Statement, name: str) -> Statement:
    """The statement before this one that binds the name, in a block around it or in a `with` there."""
    outer: Statement | None = here
    while outer and not isinstance(outer.node, (cst.FunctionDef, cst.ClassDef)):
        found = _last_binding(outer.siblings[: outer.position], name)
        if found:
            return found
        outer = outer.parent
    raise NoPlan("where it is made is out of sight")


def _last_binding(before: Sequence[Statement], name: str) -> Statement | None:
    for statement in reversed(before):
        if name in effects(statement.source, statement.node).binds:
            if isinstance(statement.node, cst.With):
                return _last_binding(statements(statement.source, statement.node.body), name)
            return statement
    return None


def _without(made: Statement, name: str, by: str) -> TextEdit:
    match made.node:
        case cst.AugAssign(operator=cst.DivideAssign(), value=value) if code(value) == by:
            return take(made)
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Name())], value=value):
            edit = _dividend(made.source, value, by)
            return take(made) if edit.content == name else edit
        case _:
            raise NoPlan(_WAY)


def _dividend(source: Source, quotient: cst.BaseExpression, by: str) -> TextEdit:
    """The edit that leaves only what is divided."""
    match quotient:
        case cst.BinaryOperation(left=left, operator=cst.Divide(), right=right) if code(right) == by:
            dividend = text_of(source, source.span_of(left))
            return TextEdit(source.span_of(quotient), f"({dividend})" if left.lpar else dividend)
        case _:
            raise NoPlan(_WAY)


def read_elsewhere(made: Statement, here: Statement, name: str) -> bool:
    """Whether what one statement makes, and another is given, is read after the first by any other, or twice in that."""
    source = made.source
    if sum(1 for each in walk(here.node) if isinstance(each, cst.Name) and each.value == name) > 1:
        return True
    known = {*walk(made.node), *walk(here.node)}
    around = function_of(source, here.node) or source.module
    names = (each for each in walk(around) if isinstance(each, cst.Name) and each.value == name and each not in known)
    return any(source.span_of(each) > made.span for each in names)
