"""`move`: a statement goes to another place, with its comments and with the guard that is there for it alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import libcst as cst

from loopcheck.api import METHODS
from loopcheck.bug import Match
from loopcheck.fix import SAFE, UNSAFE, Move
from loopcheck.loop import Event
from loopcheck.read.front.source import Source
from loopcheck.rule import Witness
from loopcheck.write.edits import Change, Passage, passage, put, take
from loopcheck.write.effects import Effects, effects, unknown
from loopcheck.write.reach import calls_in, reached
from loopcheck.write.sites import arms, found, is_window, meeting, node_of, past_skips, path, site_of, statement_at
from loopcheck.write.statements import (
    NoPlan,
    Statement,
    call_of,
    code,
    dotted,
    is_elif,
    statement_of,
    statements,
    unit_at,
    within,
)


def plan_move(fix: Move, witness: Witness) -> Change:
    """The statement before or after another, in that one's block."""
    event, target = found(witness, fix.what), found(witness, fix.to.of)
    here, there = meeting(event, target)
    source = site_of(event).source
    if not _is_all(event, here) or (fix.to.side == "before" and not _is_all(target, there)):
        raise NoPlan("the function that is called does more than that")
    statement = statement_of(source, here)
    moved = _with_guard([*_companions(statement, fix.along), statement], there)
    place = statement_at(source, there, fix.to.of)
    if fix.to.side == "after":
        place = _after_loops(place, moved[-1])
        place = past_skips(place, moved[-1]) if event.verb == "zero_grad" else place
    if _in_place(moved, place, fix.to.side):
        raise NoPlan(f"it stands right {fix.to.side} the other already")
    if _among_arms(moved[-1], place):
        return _with_both_arms(moved, place, fix.to.side)
    tests = _tests_left(moved[-1], place)
    edits = [put(place, fix.to.side, _under(tests, passage(inner), source)) for each in moved for inner in _bare(each, place)]
    edits += [take(each) for each in moved]
    direct = here is node_of(event) and _plain(statement, here)
    safe = direct and all(_indifferent(event, each, place, fix.to.side) for each in moved)
    titles = " and ".join(f"`{each.title}`" for each in moved)
    return Change(tuple(edits), f"move {titles} {fix.to.side} `{place.title}`", SAFE if safe else UNSAFE)


def _is_all(event: Event, node: cst.CSTNode) -> bool:
    """Whether the call that leads to an event does nothing else."""
    source, way = site_of(event).source, path(event)
    inner = (statement_of(source, each) for each in way[way.index(node) + 1 :])
    return all(len(each.siblings) == 1 for statement in inner for each in _ancestry(statement))


def _companions(statement: Statement, along: Match | None) -> list[Statement]:
    """The statement right before, where it is a call of this verb."""
    if along is None or statement.position == 0:
        return []
    before = statement.siblings[statement.position - 1]
    call = call_of(before.node)
    named = call.func.attr.value if isinstance(call, cst.Call) and isinstance(call.func, cst.Attribute) else ""
    return [before] if any(named in METHODS.get(verb, ()) for verb in along.verbs) else []


def _with_guard(moved: list[Statement], there: cst.CSTNode) -> list[Statement]:
    """The statements, or what is around them where it holds nothing else."""
    while len(moved[-1].siblings) == len(moved):
        outer = moved[-1].parent
        if outer is None or not _guards(outer.node) or within(outer.source, there, outer.node):
            raise NoPlan("it is all that its block holds, and that cannot go along")
        moved = [outer]
    return moved


def _tests_left(moved: Statement, place: Statement) -> list[str]:
    """The tests that a statement stands under and the place does not, the innermost first: what they ask may be about it.

    Raises NoPlan where it is what happens if a test fails, or where a test may have another outcome at the place.
    """
    under = {code(outer.node.test) for outer in place.around if isinstance(outer.node, cst.If)}
    crossed = [each for each in _crossed_blocks(moved, place) if within(moved.source, moved.node, each.node)]
    tests: list[str] = []
    loops = [outer for each in crossed if (outer := each.parent) and isinstance(outer.node, (cst.For, cst.While))]
    turns = [effects(each.source, each.node) for each in loops]
    varying = {name for own in turns for name in (*own.binds, *(changed[0] for changed in own.changes))}
    for each in crossed:
        outer = each.parent
        if outer is None or not isinstance(outer.node, cst.If) or code(outer.node.test) in under or is_window(outer):
            continue
        asked = effects(outer.source, outer.node.test)
        between = _between(outer, place, place.first < outer.first)
        if (
            outer.node.body is not each.block
            or not varying.isdisjoint(asked.reads)
            or any(effects(one.source, one.node).binds & asked.reads for one in between)
        ):
            raise NoPlan("the test that it is under means something else there")
        tests.append(code(outer.node.test))
    return tests


