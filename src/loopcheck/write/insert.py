"""`insert` and `ensure`: a new statement."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

import libcst as cst

from loopcheck.api import CLIPS, EACH_STEP, LAST, METHODS, ONCE, SHOWN, TRAINING
from loopcheck.finding import TextEdit
from loopcheck.fix import SAFE, UNSAFE, Around, Ensure, Insert, Place
from loopcheck.rule import Witness
from loopcheck.write.edits import Change, Passage, put, take
from loopcheck.write.effects import bound, effects, names_in
from loopcheck.write.imports import import_edits
from loopcheck.write.names import asked_in, none_but_under
from loopcheck.write.naming import name_counter, restarts
from loopcheck.write.reach import calls, calls_in, methods_in, reached
from loopcheck.write.sites import Level, found, holds, levels, node_of, past_skips, where
from loopcheck.write.statements import (
    NoPlan,
    Statement,
    call_of,
    code,
    dotted,
    function_of,
    likeliest,
    statement_of,
    text_of,
    unit_at,
    walk,
    within,
)


def plan_insert(fix: Insert, witness: Witness) -> Change:
    """The text at the innermost level of the calls where all that it names is known."""
    changes: list[Change] = []
    reasons: list[NoPlan] = []
    around = [*levels(witness, found(witness, fix.to.of), across=True)]
    if "{epoch}" in fix.text and restarts(statement_of(around[0].source, around[0].node)):
        raise NoPlan("nothing there counts how often the loader begins anew")
    for level, call in _with_calls(around):
        try:
            if call and EACH_STEP & methods_in(fix.text) and _called_again(level, call):
                continue
            changes.append(_inserted(fix, level, witness))
        except NoPlan as reason:
            reasons.append(reason)
            continue
        if not changes[-1].needs:
            return changes[-1]
    if not changes:
        raise likeliest(reversed(reasons))
    return changes[0]


def _with_calls(found: Iterable[Level]) -> Iterator[tuple[Level, cst.CSTNode | None]]:
    """Each level with the call of the next that leads to it; the outermost has none."""
    several = list(found)
    return zip(several, [*(level.node for level in several[1:]), None], strict=True)


def _called_again(level: Level, call: cst.CSTNode) -> bool:
    """Whether who calls the function of a level does so at several places, for one step: what is put into it would come twice."""
    if any(isinstance(outer.node, (cst.For, cst.While)) for outer in statement_of(level.source, level.node).around):
        return False
    around = function_of(level.source, call) or level.source.module
    of, _, name = dotted(call.func).rpartition(".") if isinstance(call, cst.Call) else ("", "", "")
    return [*calls_in(around)].count((of, name)) > 1


def plan_ensure(fix: Ensure, witness: Witness) -> Change:
    """The text, or nothing where the program says it on its way to the next pass, or has no next pass."""
    around = list(_loops_around(fix, witness))
    said = any(_says(loop, level.format(fix.text), level) for level, loop in around)
    return plan_insert(fix, witness) if around and not said else Change((), "")


def _inserted(fix: Insert, level: Level, witness: Witness) -> Change:
    place = level.place(fix.to.of)
    place = _last_pass(place, level.words.get("model", "")) if isinstance(fix, Ensure) else place
    if between := _before_it_in_the_pass(fix, level, place, witness):
        place, fix = between, replace(fix, to=Place(fix.to.of, "after"))
    if fix.to.side == "after" and methods_in(fix.text) & METHODS["zero_grad"]:
        place = past_skips(place)
    if fix.to.side == "after" and isinstance(place.node, (cst.Return, cst.Raise)):
        raise NoPlan("the function ends there")
    if isinstance(fix.to.of, Around) and fix.to.side == "before" and _comes_within(place, fix.to.of, witness):
        raise NoPlan("what it has to come after happens within the pass")
    tests = list(_tests(level, place, witness))
    if methods_in(fix.text) & METHODS["zero_grad"] and any(map(_windowed, tests)):
        raise NoPlan("it would come for each micro-batch")
    if "eval" in methods_in(fix.text) and (against := _said_against(place, level.format(fix.text))):
        raise NoPlan(f"`{against.title}` right before says otherwise")
    ways_out = list(_ways_out(place)) if isinstance(fix, Ensure) else []
    level, named = _with_counter(fix, level, place)
    text = _where_it_is(level, place, level.format(fix.text, guarded=True))
    call = text.rpartition("\n")[2].strip()
    if instead := _said_otherwise(place, call):
        return Change((*named, instead), f"replace `{text_of(level.source, instead.span)}` with `{call}`")
    title = "`, `".join(line.strip() for line in text.split("\n"))
    late = _said_late(place, call)
    moved = [each for each in late[:1] if isinstance(each.node, cst.Expr) and code(each.node.value) == call]
    doubtful = (
        len(late) > len(moved) or not all(map(_windowed, tests)) or _watched(place, call, fix.to.side) or _thaws(place, call)
    )
    needs = level.missing(place, names_in(text), fix.requires) - {edit.content for edit in named}
    return Change(
        (
            *import_edits(level.source, fix.requires, place.first),
            *named,
            put(place, fix.to.side, Passage.of(text)),
            *(put(each, "before", Passage.of(text)) for each in ways_out),
            *map(take, moved),
        ),
        f"{'move' if moved else 'insert'} `{title}` {fix.to.side} `{place.title}`{' and where it returns' if ways_out else ''}",
        UNSAFE if doubtful else SAFE,
        needs=frozenset(needs),
        brings=frozenset(bound(cst.parse_module(text))),
        at=level,
    )


def _where_it_is(level: Level, place: Statement, text: str) -> str:
    """A call under the test by which the function asks elsewhere whether the object of that call is there, or where the file says
    that it may be None: who comes here another way than to the defect may lack it."""
    said = re.fullmatch(r"([\w.]+)\.\w+\([^\n]*\)", text)
    if said is None:
        return text
    there = f"{said[1]} is not None"
    asked = {said[1], there}
    scope = function_of(level.source, place.node) or level.source.module
    tests = set(asked_in(scope)) & asked
    made_under = none_but_under(level.source, said[1])
    if not tests and made_under is not None:
        tests, asked = {there}, asked | made_under
    if not tests or any(_asks(outer, asked) for outer in place.around):
        return text
    return f"if {min(tests)}:\n{unit_at(level.source, place.node)}{text}"


def _asks(outer: Statement, tests: set[str]) -> bool:
    """Whether an `if` asks one of these, alone or with others."""
    return isinstance(outer.node, cst.If) and any(code(each) in tests for each in walk(outer.node.test))


def _said_against(place: Statement, text: str) -> Statement | None:
    """The statement before a place, with no training in between, that puts a model in the mode which the text takes it out of."""
    said = re.match(r"(.*)\.eval\(", text)
    if said is None:
        return None
    before = [each for outer in (place, *place.around) for each in reversed(outer.siblings[: outer.position])]
    for each in before:
        if call_of(each.node) and code(each.node) == f"{said[1]}.train()":
            return each
        if {name for part in (each.node, *reached(each.source, each.node)) for _, name in calls_in(part)} & TRAINING:
            return None
    return None


def _last_pass(place: Statement, model: str) -> Statement:
    """The last of the passes that a model makes one after the other, with nothing in between that trains."""
    last = place
    for each in place.siblings[place.position + 1 :]:
        called = {name for part in (each.node, *reached(each.source, each.node)) for _, name in calls_in(part)}
        if called & TRAINING or effects(each.source, each.node).leaves:
            break
        last = each if calls(each.node, model) else last
    return last


def _ways_out(place: Statement) -> Iterator[Statement]:
    """The statements by which a function returns from within a loop, and so does not come to what is put after it.

    Raises NoPlan where one of them calls something, which may want to be there first.
    """
    function = function_of(place.source, place.node)
    for each in walk(place.node):
        if isinstance(each, cst.Return) and function_of(place.source, each) is function:
            if any(name not in _PLAIN for _, name in calls_in(each)):
                raise NoPlan(f"`{code(each)}` within the loop has to come before it")
            yield statement_of(place.source, each)


_PLAIN = frozenset({"sum", "len", "max", "min", "abs", "round", "float", "int", "list", "tuple", "item", "mean", "cpu", "numpy"})
"""Calls that ask no model."""


def _comes_within(place: Statement, address: Around, witness: Witness) -> bool:
    """Whether what the text has to come after happens in the loop that it would stand before."""
    last = max(
        (number for number, each in enumerate(witness.events) if each.verb in address.event.verbs), default=len(witness.events)
    )
    others = [event for event in witness.events[:last] if event.verb not in (*address.event.verbs, "start", "end")]
    before = [event for event in others if any(role.kind == witness.role.kind for role in event.on)]
    return address.part == "loop" and any(holds(place, event) for event in before)


def _before_it_in_the_pass(fix: Insert, level: Level, place: Statement, witness: Witness) -> Statement | None:
    """Of the pass at whose top a text is to stand, the last statement that does what the text has to come after, before the
    event of the address."""
    address = fix.to.of
    if not isinstance(address, Around) or address.part != "top":
        return None
    others = [event for event in witness.events if event.verb not in (*address.event.verbs, "start", "end")]
    own = next((number for number, each in enumerate(place.siblings) if within(level.source, level.node, each.node)), 0)
    before = [each for each in place.siblings[:own] if any(holds(each, event) for event in others)]
    return before[-1] if before else None


def _with_counter(fix: Insert, level: Level, place: Statement) -> tuple[Level, tuple[TextEdit, ...]]:
    """The level with a name for the loop's counter, where the text asks for one and it has none, and the edit that gives it."""
    unnamed = level.words.get("epoch", "")
    if "{epoch}" not in fix.text or not unnamed or unnamed.strip("_"):
        return level, ()
    name, edit = name_counter(place, unnamed, level.words.get("loader", "").partition(".")[0])
    return replace(level, words={**level.words, "epoch": name}), (edit,)


