"""`cover`: what leads to a backward, from the forward on, under a context manager for all but the last of its window."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from loopcheck.api import WRAPPER_NAMES
from loopcheck.fix import Cover
from loopcheck.rule import Witness
from loopcheck.words import UNCHANGING
from loopcheck.write.edits import Change, indented, insertion, newline_at
from loopcheck.write.effects import effects, names_in
from loopcheck.write.expressions import own_level
from loopcheck.write.imports import import_edits
from loopcheck.write.reach import calls_in
from loopcheck.write.sites import Level, is_window
from loopcheck.write.statements import NoPlan, Statement, call_of, code, dotted, function_of, quotes, statement_of, walk


def plan_cover(fix: Cover, witness: Witness) -> Change:
    """The `with` asks what the window asks, so it has to stand where that means the same."""
    level = own_level(witness, fix.what)
    source, last = level.source, statement_of(level.source, level.node)
    model = level.words.get("model", "")
    siblings = last.siblings[: last.position + 1]
    applied = [number for number, each in enumerate(siblings) if _applies(each, model)]
    if not applied:
        raise NoPlan("the forward stands elsewhere")
    covered = siblings[applied[0] :]
    if not all(each.whole for each in covered) or last.in_suite:
        raise NoPlan("it shares its lines with other statements")
    if any(
        isinstance(node, (cst.Yield, cst.Await)) or effects(source, each.node).leaves
        for each in covered
        for node in walk(each.node)
    ):
        raise NoPlan("it may end before the backward, or others run meanwhile")
    test = _window(last, covered)
    lacking = _lacking(level, fix.context)
    held = f"{level.format(fix.instead)} if {test}{lacking} else {_named(level, fix.context)}"
    header = insertion(source, covered[0].first, 1, f"{covered[0].indent}with {held}:{newline_at(source, covered[0].first)}")
    needs = level.missing(covered[0], names_in(held), fix.requires)
    return Change(
        (*import_edits(source, fix.requires, covered[0].first), header, *indented(source, covered)),
        f"put what leads to `{last.title}` under `with {held}:`",
        needs=needs,
        at=level,
    )


def _applies(statement: Statement, model: str) -> bool:
    """Whether a statement applies the model, by its name."""
    return any(isinstance(node, cst.Call) and dotted(node.func) == model for node in walk(statement.node))


def _named(level: Level, text: str) -> str:
    """The text with names that other runs may use for something else, which is asked for beside it."""
    return text.format_map(dict(level.words))


def _lacking(level: Level, text: str) -> str:
    """The test for a model that may be wrapped in some runs only."""
    if not level.unsure.get("model") and _always_wrapped(level):
        return ""
    method = text.rpartition(".")[2].partition("(")[0]
    mark = quotes(level.source)
    return f" or not hasattr({level.words['model']}, {mark}{method}{mark})"


def _always_wrapped(level: Level) -> bool:
    """Whether this function or class puts the wrapper around the model in one place, whatever the run."""
    model, home = level.words["model"], function_of(level.source, level.node)
    made = [each for each in walk(level.source.module) if isinstance(each, cst.Assign) and code(each.targets[0].target) == model]
    wrapping = [each for each in made if (call := call_of(each)) and dotted(call.func).rpartition(".")[2] in WRAPPER_NAMES]
    if len(wrapping) != 1:
        return False
    place = Statement(level.source, wrapping[0])
    own = "." in model or function_of(level.source, wrapping[0]) in (None, home)
    return own and not any(isinstance(outer.node, (cst.If, cst.Try)) for outer in place.around)


def _window(last: Statement, covered: Sequence[Statement]) -> str:
    """The test under which the window ends, of the statement further down that asks it."""
    for number, below in enumerate(last.siblings[last.position + 1 :]):
        if is_window(below) and isinstance(below.node, cst.If) and _steps(below):
            passed = [*covered, *last.siblings[last.position + 1 :][:number]]
            test = effects(below.source, below.node.test)
            calls = {name for of, name in calls_in(below.node.test) if of or name not in UNCHANGING}
            if calls or any(effects(each.source, each.node).binds & test.reads for each in passed):
                break
            short = isinstance(below.node.test, (cst.Name, cst.Comparison))
            return code(below.node.test) if short else f"({code(below.node.test)})"
    raise NoPlan("whether the window ends is asked elsewhere, or means something else before")


def _steps(statement: Statement) -> bool:
    """Whether a statement does what an optimizer's window is for."""
    return any(name == "step" for _, name in calls_in(statement.node))
