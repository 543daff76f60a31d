"""What surely runs before a statement is come to, whatever any test comes to."""

from __future__ import annotations

import ast
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

Defined: TypeAlias = "ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef"
Within: TypeAlias = "tuple[Defined, ...]"
"""The functions and classes that a piece of code stands in, from the outside in."""
FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)
DEFINED = (*FUNCTION, ast.ClassDef)
_LEAVES = (ast.Return, ast.Raise, ast.Continue, ast.Break)
_LETS_GO_ON = {"suppress", "raises"}
"""Context managers after which a run goes on that has met an error."""


class Ran(NamedTuple):
    """A piece of code that runs, and what it stands in."""

    node: ast.AST
    within: Within = ()


class Run(NamedTuple):
    """The first statements of a block, which run one after the other."""

    block: Sequence[ast.stmt]
    many: int
    within: Within = ()


def before(block: Sequence[ast.stmt], row: int, within: Within = ()) -> Iterator[Run | Ran]:
    """What runs before the statement on a row, from the outside in: of each block the statements before the one that has the row,
    and this one, of which the head alone does."""
    many = bisect_left(block, row, key=last_row)
    yield Run(block, many, within)
    if many < len(block) and block[many].lineno <= row:
        outer = block[many]
        for inner in _blocks(outer):
            if inner and inner[0].lineno <= row <= last_row(inner[-1]):
                yield Ran(outer, within)
                yield from before(inner, row, (*within, outer) if isinstance(outer, DEFINED) else within)


def parts(statement: Ran, head: bool) -> Iterator[Ran]:
    """What of a statement runs, or of its head."""
    assert isinstance(statement.node, ast.stmt)
    return _evaluated(_head(statement.node), statement.within) if head else ran([statement.node], statement.within)


def ran(body: Iterable[ast.stmt], within: Within = ()) -> Iterator[Ran]:
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


def call_at(node: ast.AST, place: tuple[int, ...], within: Within = ()) -> Ran | None:
    """The call at a place: its first row and column, and its last."""
    if isinstance(node, ast.Call) and (node.lineno, node.col_offset, node.end_lineno, node.end_col_offset) == place:
        return Ran(node, within)
    inner = (*within, node) if isinstance(node, DEFINED) else within
    near = [each for each in ast.iter_child_nodes(node) if not isinstance(each, ast.stmt) or _holds(each, place[0])]
    return next((found for each in near if (found := call_at(each, place, inner)) is not None), None)


def _holds(statement: ast.stmt, row: int) -> bool:
    return statement.lineno <= row <= last_row(statement)


def last_row(statement: ast.stmt) -> int:
    """The row on which a statement ends; of a block they are in order."""
    return statement.end_lineno or statement.lineno


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


def _evaluated(nodes: Iterable[ast.AST], within: Within) -> Iterator[Ran]:
    """Every part of expressions or simple statements that is evaluated whatever the others come to."""
    work = [*nodes][::-1]
    while work:
        node = work.pop()
        yield Ran(node, within)
        work += reversed(_evaluated_of(node))


def _evaluated_of(node: ast.AST) -> Sequence[ast.AST]:
    """The parts of a node that are evaluated whenever it is."""
    match node:
        case ast.Constant() | ast.Name() | ast.Lambda():
            return ()
        case ast.AnnAssign(value=value):
            return [value] if value else ()
        case ast.IfExp(test=test):
            return [test]
        case ast.BoolOp(values=values):
            return values[:1]
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            return [node.generators[0].iter]
        case _:
            return [each for each in ast.iter_child_nodes(node) if not isinstance(each, _MARKS)]


_MARKS = (ast.expr_context, ast.operator, ast.unaryop, ast.cmpop)
"""What says how a node is meant, and is no code."""