def _said_otherwise(place: Statement, call: str) -> TextEdit | None:
    """The edit of a call before the place, in the loop around it, that says the same with an argument that never changes."""
    said = cst.parse_statement(call)
    wanted = call_of(said.body[0]) if isinstance(said, cst.SimpleStatementLine) else None
    if wanted is None or not isinstance(wanted.func, cst.Attribute) or wanted.func.attr.value not in LAST:
        return None
    loop = next((outer for outer in place.around if isinstance(outer.node, (cst.For, cst.While))), None)
    source = place.source
    for node in walk(loop.node) if loop else ():
        if isinstance(node, cst.Call) and code(node.func) == code(wanted.func) and source.span_of(node) < place.span:
            return TextEdit(source.span_of(node), call)
    return None


def _said_late(place: Statement, call: str) -> list[Statement]:
    """Where the same call comes too late, after the place or the loop that it is in, if to say it twice is one too many."""
    if not ONCE & methods_in(call):
        return []
    after = [each for outer in (place, *place.around) for each in outer.siblings[outer.position + 1 :]]
    return [each for each in after if any(isinstance(node, cst.Call) and code(node) == call for node in walk(each.node))]


def _thaws(place: Statement, call: str) -> bool:
    """Whether a call puts a whole model into train mode in a function that puts layers of it into eval mode."""
    if "train" not in methods_in(call):
        return False
    model = call.rpartition(".")[0]
    outer = function_of(place.source, place.node) or place.source.module
    loops = [node for node in walk(outer) if isinstance(node, cst.For) and _LAYERS & {name for _, name in calls_in(node.iter)}]
    layers = {name for loop in loops for name in names_in(code(loop.target))}
    return any(name == "eval" and (of in layers or of.startswith(f"{model}.")) for of, name in calls_in(outer))


