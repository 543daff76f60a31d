"""`insert` and `ensure`: a new statement."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from loopcheck.fix import SAFE, UNSAFE, Ensure, Insert
from loopcheck.rule import Witness
from loopcheck.write.edits import Change, Passage, put
from loopcheck.write.effects import bound, names_in
from loopcheck.write.imports import import_edits
from loopcheck.write.reach import calls_in, reached
from loopcheck.write.sites import Level, found, levels, node_of, site_of
from loopcheck.write.statements import NoPlan, Statement, code, statement_of


def plan_insert(fix: Insert, witness: Witness) -> Change:
    """The text at the innermost level of the calls where all that it names is known."""
    changes: list[Change] = []
    for level in levels(witness, found(witness, fix.to.of)):
        try:
            changes.append(_inserted(fix, level, witness))
        except NoPlan:
            continue
        if not changes[-1].needs:
            return changes[-1]
    if not changes:
        raise NoPlan
    return changes[0]


def plan_ensure(fix: Ensure, witness: Witness) -> Change:
    """The text, or nothing where the program says it on its way to the next pass, or has no next pass."""
    around = list(_loops_around(fix, witness))
    said = any(_says(loop, level.format(fix.text)) for level, loop in around)
    return plan_insert(fix, witness) if around and not said else Change((), "")


def _inserted(fix: Insert, level: Level, witness: Witness) -> Change:
    place = level.place(fix.to.of)
    if fix.to.side == "after" and isinstance(place.node, (cst.Return, cst.Raise)):
        raise NoPlan
    text = level.format(fix.text, guarded=True)
    title = "`, `".join(line.strip() for line in text.split("\n"))
    return Change(
        (*import_edits(level.source, fix.requires), put(place, fix.to.side, Passage.of(text))),
        f"insert `{title}` {fix.to.side} `{place.title}`",
        UNSAFE if _flagged(level, place, witness) else SAFE,
        needs=level.missing(place, names_in(text), fix.requires),
        brings=frozenset(bound(cst.parse_module(text))),
    )


def _flagged(level: Level, place: Statement, witness: Witness) -> bool:
    """Another event of the witness stands under an `if` that the place is not under: without AMP there may be no scaler to
    call. A window of micro-batches is no such flag."""
    around = {outer.node for outer in place.around}
    for event in witness.events:
        if event.verb in ("start", "end") or site_of(event).source is not level.source:
            continue
        for outer in statement_of(level.source, node_of(event)).around:
            if isinstance(outer.node, cst.If) and outer.node not in around and "%" not in code(outer.node.test):
                return True
    return False


def _loops_around(fix: Ensure, witness: Witness) -> Iterator[tuple[Level, Statement]]:
    """The loops that come back to the place, at its own level and further out."""
    place: Statement | None = None
    for level in levels(witness, found(witness, fix.to.of)):
        try:
            place = statement_of(level.source, level.node) if place else level.place(fix.to.of)
        except NoPlan:
            continue
        yield from ((level, outer) for outer in place.around if isinstance(outer.node, (cst.For, cst.While)))


def _says(loop: Statement, text: str) -> bool:
    """Whether a loop calls this method of this object, or a function of the file that it calls does of any other than `self`."""
    said = re.match(r"(.*)\.(\w+)\(", text)
    if said is None:
        return False
    elsewhere = [call for function in reached(loop.source, loop.node) for call in calls_in(function)]
    return (said[1], said[2]) in calls_in(loop.node) or any(name == said[2] and of not in ("", "self") for of, name in elsewhere)
