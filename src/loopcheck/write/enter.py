"""`enter`: what follows a context manager that nobody enters, put under it."""

from __future__ import annotations

import libcst as cst

from loopcheck.finding import Span, TextEdit
from loopcheck.fix import SAFE, UNSAFE, Enter
from loopcheck.rule import Witness
from loopcheck.write.edits import Change, indented, insertion
from loopcheck.write.reach import calls_in
from loopcheck.write.sites import found, node_of, site_of
from loopcheck.write.statements import NoPlan, Statement, code, statement_of, walk

_NEED_GRADIENTS = {"backward", "step", "grad"}


def plan_enter(fix: Enter, witness: Witness) -> Change:
    """The statement becomes a `with`, and the rest of its block stands under it."""
    event = found(witness, fix.what)
    place = statement_of(site_of(event).source, node_of(event))
    below = place.siblings[place.position + 1 :]
    if not below or place.in_suite or not all(each.whole for each in (place, *below)):
        raise NoPlan("nothing follows it in its block, or it shares its lines with other statements")
    if any(_needs_gradients(each) for each in below):
        raise NoPlan("what follows goes backward")
    with_it, colon = insertion(place.source, place.first, place.span.column, "with "), place.span
    edits = [with_it, insertion(place.source, colon.end_row, colon.end_column, ":"), *_without_blank_below(place)]
    passes = any(isinstance(node, (cst.For, cst.While)) for each in below for node in walk(each.node))
    how = SAFE if passes else UNSAFE  # what is computed at one go, and handed back, may be learned from
    return Change((*edits, *indented(place.source, below)), f"put what follows under `with {code(place.node)}:`", how)


def _without_blank_below(place: Statement) -> list[TextEdit]:
    """The edit that takes out the blank lines under what becomes the head of a block."""
    source, first = place.source, place.last + 1
    last = first
    while last <= len(source.lines) and not source.lines[last - 1].strip():
        last += 1
    return [TextEdit(Span(source.path, first, 1, last, 1), "")] if last > first else []


def _needs_gradients(each: Statement) -> bool:
    """It goes backward, or others run before it has ended."""
    paused = any(isinstance(node, (cst.Yield, cst.Await)) for node in walk(each.node))
    return paused or any(name in _NEED_GRADIENTS for _, name in calls_in(each.node))
