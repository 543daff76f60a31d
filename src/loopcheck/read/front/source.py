"""A file: its text, its code and its index, and where in it something stands.

The concrete syntax tree, which keeps every space and costs ten times as much, is made for a file that is to be mended.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING

from loopcheck.finding import Problem, Span
from loopcheck.read.front import ir
from loopcheck.read.front.from_ast import Lowering, TooDeep
from loopcheck.read.front.index import Index, index
from loopcheck.read.notebook import Notebook, is_notebook
from loopcheck.read.text import SourceError, decode, guard, lines_of

if TYPE_CHECKING:  # loaded for a file with findings
    import libcst as cst

_COMMENT = re.compile(r"""(?P<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|\#[^\n]*""")
"""A comment, or a string, in which a `#` begins none."""
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

    @classmethod
    def parse(cls, path: str, data: bytes, file: Path | None = None) -> Source:
        """Raises SourceError where the bytes are no Python that can be analysed."""
        text, encoding = decode(data)
        if not is_notebook(path):
            return cls(path, text, encoding, *_lowered(text), None, file)
        notebook = Notebook.parse(path, text)
        return cls(path, notebook.code, encoding, *_lowered(notebook.code), notebook, file)

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

    def enclosed(self, node: ir.Node) -> str:
        """A node as it is written, with the parentheses around it."""
        row, column, last, end = node.span
        rows = self._rows
        text = self.code(node)
        if not isinstance(node, (ir.Name, ir.Attribute, ir.Call, ir.Subscript)):
            if rows[row - 1][:column].endswith("(") and rows[last - 1][end:].startswith(")"):
                return f"({text})"
        return text

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
            case ir.Code():
                text = f"{self._at(node.span)})" if node.name != "lambda" else self._at(node.span)
                text = text if "(" in text else text.replace(")", "()")
            case ir.If():
                text = self._at(node.span)
            case ir.Class(name=name):
                text = f"class {name}"
            case _:
                text = self._at(node.span)
        code = " ".join(_COMMENT.sub(lambda found: found["string"] or "", text).split())
        code = re.sub(r"(?<=[(\[{]) (?=\S)|(?<=\S) (?=[)\]}])", "", code)
        return code if len(code) <= LONGEST else code[: LONGEST - 3] + "…"

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
    def module(self) -> cst.Module:
        """The syntax tree that is mended. Raises SourceError where libcst does not read what Python reads."""
        import libcst as cst

        guard(self.text)
        try:
            return cst.parse_module(self.text)
        except cst.ParserSyntaxError as error:
            raise SourceError("syntax", error.message, error.raw_line, error.raw_column + 1) from None

    @cached_property
    def spans(self) -> Mapping[cst.CSTNode, Span]:
        """Where every node of the tree stands in `text`: one pass of code generation."""
        from libcst.metadata.position_provider import PositionProvidingCodegenState

        computed: dict[cst.CSTNode, object] = {}
        state = PositionProvidingCodegenState(
            default_indent=self.module.default_indent,
            default_newline=self.module.default_newline,
            provider=SimpleNamespace(_computed=computed),  # type: ignore[arg-type]
        )
        self.module._codegen(state)
        return _Spans(self.path, computed)

    @cached_property
    def parents(self) -> Mapping[cst.CSTNode, cst.CSTNode]:
        """Every node's parent."""
        parents: dict[cst.CSTNode, cst.CSTNode] = {}
        work: list[cst.CSTNode] = [self.module]
        while work:
            node = work.pop()
            for child in node.children:
                parents[child] = node
                work.append(child)
        return parents

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
        row, column, last, end = node.span
        found = [each for each in self._starting.get((row, column + 1), ()) if isinstance(each, wanted)]
        if isinstance(node, ir.Comprehension) and not found:  # Python counts the parentheses of a call to its generator
            found = [each for each in self._starting.get((row, column + 2), ()) if isinstance(each, wanted)]
        if len(found) > 1:
            exact = [each for each in found if (self.spans[each].end_row, self.spans[each].end_column) == (last, end + 1)]
            found = exact or found
        return found[0] if found else None

    @cached_property
    def _starting(self) -> Mapping[tuple[int, int], list[cst.CSTNode]]:
        found: dict[tuple[int, int], list[cst.CSTNode]] = {}
        for node in self.spans:
            span = self.spans[node]
            found.setdefault((span.row, span.column), []).append(node)
        return found


def _lowered(text: str) -> tuple[ir.Block, Index]:
    """Code and index of a text. Raises SourceError."""
    if "\0" in text:
        guard(text)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an invalid escape in a string is the author's business
            tree = ast.parse(text)
        return Lowering(text).block(tree.body), index(tree)
    except SyntaxError as error:
        raise SourceError("syntax", error.msg, error.lineno or 1, error.offset or 1) from None
    except TooDeep as error:
        raise SourceError("too-deep", "the code here is nested too deeply to be analysed", error.row) from None
    except (RecursionError, MemoryError):
        guard(text)
        raise SourceError("too-deep", "the code here is nested too deeply to be analysed") from None


class _Spans(Mapping["cst.CSTNode", Span]):
    def __init__(self, path: str, computed: Mapping[cst.CSTNode, object]) -> None:
        self._path = path
        self._computed = computed

    def __getitem__(self, node: cst.CSTNode) -> Span:
        place = self._computed[node]
        start, end = place.start, place.end  # type: ignore[attr-defined]
        return Span(self._path, start.line, start.column + 1, end.line, end.column + 1)

    def __contains__(self, node: object) -> bool:
        return node in self._computed

    def __iter__(self) -> Iterable[cst.CSTNode]:  # type: ignore[override]
        return iter(self._computed)

    def __len__(self) -> int:
        return len(self._computed)


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
