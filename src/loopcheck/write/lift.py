"""`lift`: a call that is made for each of several things, made once for all of them."""

from __future__ import annotations

import libcst as cst

from loopcheck.finding import Span, TextEdit
from loopcheck.fix import Lift
from loopcheck.read.front.source import Source
from loopcheck.rule import Witness
from loopcheck.write.edits import Change
from loopcheck.write.effects import names_in
from loopcheck.write.sites import found, node_of, site_of
from loopcheck.write.statements import NoPlan, Statement, code, statement_of, statements, text_of

_NAMED = ".named_parameters("
_BARE = ".parameters("


def plan_lift(fix: Lift, witness: Witness) -> Change:
    """The loop becomes the call, given what the loop is over. Raises NoPlan where the loop does anything else."""
    event = found(witness, fix.what)
    source, call = site_of(event).source, node_of(event)
    inner = statement_of(source, call)
    loop = next((outer for outer in inner.around if isinstance(outer.node, cst.For)), None)
    if loop is None or not isinstance(call, cst.Call) or not isinstance(loop.node, cst.For):
        raise NoPlan("the loop is not in sight")
    if not isinstance(inner.node, cst.Expr) or inner.node.value is not call or not _alone(loop, inner):
        raise NoPlan("the loop does something else as well")
    whole = Span(source.path, loop.span.row, loop.span.column, inner.span.end_row, inner.span.end_column)
    if "#" in text_of(source, whole) or loop.node.orelse:
        raise NoPlan("a comment would be lost")
    text = _for_all(source, loop.node, call)
    return Change((TextEdit(whole, text),), f"call `{text}` once, for all of them")


def _alone(loop: Statement, inner: Statement) -> bool:
    """Nothing else is in the loop, but a test for a gradient."""
    assert isinstance(loop.node, cst.For)
    below = statements(loop.source, loop.node.body)
    while len(below) == 1 and isinstance(test := below[0].node, cst.If) and test.orelse is None and "grad" in code(test.test):
        below = statements(loop.source, test.body)
    return [each.node for each in below] == [inner.node]


def _for_all(source: Source, loop: cst.For, call: cst.Call) -> str:
    """The call with what the loop is over in the place of the one."""
    over, whole = code(loop.iter), source.span_of(call)
    first = call.args[0].value if call.args else call
    one = first.elements[0].value if isinstance(first, cst.List) and len(first.elements) == 1 else first
    names = names_in(code(loop.target))
    if len(names) > 1 and _NAMED in over:
        over = over.replace(_NAMED, _BARE)
    elif not isinstance(loop.target, cst.Name):
        raise NoPlan("what the loop is over is more than parameters")
    if code(one) not in names or names & names_in(code(call.func)) or any(names & names_in(code(a.value)) for a in call.args[1:]):
        raise NoPlan("each is limited in a way of its own")
    place = source.span_of(first)
    before = Span(source.path, whole.row, whole.column, place.row, place.column)
    after = Span(source.path, place.end_row, place.end_column, whole.end_row, whole.end_column)
    return f"{text_of(source, before)}{over}{text_of(source, after)}"
