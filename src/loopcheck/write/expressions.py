"""`divide`, `replace` and `remove`: the text of one expression, argument or statement."""

from __future__ import annotations

from dataclasses import replace

import libcst as cst

from loopcheck.finding import Span, TextEdit
from loopcheck.fix import SAFE, UNSAFE, Address, Around, Divide, Remove, Replace
from loopcheck.read.front.source import Source
from loopcheck.rule import Witness
from loopcheck.write.edits import Change, insertion, newline_at, take
from loopcheck.write.effects import bound, effects, names_in
from loopcheck.write.imports import import_edits
from loopcheck.write.sites import Level, found, guard, left_out, levels
from loopcheck.write.statements import (
    NoPlan,
    Statement,
    brief,
    call_of,
    code,
    dotted,
    function_of,
    margin,
    short,
    statement_of,
    text_of,
    walk,
)

_ATOMS = (cst.Name, cst.Attribute, cst.Call, cst.Subscript, cst.BaseNumber)


def plan_divide(fix: Divide, witness: Witness) -> Change:
    """What is differentiated, divided, and what is in its place on other micro-batches of the window."""
    level = own_level(witness, fix.what)
    call = called(level.node)
    by = _operand(level.format(fix.by))
    if _of_another(level.source, call, by):
        raise NoPlan(f"`{by}` is an attribute of another object")
    return Change(
        tuple(_divided(level.source, each, by) for each in (call, *_in_its_place(level.source, call))),
        f"divide `{brief(code(loss_of(call)))}` by `{by}` in `{short(call)}`",
        needs=_missing(level, names_in(by)),
        at=level,
    )


def _of_another(source: Source, place: cst.CSTNode, text: str) -> bool:
    """Whether an attribute of `self` is none that the class around a place speaks of: it was read where `self` is another one."""
    owner, _, name = text.partition(".")
    around: cst.CSTNode | None = place
    while around is not None and not isinstance(around, cst.ClassDef):
        around = function_of(source, around)
    nodes = walk(around) if around is not None else ()
    own = {dotted(each) for each in nodes if isinstance(each, cst.Attribute)}
    return owner == "self" and f"self.{name}" not in own


def _divided(source: Source, call: cst.Call, by: str) -> TextEdit:
    loss = loss_of(call)
    span = source.span_of(loss)
    ratio = f"{_operand(text_of(source, span))} / {by}"
    return TextEdit(span, f"({ratio})" if loss is _receiver(call) and not loss.lpar else ratio)


def _in_its_place(source: Source, call: cst.Call) -> list[cst.Call]:
    """The same call on the other micro-batches of a window, in the other arms of a test of their counter."""
    found: dict[cst.Call, None] = {}
    for outer in statement_of(source, call).around:
        if isinstance(outer.node, (cst.For, cst.While)):
            break
        if isinstance(outer.node, cst.If) and "%" in code(outer.node.test):
            found |= {each: None for each in walk(outer.node) if isinstance(each, cst.Call) and code(each) == code(call)}
    return [each for each in found if each is not call]


def plan_replace(fix: Replace, witness: Witness) -> Change:
    """Other text for an expression or an argument; the argument is added where the call does not give it."""
    level = own_level(witness, fix.what)
    source = level.source
    which = _which(fix, level)
    argument = None if which is None else argument_of(called(level.node), which)
    if which is not None and argument is None:
        return _added(fix, level)
    node = argument.value if argument else _expression(source, level.node, fix.what)
    span = source.span_of(node)
    was = text_of(source, span)
    if level.event.verb == "build" and (asked := _asked_by_name(source, level.node, was)):
        raise NoPlan(f"`{brief(asked)}` asks for it by its name")
    if fix.instead_of and _bare(code(node)) != _bare(" ".join(level.format(fix.instead_of).split())):
        raise NoPlan(f"`{brief(code(node))}` is written in a way of its own")
    words = {word: _bare(told) for word, told in level.words.items() if f"{{{word}}}" in fix.text}
    if any([role.kind for role in level.event.on].count(word) > 1 for word in words):
        raise NoPlan(f"`{brief(was)}` is of several objects")
    for event in witness.events if "{method}" in fix.text else ():  # a method that there is once this has happened
        if "method" in event.names and (test := left_out(witness, event, level.event)):
            raise NoPlan(f"`{brief(test)}` may decide against `{brief(event.at.text)}`")
    words["was"] = _operand(was) if "{was}." in fix.text else _bare(was)
    text = replace(level, words=words).format(_spread(fix.text, source, span.row))
    if fix.text.startswith("{scaler}.step") and (again := _below(statement_of(source, level.node), text)):
        raise NoPlan(f"`{again.title}` does so further down")
    sure = ("#" not in was or was in text) and not _moves_scaled_step(fix, level)
    return Change(
        (
            *import_edits(source, fix.requires, span.row),
            TextEdit(_with_parentheses(source, _copied(source, node, text), text), text),
        ),
        f"replace `{brief(was)}` with `{brief(text)}`",
        SAFE if sure else UNSAFE,
        needs=_missing(level, names_in(f"({text}\n)") - names_in(f"({was}\n)"), fix.requires),
        at=level,
    )