def _under(tests: Sequence[str], what: Passage, source: Source) -> Passage:
    """Lines under tests, the innermost first."""
    for test in tests:
        what = Passage((*Passage.of(f"if {test}:").lines, *what.under(source.module.default_indent).lines))
    return what


def _bare(moved: Statement, place: Statement) -> Sequence[Statement]:
    """The statement, or what its guard holds where the place is under the same one."""
    node = moved.node
    if not isinstance(node, cst.If):
        return [moved]
    around = [outer.node for outer in place.around if isinstance(outer.node, cst.If)]
    same = any(code(outer.test) == code(node.test) and within(place.source, place.node, outer.body) for outer in around)
    return statements(moved.source, node.body) if same else [moved]


def _guards(node: cst.CSTNode) -> bool:
    """It has one block and no other arm."""
    return isinstance(node, cst.With) or (isinstance(node, (cst.If, cst.For)) and node.orelse is None)


def _after_loops(place: Statement, moved: Statement) -> Statement:
    """After a statement in a loop, for what is not in that loop, is after the loop."""
    for outer in [*place.around]:
        if within(place.source, moved.node, outer.node):
            break
        if isinstance(outer.node, (cst.For, cst.While)):
            place = outer
    return place


def _in_place(moved: Sequence[Statement], place: Statement, side: str) -> bool:
    if any(within(each.source, place.node, each.node) for each in moved):
        return True
    if moved[-1].block is not place.block:
        return False
    return place.position - moved[-1].position == 1 if side == "before" else moved[0].position - place.position == 1


def _among_arms(moved: Statement, place: Statement) -> bool:
    """Whether it goes from one arm of an `if` to another, or in or out of one though another arm has its own."""
    crossed = [
        (each, outer) for each in _crossed_blocks(moved, place) if (outer := each.parent) and isinstance(outer.node, cst.If)
    ]
    if len({outer.node for _, outer in crossed}) < len(crossed):
        return True
    for each, outer in crossed:
        what = moved if within(moved.source, moved.node, outer.node) else place
        beside = {name for arm in arms(outer.node) if arm is not each.block for _, name in calls_in(arm)}
        if not beside.isdisjoint(name for _, name in calls_in(what.node)):
            return True
    return False


def _with_both_arms(moved: Sequence[Statement], place: Statement, side: str) -> Change:
    """What each arm of an `if` does for itself, under the same test at the place. Raises NoPlan where the arms do not match."""
    statement, outer = moved[-1], moved[-1].parent
    other = _counterpart(statement, outer.node) if outer and len(moved) == 1 else None
    if outer is None or other is None or within(outer.source, place.node, outer.node):
        raise NoPlan("it would leave one branch for another")
    first, second = (statement, other) if statement.span < other.span else (other, statement)
    assert isinstance(outer.node, cst.If)
    test = effects(outer.source, outer.node.test)
    between = _between(outer, place, place.first < outer.first)
    if [*calls_in(outer.node.test)] or any(effects(each.source, each.node).binds & test.reads for each in between):
        raise NoPlan("its `if` may have another outcome there")
    unit = unit_at(outer.source, outer.node)
    arms = (
        Passage.of(f"if {code(outer.node.test)}:"),
        passage(first).under(unit),
        Passage.of("else:"),
        passage(second).under(unit),
    )
    lines = Passage(tuple(line for arm in arms for line in arm.lines))
    title = f"`{first.title}` and `{second.title}`" if first.title != second.title else f"both `{first.title}`"
    return Change((put(place, side, lines), take(first), take(second)), f"move {title} {side} `{place.title}`", UNSAFE)


