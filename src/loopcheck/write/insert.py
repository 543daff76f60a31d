"""`insert` and `ensure`: a new statement."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from loopcheck.fix import Ensure, Insert
from loopcheck.rule import Witness
from loopcheck.write.edits import Change, Passage, put
from loopcheck.write.effects import bound, names_in
from loopcheck.write.imports import import_edits
from loopcheck.write.sites import Level, found, levels, statement_at
from loopcheck.write.statements import NoPlan, Statement, code, statement_of, walk


def plan_insert(fix: Insert, witness: Witness) -> Change:
    """The text at the innermost level of the calls where all that it names is known."""
    changes: list[Change] = []
    for level in levels(witness, found(witness, fix.to.of)):
        try:
            changes.append(_inserted(fix, level))
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


def _inserted(fix: Insert, level: Level) -> Change:
    place = statement_at(level.source, level.node, fix.to.of)
    if fix.to.side == "after" and isinstance(place.node, (cst.Return, cst.Raise)):
        raise NoPlan
    text = level.format(fix.text)
    title = "`, `".join(line.strip() for line in text.split("\n"))
    return Change(
        (*import_edits(level.source, fix.requires), put(place, fix.to.side, Passage.of(text))),
        f"insert `{title}` {fix.to.side} `{place.title}`",
        needs=level.missing(place, names_in(text), fix.requires),
        brings=frozenset(bound(cst.parse_module(text))),
    )


def _loops_around(fix: Ensure, witness: Witness) -> Iterator[tuple[Level, Statement]]:
    """The loops that come back to the place, at its own level and further out."""
    place: Statement | None = None
    for level in levels(witness, found(witness, fix.to.of)):
        try:
            place = statement_of(level.source, level.node) if place else statement_at(level.source, level.node, fix.to.of)
        except NoPlan:
            continue
        yield from ((level, outer) for outer in place.around if isinstance(outer.node, (cst.For, cst.While)))


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
