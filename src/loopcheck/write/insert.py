"""`insert` and `ensure`: a new statement."""

from __future__ import annotations

import re

import libcst as cst

from loopcheck.fix import DISPLAY, SAFE, Ensure, Insert
from loopcheck.rule import Witness
from loopcheck.write.edits import Change, Passage, put
from loopcheck.write.effects import names_in
from loopcheck.write.imports import import_edits
from loopcheck.write.sites import Level, found, levels, statement_at
from loopcheck.write.statements import NoPlan, Statement, code, walk


def plan_insert(fix: Insert, witness: Witness) -> Change:
    """The text at the innermost level of the calls where all that it names is known."""
    changes: list[Change] = []
    for level in levels(witness, found(witness, fix.to.of)):
        try:
            change = _inserted(fix, level)
        except NoPlan:
            continue
        changes.append(change)
        if change.applicability == SAFE:
            return change
    if not changes:
        raise NoPlan
    return changes[0]


def plan_ensure(fix: Ensure, witness: Witness) -> Change:
    """The text, or nothing where the program says it on its way to the next pass, or has no next pass."""
    around = [(level, loop) for level in levels(witness, found(witness, fix.to.of)) for loop in _loops(fix, level)]
    said = any(_says(loop, level.format(fix.text)) for level, loop in around)
    return plan_insert(fix, witness) if around and not said else Change((), "")


def _inserted(fix: Insert, level: Level) -> Change:
    place = statement_at(level.source, level.node, fix.to.of)
    if fix.to.side == "after" and isinstance(place.node, (cst.Return, cst.Raise)):
        raise NoPlan
    text = level.format(fix.text)
    title = "`, `".join(line.strip() for line in text.split("\n"))
    return Change(
        (*import_edits(level.source, fix.requires), put(place, fix.to.side, Passage.of(text))),
        f"insert `{title}` {fix.to.side} `{place.title}`",
        SAFE if level.sees(place, names_in(text), fix.requires) else DISPLAY,
    )


def _loops(fix: Ensure, level: Level) -> list[Statement]:
    """The loops that come back to a place of this level, the pass itself not among them."""
    try:
        place = statement_at(level.source, level.node, fix.to.of)
    except NoPlan:
        return []
    return [outer for outer in place.around if isinstance(outer.node, (cst.For, cst.While))]


def _says(loop: Statement, text: str) -> bool:
    """Whether a loop calls this method of this object, or a function of the file that it calls does of any object."""
    receiver, method = re.match(r"(.*)\.(\w+)\(", text).groups()  # type: ignore[union-attr]
    functions: dict[str, list[cst.CSTNode]] = {}
    for node in walk(loop.source.module):
        if isinstance(node, cst.FunctionDef):
            functions.setdefault(node.name.value, []).append(node)
    work: list[tuple[cst.CSTNode, bool]] = [(loop.node, True)]
    followed: set[str] = set()
    while work:
        root, here = work.pop()
        for call in walk(root):
            if not isinstance(call, cst.Call):
                continue
            of, _, name = code(call.func).rpartition(".")
            own = name in functions and of in ("", "self")
            if name == method and (of == receiver or not (here or own)):
                return True
            if name in functions and name not in followed:
                followed.add(name)
                work += [(function, False) for function in functions[name]]
    return False