def _which(fix: Replace, level: Level) -> str | int | None:
    """The argument that is meant, by keyword or by position; `"{share}"` is the one that the event tells."""
    if not isinstance(fix.argument, str) or "{" not in fix.argument:
        return fix.argument
    told = level.format(fix.argument)
    return int(told) if told.isdigit() else told


def _asked_by_name(source: Source, node: cst.CSTNode, made: str) -> str:
    """The test around that compares with the name of what is made there: who says `adam` is to get that."""
    while node in source.parents and not isinstance(node, cst.FunctionDef):
        node, inner = source.parents[node], node
        if isinstance(node, cst.If) and inner is node.body:
            said = {str(each.evaluated_value) for each in walk(node.test) if isinstance(each, cst.SimpleString)}
            if made.rpartition(".")[2].casefold() in {word.casefold() for word in said}:
                return code(node.test)
    return ""


def _moves_scaled_step(fix: Replace, level: Level) -> bool:
    """Whether steps come about at other times by it, and a scaler takes them: one with nothing scaled since the last raises."""
    return isinstance(fix.what, Around) and fix.what.part == "guard" and "scaler" in level.words


def plan_remove(fix: Remove, witness: Witness) -> Change:
    """Without a statement, or without one argument."""
    level = own_level(witness, fix.what)
    source = level.source
    if fix.argument is None:
        statement = statement_of(source, level.node)
        alone = call_of(statement.node) is level.node and not effects(source, statement.node).binds
        kept = alone and not (statement.whole and "#" in statement.tail)
        return Change((take(statement),), f"remove `{statement.title}`", SAFE if kept else UNSAFE)
    call = called(level.node)
    argument = argument_of(call, fix.argument)
    if argument is None:
        raise NoPlan("the argument is not written in the call")
    if fix.instead_of and code(argument.value) != fix.instead_of:
        raise NoPlan(f"`{brief(code(argument.value))}` is written in a way of its own")
    span = with_comma(source, call, argument)
    kept = "#" not in text_of(source, span)
    message = f"remove `{brief(code(argument.with_changes(comma=cst.MaybeSentinel.DEFAULT)))}` from `{short(call)}`"
    return Change((TextEdit(span, ""),), message, SAFE if kept else UNSAFE)


def own_level(witness: Witness, address: Address) -> Level:
    return next(levels(witness, found(witness, address)))


def called(node: cst.CSTNode) -> cst.Call:
    if not isinstance(node, cst.Call):
        raise NoPlan("it is not written as a call")
    return node


def _expression(source: Source, node: cst.CSTNode, address: Address) -> cst.BaseExpression:
    match address:
        case Around("guard"):
            return guard(source, node).test
        case Around("callee"):
            return called(node).func
        case Around("receiver"):
            return _receiver(called(node))
        case Around("origin"):
            return _origin(source, called(node))
    if not isinstance(node, cst.BaseExpression):
        raise NoPlan("it is not written as an expression")
    return node


def _receiver(call: cst.Call) -> cst.BaseExpression:
    if not isinstance(call.func, cst.Attribute):
        raise NoPlan("what the method is called on is not written there")
    return call.func.value


def _below(place: Statement, call: str) -> Statement | None:
    """The statement further down, on the way to the next pass, that makes this call."""
    after = [each for outer in (place, *place.around) for each in outer.siblings[outer.position + 1 :]]
    return next(
        (each for each in after if any(isinstance(node, cst.Call) and code(node) == call for node in walk(each.node))), None
    )


def _copied(source: Source, node: cst.BaseExpression, text: str) -> cst.BaseExpression:
    """An expression with the copy that is made of it there, where that of a text goes deeper."""
    outer = source.parents[node]
    if not text.startswith("copy.deepcopy("):
        return node
    call = source.parents[outer]
    shallow = isinstance(outer, cst.Attribute) and outer.attr.value == "copy"
    return call if shallow and isinstance(call, cst.Call) and call.func is outer else node


def _origin(source: Source, call: cst.Call) -> cst.BaseExpression:
    """What is bound, once and in sight, to the name that a call is given first."""
    given = argument_of(call, 0)
    name = code(given.value) if given else ""
    made = [each for each in walk(source.module) if isinstance(each, cst.Assign) and code(each.targets[0].target) == name]
    if len(made) != 1 or len(made[0].targets) != 1 or not isinstance(made[0].targets[0].target, (cst.Name, cst.Attribute)):
        raise NoPlan(f"what `{brief(name)}` is made of is out of sight")
    home = function_of(source, made[0])
    own = home is None or home is function_of(source, call)
    if name in bound(function_of(source, call) or source.module) and not own:
        raise NoPlan(f"what `{brief(name)}` is made of is out of sight")
    if not own and not name.startswith("self."):
        raise NoPlan(f"what `{brief(name)}` is made of is out of sight")
    return made[0].value


