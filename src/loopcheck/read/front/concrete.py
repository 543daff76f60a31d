"""The concrete syntax tree of a file, which keeps every space: where each node stands, and what it is a part of.

libcst says where nodes stand by writing them out again, which costs ten times what parsing does. So it is asked for one
top-level statement at a time, of a class for one method, and of most files that have a finding for one or two.
"""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from functools import cache
from types import SimpleNamespace
from typing import Any

import libcst as cst
from libcst.metadata.position_provider import PositionProvidingCodegenState

from loopcheck.read.front import ir
from loopcheck.read.front.from_cst import as_python, places
from loopcheck.read.front.syntax import tree
from loopcheck.read.text import SourceError, exceeds, guard
from loopcheck.structs import cached_property

MOST_WORDS = 100_000
"""Words and signs of a file that is mended: its concrete syntax tree takes up to four kilobytes for each of them."""
_LAYOUT = (
    "whitespace", "leading_lines", "lines_after", "header", "footer", "trailing", "indent", "comma", "semicolon", "equal",
    "lpar", "rpar", "lbracket", "rbracket", "lbrace", "rbrace",
)  # fmt: skip
_End = tuple[int, int]


def parts(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The children of a node that are code, ten times faster than `children`, which holds every space as well."""
    for name in _fields_of_code(type(node)):
        value = getattr(node, name)
        if isinstance(value, cst.CSTNode):
            yield value
        elif isinstance(value, (list, tuple)):
            yield from value


@cache
def _fields_of_code(kind: type[cst.CSTNode]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind) if not field.name.startswith(_LAYOUT))


class Concrete:
    """The tree of a text. Raises SourceError where libcst does not read what Python reads."""

    def __init__(self, text: str) -> None:
        if exceeds(text, MOST_WORDS):
            raise SourceError("too-large", "the file is too large to be mended")
        guard(text)
        self._text = text
        try:
            self.module = cst.parse_module(text)
        except cst.ParserSyntaxError as error:
            raise SourceError("syntax", error.message, error.raw_line, error.raw_column + 1) from None
        self._placed: dict[cst.CSTNode, ir.Span] = {}
        self._indents: dict[cst.CSTNode, tuple[str, ...]] = {}
        self._starts: dict[cst.CSTNode, Mapping[_End, list[tuple[cst.CSTNode, _End]]]] = {}

    @cached_property
    def parents(self) -> Mapping[cst.CSTNode, cst.CSTNode]:
        """What each node of code is a part of."""
        parents: dict[cst.CSTNode, cst.CSTNode] = {}
        work: list[cst.CSTNode] = [self.module]
        while work:
            node = work.pop()
            for child in parts(node):
                parents[child] = node
                work.append(child)
        return parents

    def place(self, node: cst.CSTNode) -> ir.Span:
        """Where a node stands, the parentheses around it left out."""
        if node not in self._placed:
            self._place(self._top_of(node))
        return self._placed[node]

    def starting(self, row: int, column: int) -> list[tuple[cst.CSTNode, _End]]:
        """The nodes that begin at a place, as Python counts, each with its end."""
        top = self._tops[max(0, bisect_right(self._rows, row) - 1)] if self._rows else self.module
        if top not in self._starts:
            found: dict[_End, list[tuple[cst.CSTNode, _End]]] = {}
            for node, (first, begin, last, end) in as_python(self._place(top)).items():
                found.setdefault((first, begin), []).append((node, (last, end)))
            self._starts[top] = found
        return self._starts[top].get((row, column), [])

    # one top-level statement, or one method, at a time

    @cached_property
    def _tops(self) -> list[cst.CSTNode]:
        """The top-level statements, each class before what stands in it; the module where they cannot be told apart."""
        return list(self._begun)

    @cached_property
    def _rows(self) -> list[int]:
        """Where each of them begins, with its decorators."""
        return [row for row, _ in self._begun.values()]

    @cached_property
    def _begun(self) -> Mapping[cst.CSTNode, tuple[int, int]]:
        """The rows of each top-level statement and of its head, as Python counts them.

        libcst loses a form feed: with one in the text, all is placed at once.
        """
        begun = None if "\f" in self._text else self._rows_of(self.module.body, tree(self._text).body, ())
        return {self.module: (0, 0)} if begun is None else begun

    def _rows_of(
        self, body: Sequence[cst.CSTNode], python: Sequence[ast.stmt], indents: tuple[str, ...]
    ) -> dict[cst.CSTNode, tuple[int, int]] | None:
        """The same of the statements of a block, and of those in its classes; None where the two trees are not alike."""
        statements = iter(python)
        begun: dict[cst.CSTNode, tuple[int, int]] = {}
        for top in body:
            own = [next(statements, None) for _ in (top.body if isinstance(top, cst.SimpleStatementLine) else "1")]
            if not own or own[0] is None or None in own:
                return None
            head = own[0].lineno
            marks: list[ast.expr] = getattr(own[0], "decorator_list", [])
            begun[top] = min([head, *(mark.lineno for mark in marks)]), head
            self._indents[top] = indents
            if isinstance(top, cst.ClassDef) and isinstance(top.body, cst.IndentedBlock) and isinstance(own[0], ast.ClassDef):
                indent = self.module.default_indent if top.body.indent is None else top.body.indent
                begun |= self._rows_of(top.body.body, own[0].body, (*indents, indent)) or {}
        return begun

    def _top_of(self, node: cst.CSTNode) -> cst.CSTNode:
        while node not in self._begun and node in self.parents:
            node = self.parents[node]
        return node if node in self._begun else self.module

    def _place(self, top: cst.CSTNode) -> Mapping[cst.CSTNode, ir.Span]:
        """Places all nodes of one of these statements."""
        if top is self.module:
            found = places(self.module, self._text)
        else:
            computed: dict[cst.CSTNode, Any] = {}
            state = PositionProvidingCodegenState(
                default_indent=self.module.default_indent,
                default_newline=self.module.default_newline,
                provider=SimpleNamespace(_computed=computed),  # type: ignore[arg-type]
            )
            for indent in self._indents[top]:
                state.increase_indent(indent)
            top._codegen(state)
            more = self._begun[top][1] - computed[top].start.line
            found = {
                node: (at.start.line + more, at.start.column, at.end.line + more, at.end.column) for node, at in computed.items()
            }
        self._placed.update(found)
        return found