_LAYERS = frozenset({"children", "modules", "named_children", "named_modules"})


def _watched(place: Statement, call: str, side: str) -> bool:
    """Whether a statement further down uses what the call clears: a norm that is logged after the step, or another step."""
    verb = next((verb for verb in SHOWN if methods_in(call) & METHODS.get(verb, set())), "")
    if not verb:
        return False
    cleared = call.rpartition(".")[0]
    after = [each for outer in (place, *place.around) for each in outer.siblings[outer.position + 1 :]]
    shown = any(effects(each.source, each.node).attributes & SHOWN[verb] for each in after)
    return shown or (side == "after" and any(_takes_up(each, cleared) for each in after))


def _takes_up(statement: Statement, optimizer: str) -> bool:
    """Whether a statement limits gradients, or steps by this optimizer, or by each of several."""
    each = {code(node.target) for node in walk(statement.node) if isinstance(node, cst.For)}
    for node in walk(statement.node):
        if isinstance(node, cst.Call):
            of, _, name = dotted(node.func).rpartition(".")
            stepped = code(node.args[0].value) if node.args else of
            if name in CLIPS or (name == "step" and stepped in {optimizer, *each}):
                return True
    return False


def _tests(level: Level, place: Statement, witness: Witness) -> Iterator[str]:
    """The tests that another event of the witness stands under and the place does not: without AMP there may be no scaler."""
    around = {outer.node for outer in place.around}
    for event in witness.events:
        if event.verb in ("start", "end") or where(event).source is not level.source:
            continue
        for outer in statement_of(level.source, node_of(event)).around:
            if isinstance(outer.node, cst.If) and outer.node not in around:
                yield code(outer.node.test)


def _windowed(test: str) -> bool:
    """Whether a test says how often something happens and not whether: a window of micro-batches."""
    return "%" in test


def _loops_around(fix: Ensure, witness: Witness) -> Iterator[tuple[Level, Statement]]:
    """The loops that come back to the place, at its own level and further out, and those of the file that lead to it another way
    than the witness's."""
    place: Statement | None = None
    for level in levels(witness, found(witness, fix.to.of), across=True):
        try:
            first = place is None
            place = level.place(fix.to.of) if first else statement_of(level.source, level.node)
        except NoPlan:
            continue
        yield from ((level, outer) for outer in place.around if isinstance(outer.node, (cst.For, cst.While)))
        if first and (function := function_of(level.source, place.node)):
            loops = (node for node in walk(level.source.module) if isinstance(node, (cst.For, cst.While)))
            yield from ((level, Statement(level.source, node)) for node in loops if function in reached(level.source, node))


def _says(loop: Statement, text: str, level: Level) -> bool:
    """Whether a loop calls this method of this object, or a function of the file that it calls does: of any but `self`, and
    what is called like another object of the kind here."""
    said = re.match(r"(.*)\.(\w+)\(", text)
    if said is None:
        return False
    elsewhere = [call for function in reached(loop.source, loop.node) for call in calls_in(function)]
    kinds = {role.kind for role, name in level.event.spelled.items() if name == said[1]}
    others = {name for role, name in level.event.spelled.items() if role.kind in kinds} - {said[1]}
    return (said[1], said[2]) in calls_in(loop.node) or any(
        name == said[2] and of not in ("", "self", *others) for of, name in elsewhere
    )
