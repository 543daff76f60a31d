"""A file as text and as a syntax tree, and where in it a node stands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from types import SimpleNamespace

import libcst as cst
from libcst.metadata.position_provider import PositionProvidingCodegenState

from loopcheck.finding import Problem, Span
from loopcheck.read.notebook import Notebook, is_notebook
from loopcheck.read.text import SourceError, decode, guard, lines_of, refuse_as_python_does

_COMMENT = re.compile(r"""(?P<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|\#[^\n]*""")
"""A comment, or a string, in which a `#` begins none."""


@dataclass(frozen=True, eq=False)
class Source:
    """One file. text: decoded, newlines as they are, without the byte order mark; of a notebook the Python in its cells.

    path: none of code that stands in no file. file: where it is, if it is on disk.
    """

    path: str
    text: str
    encoding: str
    module: cst.Module
    notebook: Notebook | None = None
    file: Path | None = None

    @classmethod
    def parse(cls, path: str, data: bytes, file: Path | None = None) -> Source:
        """Raises SourceError where the bytes are no Python that can be analysed."""
        text, encoding = decode(data)
        if not is_notebook(path):
            guard(text)
            return cls(path, text, encoding, _tree(text), None, file)
        notebook = Notebook.parse(path, text)
        try:
            module = _tree(notebook.code)
        except SourceError:  # what Python reads and libcst does not
            notebook = notebook.vetted(_tree)
            module = _tree(notebook.code)
        return cls(path, notebook.code, encoding, module, notebook, file)

    @cached_property
    def spans(self) -> Mapping[cst.CSTNode, Span]:
        """Where every node stands: one pass of code generation, worth it only for a file with findings."""
        computed: dict[cst.CSTNode, object] = {}
        state = PositionProvidingCodegenState(
            default_indent=self.module.default_indent,
            default_newline=self.module.default_newline,
            provider=SimpleNamespace(_computed=computed),  # type: ignore[arg-type]
        )
        self.module._codegen(state)
        return _Spans(self.path, computed)

    @cached_property
    def lines(self) -> list[str]:
        """The lines with their ends, as the file has them: in a notebook a magic is a magic."""
        return lines_of(self.notebook.written if self.notebook else self.text)

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


def _tree(text: str) -> cst.Module:
    try:
        return cst.parse_module(text)
    except cst.ParserSyntaxError as error:
        refuse_as_python_does(text)
        raise SourceError("syntax", error.message, error.raw_line, error.raw_column + 1) from None


class _Spans(Mapping[cst.CSTNode, Span]):
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
    """An event's place in source: the node, and the calls through which a reader came there.

    Two events of one site are one statement reached again; a helper called from two places is two sites.
    inner: what a framework's own code has there, which a program cannot change.
    """

    source: Source
    node: cst.CSTNode
    stack: tuple[object, ...] = ()
    inner: cst.CSTNode | None = None

    @property
    def place(self) -> cst.CSTNode:
        return self.node

    @property
    def span(self) -> Span | None:
        """Where in the file the code in question stands: of a loop or a class, its head. None where it stands in no file."""
        if not self.source.path:
            return None
        span = self.source.spans[self.node]
        match self.node:
            case cst.For(iter=last):
                head = self.source.spans[last]
                span = replace(span, end_row=head.end_row, end_column=head.end_column)
            case cst.ClassDef(name=last):
                span = replace(self.source.spans[last], column=span.column)
        return self.source.place(span)

    def seen_from(self, source: Source) -> Span | None:
        """Where it stands in a file: itself, or the innermost call there that leads to it."""
        if self.source is source:
            return self.span
        calls = (node for node in reversed(self.stack) if isinstance(node, cst.Call) and node in source.spans)
        return next((source.place(source.spans[call]) for call in calls), None)

    @property
    def text(self) -> str:
        node = self.inner if isinstance(self.inner, (cst.For, cst.While)) else self.node
        code = " ".join(_COMMENT.sub(lambda found: found["string"] or "", _head(node)).split())
        code = re.sub(r"(?<=[(\[{]) (?=\S)|(?<=\S) (?=[)\]}])", "", code)
        return code if len(code) <= 60 else code[:57] + "…"


def _head(node: cst.CSTNode) -> str:
    """A node's code; of a compound statement, what stands before its colon."""
    code_of = cst.Module([]).code_for_node
    match node:
        case cst.For(target=target, iter=iterable):
            return f"for {code_of(target)} in {code_of(iterable)}"
        case cst.While(test=test):
            return f"while {code_of(test)}"
        case cst.ExceptHandler(type=kind) | cst.ExceptStarHandler(type=kind):
            return f"except {code_of(kind)}" if kind else "except"
        case cst.FunctionDef(name=name, params=params):
            return f"def {name.value}({code_of(params)})"
        case cst.ClassDef(name=name):
            return f"class {name.value}"
        case cst.MatchCase(pattern=pattern):
            return f"case {code_of(pattern)}"
        case _:
            return code_of(node)
