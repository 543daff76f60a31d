"""A name for a loop's counter that has none."""

from __future__ import annotations

import libcst as cst

from loopcheck.finding import TextEdit
from loopcheck.read.front.source import Source
from loopcheck.words import EPOCH_NAMES
from loopcheck.write.effects import bound, effects
from loopcheck.write.reach import calls_in
from loopcheck.write.statements import NoPlan, Statement, code, function_of, walk

COUNTED = ("range", "trange")
"""What counts up: `for _ in range(epochs)`, `for _ in tqdm(range(epochs))`."""


def restarts(place: Statement) -> bool:
    """Whether a statement begins anew what the loop around it takes one by one, on some of its passes: how often, none counts."""
    loop = next((outer.node for outer in place.around if isinstance(outer.node, (cst.For, cst.While))), None)
    if loop is None or not isinstance(place.node, cst.Assign) or place.block is loop.body:
        return False
    inner = {node for each in walk(loop.body) if isinstance(each, (cst.For, cst.While)) for node in walk(each)}
    made = {code(target.target) for target in place.node.targets}
    return any(_drawn(node) in made for node in walk(loop.body) if node not in inner)


def _drawn(node: cst.CSTNode) -> str:
    """What a call takes the next one of: `next(batches)`, `batches.__next__()`."""
    match node:
        case cst.Call(func=cst.Name("next"), args=[cst.Arg(value=taken), *_]):
            return code(taken)
        case cst.Call(func=cst.Attribute(value=taken, attr=cst.Name("__next__" | "next"))):
            return code(taken)
        case _:
            return ""


def name_counter(place: Statement, unnamed: str, made: str) -> tuple[str, TextEdit]:
    """What the counter `_` of the loop around a statement is called from now on, and the edit that says so.

    made: what every pass of a loop further out has to make anew, or one does not know which of the loops is meant.
    Raises NoPlan where there is no such loop, or where somebody uses what `_` stands for.
    """
    source = place.source
    scope = function_of(source, place.node) or source.module
    around = [outer.node for outer in place.around if isinstance(outer.node, (cst.For, cst.While))]
    loop, further = around[0] if around else None, around[1:]
    if (
        not isinstance(loop, cst.For)
        or not _counts(source, scope, loop, unnamed)
        or not all(made in bound(outer) for outer in further)
    ):
        raise NoPlan("it is not known which loop counts the epochs")
    body = scope.body if isinstance(scope, cst.FunctionDef) else scope
    found = effects(source, body)
    free = [name for name in EPOCH_NAMES if name not in found.reads | found.binds | bound(scope)]
    if not free or unnamed in found.reads:
        raise NoPlan(f"the counter `{unnamed}` cannot be given a name")
    return free[0], TextEdit(source.span_of(loop.target), free[0])


def _counts(source: Source, scope: cst.CSTNode, loop: cst.For, unnamed: str) -> bool:
    """Whether a loop has this counter, and goes over numbers: `range(epochs)`, or a name for that alone."""
    if not isinstance(loop.target, cst.Name) or loop.target.value != unnamed:
        return False
    made: list[cst.CSTNode] = [loop.iter]
    if isinstance(loop.iter, cst.Name):
        named = loop.iter.value
        binding = [each for each in walk(scope) if isinstance(each, cst.Assign) and named in effects(source, each).binds]
        made = [each.value for each in binding]
    return bool(made) and all(any(name in COUNTED for _, name in calls_in(each)) for each in made)