def _counterpart(statement: Statement, outer: cst.CSTNode) -> Statement | None:
    """The one statement of the other arm that calls the same, beside others that stay."""
    if not isinstance(outer, cst.If) or not isinstance(outer.orelse, cst.Else) or is_elif(statement.source, outer):
        return None
    beside = [each for arm in arms(outer) if arm is not statement.block for each in statements(statement.source, arm)]
    alike = [each for each in beside if _called(each) and _called(each) == _called(statement)]
    return alike[0] if len(alike) == 1 < len(beside) else None


def _called(statement: Statement) -> str:
    """The last part of the name of what a statement calls, or the one statement under its guard."""
    node = statement.node
    while isinstance(node, cst.If) and node.orelse is None and len(inner := statements(statement.source, node.body)) == 1:
        node = inner[0].node
    call = call_of(node)
    return dotted(call.func).rpartition(".")[2] if call else ""


def _plain(statement: Statement, node: cst.CSTNode) -> bool:
    """The statement is the event and nothing else happens in it."""
    return node is statement.node or node is call_of(statement.node)


def _indifferent(event: Event, moved: Statement, place: Statement, side: str) -> bool:
    """Whether nothing on the way, and no guard around, gives the statement another meaning at the place.

    Raises NoPlan where it could not run there.
    """
    own = effects(moved.source, moved.node)
    known = own.reads - unknown(moved.source, moved.node, moved.first, own.reads)
    if lost := unknown(moved.source, place.node, place.first if side == "before" else place.last + 1, known):
        raise NoPlan(f"`{min(lost)}` has no value yet where it would go")
    own = _on_objects(own, event)
    up = place.first < moved.first
    crossed = [_with_helpers(each) for each in _between(moved, place, up)]
    if up == (side == "before"):
        passed = _with_helpers(place)
        if passed.tangles(own) or passed.reads_what(event.verb):
            return False
        crossed += [passed] if isinstance(place.node, cst.BaseCompoundStatement) else []
    return not any(each.blocks(own, event.verb) for each in crossed) and all(map(_in_window, _crossed_blocks(moved, place)))


def _with_helpers(statement: Statement) -> Effects:
    """What a statement does, and what the functions of the file that it calls read."""
    own = effects(statement.source, statement.node)
    helpers = [effects(statement.source, function).attributes for function in reached(statement.source, statement.node)]
    return replace(own, attributes=own.attributes.union(*helpers))


def _on_objects(own: Effects, event: Event) -> Effects:
    """What is changed is what the verb acts on; what else is given, a limit or a metric, is only read."""
    if not event.spelled:
        return own
    named = {role: tuple(text.split(".")) for role, text in event.spelled.items()}
    acted = {named[role] for role in event.on if role in named}
    return replace(own, uses=own.uses & set(named.values()), changes=own.changes & acted)


def _between(moved: Statement, place: Statement, up: bool) -> Iterator[Statement]:
    """The statements that a move goes over."""
    mine, theirs = _ancestry(moved), _ancestry(place)
    shared = {each.block for each in mine} & {each.block for each in theirs}
    meet_mine = next(each for each in mine if each.block in shared)
    meet_theirs = next(each for each in theirs if each.block in shared)
    low, high = sorted((meet_mine.position, meet_theirs.position))
    yield from meet_mine.siblings[low + 1 : high]
    for each in mine[: mine.index(meet_mine)]:
        yield from each.siblings[: each.position] if up else each.siblings[each.position + 1 :]
    for each in theirs[: theirs.index(meet_theirs)]:
        yield from each.siblings[each.position + 1 :] if up else each.siblings[: each.position]


def _ancestry(statement: Statement) -> list[Statement]:
    return [statement, *statement.around]


def _crossed_blocks(moved: Statement, place: Statement) -> Iterator[Statement]:
    """The statements whose blocks are left or entered, each by one that stands in the block."""
    mine, theirs = _ancestry(moved), _ancestry(place)
    shared = {each.block for each in mine} & {each.block for each in theirs}
    return (each for each in (*mine, *theirs) if each.block not in shared)


def _in_window(statement: Statement) -> bool:
    """Whether it is in the block of `if (i + 1) % k == 0:`, which says how often a step happens and not whether."""
    outer = statement.parent
    return outer is not None and isinstance(outer.node, cst.If) and outer.node.body is statement.block and is_window(outer)
