"""A file: its text, its code and its index, and where in it something stands.

The concrete syntax tree, which keeps every space and costs ten times as much, is made for a file that is to be mended.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from loopcheck.finding import Problem, Span
from loopcheck.read.front import ir
from loopcheck.read.front.from_ast import lower
from loopcheck.read.front.index import Index, index
from loopcheck.read.front.syntax import tree
from loopcheck.read.lexemes import on_one_line
from loopcheck.read.notebook import Notebook, is_notebook
from loopcheck.read.text import decode, lines_of
from loopcheck.structs import cached_property, dataclass, field

if TYPE_CHECKING:  # loaded for a file with findings
    import libcst as cst

    from loopcheck.read.front.concrete import Concrete

LONGEST = 60
"""Columns of code in a sentence."""


@dataclass(frozen=True, eq=False)
class Source:
    """One file. text: decoded, newlines as they are, without the byte order mark; of a notebook the Python in its cells.

    path: none of code that stands in no file. file: where it is, if it is on disk.
    """

    path: str
    text: str
    encoding: str
    body: ir.Block
    index: Index
    notebook: Notebook | None = None
    file: Path | None = None
    _codes: dict[ir.Span, str] = field(default_factory=dict)
    _flat: dict[ir.Span, str] = field(default_factory=dict)

    @classmethod
    def parse(cls, path: str, data: bytes, file: Path | None = None) -> Source:
        """Raises SourceError where the bytes are no Python that can be analysed."""
        text, encoding = decode(data)
        if not is_notebook(path):
            return cls(path, text, encoding, *_read(text), None, file)
        notebook = Notebook.parse(path, text)
        return cls(path, notebook.code, encoding, *_read(notebook.code), notebook, file)

    # the text

    @cached_property
    def lines(self) -> list[str]:
        """The lines with their ends, as the file has them: in a notebook a magic is a magic."""
        return lines_of(self.notebook.written if self.notebook else self.text)

    @cached_property
    def _rows(self) -> list[str]:
        return lines_of(self.text)

    def code(self, node: ir.Node) -> str:
        """A node as it is written; the parentheses around it are not."""
        known = self._codes.get(node.span)
        if known is None:
            known = self._codes[node.span] = self._at(node.span)
        return known

    def flat(self, node: ir.Node) -> str:
        """A node as it is written, on one line with one space between its words."""
        known = self._flat.get(node.span)
        if known is None:
            known = self._flat[node.span] = " ".join(self.code(node).split())
        return known

    def enclosed(self, node: ir.Node) -> str:
        """A node as it is written, with the parentheses around it."""
        row, column, last, end = node.span
        rows = self._rows
        text = self.code(node)
        plain = isinstance(node, (ir.Name, ir.Attribute, ir.Call, ir.Subscript))
        around = rows[row - 1][column - 1 : column] + rows[last - 1][end : end + 1]
        return f"({text})" if around == "()" and not plain else text

    def _at(self, span: ir.Span) -> str:
        row, column, last, end = span
        rows = self._rows
        if row == last:
            return rows[row - 1][column:end]
        return rows[row - 1][column:] + "".join(rows[row : last - 1]) + rows[last - 1][:end]

    def head(self, node: ir.Place) -> str:
        """A node on one line, short enough for a sentence; of a compound statement, what stands before its colon."""
        match node:
            case ir.Case(pattern=pattern):
                text = f"case {pattern}"
            case ir.Class(name=name):
                text = f"class {name}"
            case ir.Code(name=name) if name != "lambda" and "(" not in self._at(node.span):
                text = f"{self._at(node.span)}()"
            case _:
                text = self._at(node.span)
        return on_one_line(text, LONGEST)

    def span(self, node: ir.Place) -> Span:
        """Where in the file a node stands."""
        row, column, last, end = node.span
        return self.place(Span(self.path, row, column + 1, last, end + 1))

    @property
    def skipped(self) -> str | None:
        """Why there is no Python in the file."""
        return self.notebook.skipped if self.notebook else None

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What of the file could not be read and is left out."""
        return self.notebook.problems if self.notebook else ()

    def place(self, span: Span) -> Span:
        """Where in the file a span of `text` stands."""
        return self.notebook.place(span) if self.notebook else span

    # the concrete syntax tree

    @cached_property
    def concrete(self) -> Concrete:
        """The syntax tree that is mended. Raises SourceError where libcst does not read what Python reads."""
        from loopcheck.read.front.concrete import Concrete

        return Concrete(self.text)

    @property
    def module(self) -> cst.Module:
        """The root of the concrete syntax tree."""
        return self.concrete.module

    @property
    def parents(self) -> Mapping[cst.CSTNode, cst.CSTNode]:
        """What each node of the concrete syntax tree is a part of."""
        return self.concrete.parents

    def span_of(self, node: cst.CSTNode) -> Span:
        """Where a node of the concrete syntax tree stands in `text`, the parentheses around it left out."""
        row, column, last, end = self.concrete.place(node)
        return Span(self.path, row, column + 1, last, end + 1)

    def tree_node(self, node: ir.Place) -> cst.CSTNode | None:
        """The node of the tree that a piece of code was made of, None where there is none."""
        import libcst as cst

        kinds: dict[type, tuple[type[cst.CSTNode], ...]] = {
            ir.Call: (cst.Call,),
            ir.For: (cst.For,),
            ir.While: (cst.While,),
            ir.If: (cst.If,),
            ir.Class: (cst.ClassDef,),
            ir.Code: (cst.FunctionDef, cst.Lambda),
            ir.Comprehension: (cst.BaseComp,),
        }
        wanted = kinds.get(type(node), (cst.BaseExpression, cst.BaseSmallStatement, cst.BaseCompoundStatement))
        found = [(each, end) for each, end in self.concrete.starting(*node.span[:2]) if isinstance(each, wanted)]
        exact = [each for each, end in found if end == node.span[2:]]
        heads = [each for each, _ in found if isinstance(each, (cst.BaseCompoundStatement, cst.Lambda))]
        return next(iter(exact or heads), None)


