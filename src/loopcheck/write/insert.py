"""`insert` and `restore`: a new statement."""

from __future__ import annotations

import re

import libcst as cst

from loopcheck.fix import DISPLAY, SAFE, Insert, Restore
from loopcheck.rule import Witness
from loopcheck.write.edits import Change, Passage, put
from loopcheck.write.imports import import_edits
from loopcheck.write.sites import Level, found, levels, statement_at
from loopcheck.write.statements import NoPlan, Statement, walk


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


def plan_restore(fix: Restore, witness: Witness) -> Change:
    """The text, or nothing where the program says it on its way to the next pass, or has no next pass."""
    round_again = [loop for level in levels(witness, found(witness, fix.to.of)) for loop in _loops(fix, level)]
    said = any(_says(loop, fix.text) for loop in round_again)
    return plan_insert(fix, witness) if round_again and not said else Change((), "")


def _inserted(fix: Insert, level: Level) -> Change:
    place = statement_at(level.source, level.node, fix.to.of)
    if fix.to.side == "after" and isinstance(place.node, (cst.Return, cst.Raise)):
        raise NoPlan
    text = level.format(fix.text)
    title = "`, `".join(line.strip() for line in text.split("\n"))
    return Change(
        (*import_edits(level.source, fix.requires), put(place, fix.to.side, Passage.of(text))),
        f"insert `{title}` {fix.to.side} `{place.title}`",
        SAFE if level.sees(place, text, fix.requires) else DISPLAY,
    )


def _loops(fix: Restore, level: Level) -> list[Statement]:
    """The loops that come back to a place of this level, the pass itself not among them."""
    try:
        place = statement_at(level.source, level.node, fix.to.of)
    except NoPlan:
        return []
    return [outer for outer in place.around if isinstance(outer.node, (cst.For, cst.While))]


def _says(loop: Statement, text: str) -> bool:
    """Whether a loop, or a function of the file that it calls, calls the method that is called in the text."""
    method = re.findall(r"\.(\w+)\(", text)[-1]
    functions: dict[str, list[cst.FunctionDef]] = {}
    for node in walk(loop.source.module):
        if isinstance(node, cst.FunctionDef):
            functions.setdefault(node.name.value, []).append(node)
    work: list[cst.CSTNode] = [loop.node]
    seen: set[str] = set()
    while work:
        for node in walk(work.pop()):
            name = _called(node)
            if name in functions and name not in seen:
                seen.add(name)
                work += functions[name]
            elif name == method and name not in functions and isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
                return True
    return False


def _called(node: cst.CSTNode) -> str:
    """The last name of what is called."""
    match node:
        case cst.Call(func=cst.Name(name)) | cst.Call(func=cst.Attribute(attr=cst.Name(name))):
            return name
        case _:
            return ""
