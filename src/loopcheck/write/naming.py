"""A name for a loop's counter that has none."""

from __future__ import annotations

import libcst as cst

from loopcheck.finding import TextEdit
from loopcheck.words import EPOCH_NAMES
from loopcheck.write.effects import bound, effects
from loopcheck.write.reach import calls_in
from loopcheck.write.statements import NoPlan, Statement, function_of

COUNTED = ("range", "trange")
"""What counts up: `for _ in range(epochs)`, `for _ in tqdm(range(epochs))`."""


def name_counter(place: Statement, unnamed: str) -> tuple[str, TextEdit]:
    """What the counter `_` of the nearest loop around a statement is called from now on, and the edit that says so.

    Raises NoPlan where there is no such loop, or where somebody uses what `_` stands for.
    """
    source = place.source
    loop = next((outer.node for outer in place.around if isinstance(outer.node, cst.For) and _is(outer.node, unnamed)), None)
    scope = function_of(source, place.node) or source.module
    body = scope.body if isinstance(scope, cst.FunctionDef) else scope
    found = effects(source, body)  # type: ignore[arg-type]
    free = [name for name in EPOCH_NAMES if name not in found.reads | found.binds | bound(scope)]
    if loop is None or not free or unnamed in found.reads:
        raise NoPlan
    return free[0], TextEdit(source.span_of(loop.target), free[0])


def _is(loop: cst.For, unnamed: str) -> bool:
    named = isinstance(loop.target, cst.Name) and loop.target.value == unnamed
    return named and any(name in COUNTED for _, name in calls_in(loop.iter))
