"""Where the statements and the functions of a text stand, by rows: what a person means who points at a line."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TypeAlias

from loopcheck.structs import dataclass

Rows: TypeAlias = tuple[int, int]
"""The first and the last row, counted from 1."""


@dataclass(frozen=True)
class Layout:
    """statements: the rows of each, of a compound one those of its head. blocks: of each head, the rows of the whole statement.
    definitions: functions and classes by their qualified names, the outer ones first."""

    statements: tuple[Rows, ...] = ()
    blocks: tuple[tuple[Rows, Rows], ...] = ()
    definitions: tuple[tuple[str, Rows], ...] = ()

    def statement(self, row: int) -> Rows:
        """The rows of the statement, or of the head, that a row is a part of; else the row itself."""
        around = [rows for rows in self.statements if rows[0] <= row <= rows[1]]
        return min([row, *(first for first, _ in around)]), max([row, *(last for _, last in around)])

    def block(self, row: int) -> Rows | None:
        """The rows of the compound statement whose head stands on a row."""
        return next((whole for head, whole in self.blocks if head[0] <= row <= head[1]), None)

    def enclosing(self, row: int) -> str:
        """The qualified name of the innermost function or class around a row; empty outside of all."""
        return next((name for name, rows in reversed(self.definitions) if rows[0] <= row <= rows[1]), "")


@lru_cache(maxsize=16)
def layout(text: str) -> Layout:
    """The layout of a text; of one that this Python cannot parse, an empty one: then every row is a statement of its own."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
        statements = [*_statements(tree, "")]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Layout()
    return Layout(
        tuple(_head(node) for node, _ in statements),
        tuple((_head(node), _rows(node)) for node, _ in statements if hasattr(node, "body")),
        tuple((name, _rows(node)) for node, name in statements if isinstance(node, _DEFINITIONS)),
    )


_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def _statements(parent: ast.AST, name: str) -> Iterator[tuple[ast.stmt, str]]:
    """Every statement, with the qualified name of the definition that it is or stands in."""
    for node in ast.iter_child_nodes(parent):
        if isinstance(node, ast.stmt):
            inside = f"{name}.{node.name}".lstrip(".") if isinstance(node, _DEFINITIONS) else name
            yield node, inside
            yield from _statements(node, inside)
        elif isinstance(node, (ast.ExceptHandler, ast.match_case)):
            yield from _statements(node, name)


def _rows(node: ast.stmt) -> Rows:
    return _first(node), node.end_lineno or node.lineno


def _head(node: ast.stmt) -> Rows:
    first, last = _rows(node)
    body = getattr(node, "body", None)
    return (first, max(node.lineno, _first(body[0]) - 1)) if body else (first, last)


def _first(node: ast.stmt) -> int:
    decorators: Sequence[ast.expr] = getattr(node, "decorator_list", ())
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])