def _read(text: str) -> tuple[ir.Block, Index]:
    """Code and index of a text. Raises SourceError, and RecursionError where too little is left of the stack."""
    python = tree(text)
    told = index(python)
    return lower(python, text), told


@dataclass(frozen=True)
class Site:
    """An event's place in source: the node, and the call string through which the interpreter came there.

    Two events of one site are one statement reached again; a helper called from two places is two sites.
    inner: what a framework's own code has there, which a program cannot change.
    """

    source: Source
    node: ir.Place
    calls: tuple[object, ...] = ()
    inner: Entered | None = None

    @property
    def place(self) -> ir.Place:
        return self.node

    @property
    def row(self) -> int:
        return self.node.span[0]

    @property
    def caller(self) -> Site | None:
        """The call that leads to the function that it stands in; None where nobody calls it."""
        for depth in reversed(range(len(self.calls))):
            if isinstance(call := self.calls[depth], Entered):
                return Site(call.source, call.node, self.calls[:depth])
        return None

    @property
    def sources(self) -> tuple[Source, ...]:
        """Its file, and those of the calls that lead to it."""
        return (self.source, *(call.source for call in self.calls if isinstance(call, Entered)))

    @property
    def span(self) -> Span | None:
        """Where in the file the code in question stands: of a loop or a class, its head. None where it stands in no file."""
        return self.source.span(self.node) if self.source.path else None

    def seen_from(self, source: Source) -> Span | None:
        """Where it stands in a file: itself, or the innermost call there that leads to it."""
        if self.source is source:
            return self.span
        calls = (call for call in reversed(self.calls) if isinstance(call, Entered) and call.source is source)
        return next((source.span(call.node) for call in calls), None)

    @property
    def text(self) -> str:
        if self.inner and isinstance(self.inner.node, (ir.For, ir.While)):
            return self.inner.source.head(self.inner.node)
        return self.source.head(self.node)


@dataclass(frozen=True)
class Entered:
    """A call that the interpreter went into: an element of a call string."""

    source: Source
    node: ir.Place
