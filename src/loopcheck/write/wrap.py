"""`wrap` and `guard`: a pass under a context manager, a statement under a test."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import dropwhile

import libcst as cst

from loopcheck.finding import TextEdit
from loopcheck.fix import UNSAFE, Guard, Wrap, loop_of
from loopcheck.loop import Event
from loopcheck.read.front.source import Site, Source
from loopcheck.rule import Witness
from loopcheck.words import DIFFERENTIATING, held_out, words
from loopcheck.write.edits import Change, indented, insertion, newline_at
from loopcheck.write.effects import bound, effects, names_in
from loopcheck.write.imports import import_edits
from loopcheck.write.reach import calls, calls_in
from loopcheck.write.sites import Level, found, levels, over_arms
from loopcheck.write.statements import NoLoop, NoPlan, Statement, code, dotted, function_of, likeliest, statement_of, walk, within

_WORD = re.compile(r"\w+")
_NUMBERS = frozenset({"argmax", "detach", "item", "numpy", "tolist"})
"""Methods of a tensor that hand out no graph."""


def plan_wrap(fix: Wrap, witness: Witness) -> Change:
    """A decorator where the function is the pass, else a `with` around the loop, or around the statement of what is in none, or
    in one that trains as well."""
    event = found(witness, fix.what)
    outer = [*_not_training(event, levels(witness, event))]
    if not outer:
        raise NoPlan("training goes through the same code")
    reasons: list[NoPlan] = []
    for number, level in enumerate(outer, 1):
        try:
            whole = level.place(loop_of(fix.what))
            if _takes(whole.node) or _learns(event, level.source, whole.node):  # under the context that would raise
                return _alone(fix, event, outer)
            change = _wrapped(fix, event, level, whole)
        except NoPlan as reason:
            reasons.append(reason)
            continue
        doubtful = _is_asked_for(level) or any(map(_takes_gradients, outer)) or any(map(_differentiated, outer[number:]))
        return replace(change, applicability=UNSAFE) if doubtful else change
    if event.told or isinstance(reasons[0], NoLoop):
        return _alone(fix, event, outer)
    raise likeliest(reversed(reasons))


def _not_training(event: Event, around: Iterable[Level]) -> Iterator[Level]:
    """The levels of an evaluation from the one on that training does not come by."""
    told = event.told
    apart = told.source.tree_node(told.node) if isinstance(told, Site) else None
    return dropwhile(lambda level: told is not None and level.node is not apart, around)


def _learns(event: Event, source: Source, node: cst.CSTNode) -> bool:
    """Whether a piece of code applies a network that is learned from, besides the one that is evaluated in it."""
    whole = source.span_of(node)
    there = [site.span for site in event.beside if isinstance(site, Site) and site.source is source]
    return any(each is not None and each.cell == whole.cell and whole.row <= each.row <= whole.end_row for each in there)


def _alone(fix: Wrap, event: Event, outer: Sequence[Level]) -> Change:
    """The statement of a forward that is in no loop of its function. Safe in a function that evaluates by its name, and hands
    back nothing that the statement binds: of any other somebody else may want the graph."""
    source = outer[0].source
    whole = over_arms(statement_of(source, outer[0].node), outer[0].words.get("model", ""))
    if _takes(whole.node):
        raise NoPlan("what it is applied to is made by gradients, in the same statement")
    change = _wrapped(fix, event, outer[0], whole)
    safe = _stays(source, whole) and not any(map(_takes_gradients, outer))
    return change if safe else replace(change, applicability=UNSAFE)


def _stays(source: Source, whole: Statement) -> bool:
    """Whether what a statement binds stays in its function, which evaluates by its name."""
    function, made = function_of(source, whole.node), whole.node
    if not isinstance(function, cst.FunctionDef) or not isinstance(made, cst.Assign):
        return False
    return held_out("", function.name.value) and not _hands_out(source, function, made)


def _is_asked_for(level: Level) -> bool:
    """Whether a function hands back what a network puts out and does not evaluate by its name: who calls it elsewhere may learn
    from that."""
    function, made = function_of(level.source, level.node), statement_of(level.source, level.node).node
    if not isinstance(function, cst.FunctionDef) or held_out("", function.name.value):
        return False
    return _hands_out(level.source, function, made)


def _hands_out(source: Source, function: cst.CSTNode, made: cst.CSTNode) -> bool:
    """Whether a function hands back what a statement makes, or what is computed of it and may have its graph."""
    nodes = [*walk(function)]
    computed = [each for each in nodes if isinstance(each, (cst.Assign, cst.AugAssign, cst.Expr)) and not _counts(each)]
    graphs = set() if _counts(made) else _written(source, made)
    while new := {name for each in computed if effects(source, each).reads & graphs for name in _written(source, each)} - graphs:
        graphs |= new
    ends = [each for each in nodes if isinstance(each, (cst.Return, cst.Yield)) and not _is_number(each.value)]
    return any(effects(source, each).reads & graphs for each in ends)


def _written(source: Source, node: cst.CSTNode) -> set[str]:
    """The variables that a statement binds or puts something into, `scores[start:end] = net(x)`."""
    of = effects(source, node)
    return of.binds | {path[0] for path in of.changes}


def _counts(statement: cst.CSTNode) -> bool:
    """Whether a statement keeps a number alone, `losses.append(loss.item())`."""
    match statement:
        case cst.Assign(value=value) | cst.AugAssign(value=value) | cst.Expr(value=cst.Call(args=[cst.Arg(value=value)])):
            return _is_number(value)
        case _:
            return False


def _is_number(value: cst.CSTNode | None) -> bool:
    """`loss.item()`, which has no graph, and `loss.item() * len(batch)`."""
    match value:
        case cst.BinaryOperation(left=left, right=right):
            return _is_number(left) or _is_number(right)
        case cst.Call(func=cst.Attribute(attr=cst.Name(value=name))):
            return name in _NUMBERS
        case _:
            return False


def plan_guard(fix: Guard, witness: Witness) -> Change:
    """The statement itself, where it happens. Raises NoPlan where it binds a name that is used elsewhere."""
    event = found(witness, fix.what)
    level = next(levels(witness, event))
    place = statement_of(level.source, level.node)
    if event.facts.get("gathered") and ".state_dict(" in code(place.node):
        raise NoPlan("all ranks have to take part in putting together what is saved")
    if not isinstance(place.node, (cst.SimpleStatementLine, cst.Expr)) or effects(level.source, place.node).binds:
        raise NoPlan("what it makes would be missing where the test fails")
    test = level.format(fix.test)
    needs = level.missing(place, names_in(test), fix.requires)
    edits = (*import_edits(level.source, fix.requires, place.first), *_under(place, f"if {test}"))
    return Change(edits, f"put `{place.title}` under `if {test}:`", needs=needs, at=level)


def _differentiated(level: Level) -> bool:
    """Whether what a call of the pass hands back is backpropagated after all."""
    statement = statement_of(level.source, level.node)
    names = effects(level.source, statement.node).binds if isinstance(statement.node, cst.Assign) else set()
    around = function_of(level.source, level.node) or level.source.module
    backwards = (each for each in walk(around) if isinstance(each, cst.Call) and dotted(each.func).endswith("backward"))
    return any(names & effects(level.source, each).reads for each in backwards)


def _takes_gradients(level: Level) -> bool:
    """Whether a call around needs gradients, to make inputs by them or to fit the model first: `adversary.perturb(x, y)`."""
    return _takes(function_of(level.source, level.node) or level.source.module)


def _takes(node: cst.CSTNode) -> bool:
    """Whether a call in a piece of code needs gradients, by its name or by that under which it is kept:
    `options["attack"](x, y)`."""
    called = (code(each.func) for each in walk(node) if isinstance(each, cst.Call))
    return any(words(part) & DIFFERENTIATING for name in called for part in _WORD.findall(name))


def _wrapped(fix: Wrap, event: Event, level: Level, whole: Statement) -> Change:
    context, source = level.format(fix.context), level.source
    function = function_of(source, whole.node)
    apart = isinstance(function, cst.FunctionDef) and not _takes(function) and not _learns(event, source, function)
    if isinstance(function, cst.FunctionDef) and apart and _is_the_pass(level, function, whole):
        place = Statement(source, function)
        row = place.span.row
        edits = [insertion(source, row, 1, f"{place.indent}@{context}{newline_at(source, row)}")]
        message = f"decorate `{function.name.value}` with `@{context}`"
    else:
        place, edits = whole, _under(whole, f"with {context}")
        message = f"put `{whole.title}` under `with {context}:`"
    needs = level.missing(place, names_in(context), fix.requires)
    return Change((*import_edits(source, fix.requires, place.first), *edits), message, needs=needs, at=level)


def _under(whole: Statement, head: str) -> list[TextEdit]:
    """A line above, and one more level of indentation for each line.

    Raises NoPlan where others run before the block has ended: who takes what it yields would be under the context, too.
    """
    if not whole.whole:
        raise NoPlan("it shares its lines with other statements")
    if any(isinstance(node, (cst.Yield, cst.Await)) for node in walk(whole.node)):
        raise NoPlan("others run before the pass has ended: it yields")
    source = whole.source
    header = insertion(source, whole.first, 1, f"{whole.indent}{head}:{newline_at(source, whole.first)}")
    return [header, *indented(source, [whole])]


def _is_the_pass(level: Level, function: cst.FunctionDef, whole: Statement) -> bool:
    """The function is given the model, has no loop but this and others of the model, and calls nothing of the file's own else."""
    source = level.source
    given = {node.name.value for node in walk(function.params) if isinstance(node, cst.Param)}
    model = level.words.get("model", "").partition(".")[0]
    if any(whole.around) or function.asynchronous or model in bound(function) - given:
        return False
    own = {node.name.value for node in walk(source.module) if isinstance(node, cst.FunctionDef)}
    rest = [node for node in walk(function.body) if not within(source, node, whole.node)]
    called = {name for node in rest if isinstance(node, cst.Call) for _, name in calls_in(node)}
    loops = [node for node in rest if isinstance(node, (cst.For, cst.While))]
    inner = any(isinstance(node, (cst.FunctionDef, cst.ClassDef)) for node in rest)
    others = not all(calls(loop, level.words.get("model", "")) for loop in loops)
    yields = any(isinstance(node, cst.Yield) for node in walk(function.body))
    return not (inner or others or yields or called & (own | {"backward", "step"}))