def loss_of(call: cst.Call) -> cst.BaseExpression:
    """What is differentiated: the argument of `accelerator.backward(loss)`, `loss` itself in `scaler.scale(loss).backward()`."""
    given = argument_of(call, 0)
    loss = given.value if given else _receiver(call)
    if isinstance(loss, cst.Call) and isinstance(loss.func, cst.Attribute) and loss.func.attr.value == "scale":
        scaled = argument_of(loss, 0)
        loss = scaled.value if scaled else loss
    if isinstance(loss, (cst.List, cst.Tuple)):
        raise NoPlan("several losses are differentiated in one call")
    return loss


def argument_of(call: cst.Call, which: str | int) -> cst.Arg | None:
    """The argument of a call by keyword or by position."""
    if isinstance(which, str):
        return next((arg for arg in call.args if arg.keyword and arg.keyword.value == which), None)
    positional = [arg for arg in call.args if not arg.keyword]
    return positional[which] if which < len(positional) and not any(arg.star for arg in positional[: which + 1]) else None


def _added(fix: Replace, level: Level) -> Change:
    """A keyword argument more. Raises NoPlan where `**options` may hold it already."""
    source, call = level.source, called(level.node)
    if isinstance(fix.argument, int) or any(arg.star == "**" for arg in call.args) or "{was}" in fix.text:
        raise NoPlan("the call does not say its arguments one by one")
    given = f"{fix.argument}={level.format(fix.text)}"
    comma = call.args[-1].comma if call.args else None
    if isinstance(comma, cst.Comma) and (indent := _own_line(source, call.args[-1], comma)) is not None:
        row = source.span_of(comma).end_row
        span, column, text = Span(source.path, row + 1, 1, row + 1, 1), 0, f"{indent}{given},{newline_at(source, row)}"
    elif isinstance(comma, cst.Comma):
        span, column, text = source.span_of(comma), 0, f" {given},"
    elif call.args:
        span, column, text = source.span_of(call.args[-1]), 0, f", {given}"
    else:
        span, column, text = source.span_of(call), -1, given
    edit = insertion(source, span.end_row, span.end_column + column, text)
    return Change(
        (*import_edits(source, fix.requires, span.row), edit),
        f"add `{given}` to `{short(call)}`",
        needs=_missing(level, names_in(given), fix.requires),
        at=level,
    )


def _own_line(source: Source, argument: cst.Arg, after: cst.Comma) -> str | None:
    """The indentation of an argument that has its lines for itself."""
    span, comma = source.span_of(argument), source.span_of(after)
    head, tail = source.lines[span.row - 1][: span.column - 1], source.lines[comma.end_row - 1][comma.end_column - 1 :]
    alone = not head.strip() and (not tail.strip() or tail.lstrip().startswith("#"))
    return head if alone else None


def with_comma(source: Source, call: cst.Call, argument: cst.Arg) -> Span:
    """The span of an argument and of the comma that goes with it."""
    index = next(i for i, arg in enumerate(call.args) if arg is argument)
    span = source.span_of(argument)
    if index + 1 < len(call.args):
        after = source.span_of(call.args[index + 1])
        return Span(source.path, span.row, span.column, after.row, after.column)
    if index == 0:
        return span
    before = source.span_of(call.args[index - 1])
    return Span(source.path, before.end_row, before.end_column, span.end_row, span.end_column)


def _operand(text: str) -> str:
    """The text as it may stand before an operator or a dot."""
    expression = cst.parse_expression(f"({text}\n)")
    return text if isinstance(expression, _ATOMS) else f"({text})"


def _with_parentheses(source: Source, node: cst.BaseExpression, text: str) -> Span:
    """The span of an expression, with the parentheses around it where what comes instead needs none."""
    span = source.span_of(node)
    line = source.lines[span.row - 1]
    tight = len(node.lpar) == 1 and line[span.column - 2 : span.column - 1] + line[span.end_column - 1 : span.end_column] == "()"
    if not tight or span.row != span.end_row or not isinstance(cst.parse_expression(f"({text}\n)"), _ATOMS):
        return span
    return Span(source.path, span.row, span.column - 1, span.end_row, span.end_column + 1)


def _bare(text: str) -> str:
    """An expression without the parentheses around it, which a call gives it again: `(loss / k)`."""
    if not text.startswith("("):
        return text
    expression = cst.parse_expression(text)
    if isinstance(expression, (cst.Tuple, cst.GeneratorExp)) or len(expression.lpar) != 1:
        return text
    return code(expression.with_changes(lpar=(), rpar=()))


def _spread(text: str, source: Source, row: int) -> str:
    """Lines after the first at the indentation of the row, with the file's newlines."""
    return text.replace("\n", newline_at(source, row) + margin(source.lines[row - 1]))


def _missing(level: Level, names: set[str], requires: str = "") -> frozenset[str]:
    return level.missing(statement_of(level.source, level.node), names, requires)
