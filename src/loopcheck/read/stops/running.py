"""What surely runs before a statement is come to, whatever any test comes to."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

Defined: TypeAlias = "ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef"
FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)
DEFINED = (*FUNCTION, ast.ClassDef)
_LEAVES = (ast.Return, ast.Raise, ast.Continue, ast.Break)
_LETS_GO_ON = {"suppress", "raises"}
"""Context managers after which a run goes on that has met an error."""


@dataclass(frozen=True)
class Ran:
    """A piece of code that runs, and the functions and classes that it stands in, from the outside in."""

    node: ast.AST
    within: tuple[Defined, ...] = ()


def before(body: Sequence[ast.stmt], row: int, within: tuple[Defined, ...] = ()) -> Iterator[tuple[Ran, bool]]:
    """The statements that run before the one on a row, in the blocks that it is in; True of one of which the head alone does."""
    for each in body:
        if _holds(each, row):
            for inner in _blocks(each):
                if inner and inner[0].lineno <= row <= (inner[-1].end_lineno or row):
                    yield Ran(each, within), True
                    yield from before(inner, row, (*within, each) if isinstance(each, DEFINED) else within)
            return
        yield Ran(each, within), False


def parts(statement: Ran, head: bool) -> Iterator[Ran]:
    """What of a statement runs, or of its head."""
    assert isinstance(statement.node, ast.stmt)
    return _evaluated(_head(statement.node), statement.within) if head else ran([statement.node], statement.within)


def ran(body: Iterable[ast.stmt], within: tuple[Defined, ...] = ()) -> Iterator[Ran]:
    """What of some statements runs; a loop is taken to have a pass. Of a test with two arms one does: it is handed out itself."""
    for each in body:
        yield from _evaluated(_head(each) if hasattr(each, "body") else [each], within)
        if isinstance(each, _LEAVES):
            return
        if isinstance(each, ast.For) or (isinstance(each, ast.With) and not any(map(_lets_go_on, each.items))):
            yield from ran(each.body, within)
        elif isinstance(each, ast.If) and each.orelse:
            yield Ran(each, within)
        if _may_leave(each):
            return


def _may_leave(statement: ast.stmt) -> bool:
    """Whether the rest of a block need not run after a statement: something in it may go away from there."""
    ways = (ast.Return, ast.Raise) if isinstance(statement, (ast.For, ast.While)) else _LEAVES
    return (
        hasattr(statement, "body")
        and not isinstance(statement, DEFINED)
        and any(isinstance(e, ways) for e in ast.walk(statement))
    )


def call_at(node: ast.AST, place: tuple[int, ...], within: tuple[Defined, ...] = ()) -> Ran | None:
    """The call at a place: its first row and column, and its last."""
    if isinstance(node, ast.Call) and (node.lineno, node.col_offset, node.end_lineno, node.end_col_offset) == place:
        return Ran(node, within)
    inner = (*within, node) if isinstance(node, DEFINED) else within
    near = [each for each in ast.iter_child_nodes(node) if not isinstance(each, ast.stmt) or _holds(each, place[0])]
    return next((found for each in near if (found := call_at(each, place, inner)) is not None), None)


def _holds(statement: ast.stmt, row: int) -> bool:
    return statement.lineno <= row <= (statement.end_lineno or statement.lineno)


def _blocks(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    for name in ("body", "orelse", "finalbody"):
        yield getattr(statement, name, [])
    for part in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
        yield part.body


def _head(statement: ast.stmt) -> list[ast.expr]:
    """What a compound statement evaluates before it comes to its first block."""
    match statement:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            return [*statement.decorator_list, *statement.args.defaults]
        case ast.ClassDef():
            return [*statement.decorator_list, *statement.bases]
        case ast.If(test=test) | ast.While(test=test):
            return [test]
        case ast.For(iter=over) | ast.AsyncFor(iter=over):
            return [over]
        case ast.With(items=items) | ast.AsyncWith(items=items):
            return [item.context_expr for item in items]
        case ast.Match(subject=subject):
            return [subject]
        case _:
            return []


def _lets_go_on(item: ast.withitem) -> bool:
    names = {getattr(each, "attr", getattr(each, "id", "")) for each in ast.walk(item.context_expr)}
    return not names.isdisjoint(_LETS_GO_ON)


def _evaluated(nodes: Iterable[ast.AST], within: tuple[Defined, ...]) -> Iterator[Ran]:
    """Every part of expressions or simple statements that is evaluated whatever the others come to."""
    for node in nodes:
        yield Ran(node, within)
        match node:
            case ast.Lambda():
                pass
            case ast.AnnAssign(value=value):
                yield from _evaluated([value] if value else [], within)
            case ast.IfExp(test=test):
                yield from _evaluated([test], within)
            case ast.BoolOp(values=values):
                yield from _evaluated(values[:1], within)
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                yield from _evaluated([node.generators[0].iter], within)
            case _:
                yield from _evaluated(ast.iter_child_nodes(node), within)
