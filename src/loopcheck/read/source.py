"""A file as text and as a syntax tree, and where in it a node stands."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from types import SimpleNamespace

import libcst as cst
from libcst.metadata.position_provider import PositionProvidingCodegenState

from loopcheck.finding import Span
from loopcheck.read.depth import deep

DEEPEST = 300
"""Levels of syntax tree. libcst ends the process with a segmentation fault at about 1,500 nested calls or a sum of 8,000
terms, takes seconds long before, and Python's own recursion ends at about this depth."""


_COMMENT = re.compile(r"""(?P<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|\#[^\n]*""")
"""A comment, or a string, in which a `#` begins none."""


class SourceError(Exception):
    """A file that cannot be read as Python. `code` is one of Problem's; row and column count from 1."""

    def __init__(self, code: str, message: str, row: int = 1, column: int = 1) -> None:
        super().__init__(message)
        self.code = code
        self.row = row
        self.column = column


@dataclass(frozen=True, eq=False)
class Source:
    """One file. text: decoded, newlines as they are, without the byte order mark. path: none of code that stands in no file."""

    path: str
    text: str
    encoding: str
    module: cst.Module

    @classmethod
    def parse(cls, path: str, data: bytes) -> Source:
        """Raises SourceError where the bytes are no Python that can be analysed."""
        text, encoding = decode(data)
        guard(text)
        try:
            module = cst.parse_module(text)
        except cst.ParserSyntaxError as error:
            _refuse_as_python_does(text)
            raise SourceError("syntax", error.message, error.raw_line, error.raw_column + 1) from None
        return cls(path, text, encoding, module)

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
        """The lines with their ends, as Python counts them: `\\n`, `\\r\\n` and `\\r` end a line, a form feed does not."""
        return io.StringIO(self.text, newline="").readlines()

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


class _Spans(Mapping[cst.CSTNode, Span]):
    def __init__(self, path: str, computed: Mapping[cst.CSTNode, object]) -> None:
        self._path = path
        self._computed = computed

    def __getitem__(self, node: cst.CSTNode) -> Span:
        place = self._computed[node]
        start, end = place.start, place.end  # type: ignore[attr-defined]
        return Span(self._path, start.line, start.column + 1, end.line, end.column + 1)

    def __iter__(self) -> Iterable[cst.CSTNode]:  # type: ignore[override]
        return iter(self._computed)

    def __len__(self) -> int:
        return len(self._computed)


@dataclass(frozen=True)
class Site:
    """An event's place in source: the node, and the calls through which a reader came there.

    Two events of one site are one statement reached again; a helper called from two places is two sites.
    """

    source: Source
    node: cst.CSTNode
    stack: tuple[object, ...] = ()

    @property
    def place(self) -> cst.CSTNode:
        return self.node

    @property
    def span(self) -> Span | None:
        """The code in question: of a loop, its head. None where it stands in no file."""
        if not self.source.path:
            return None
        whole = self.source.spans[self.node]
        if not isinstance(self.node, cst.For):
            return whole
        head = self.source.spans[self.node.iter]
        return replace(whole, end_row=head.end_row, end_column=head.end_column)

    @property
    def text(self) -> str:
        code = " ".join(_COMMENT.sub(lambda found: found["string"] or "", _head(self.node)).split())
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


def decode(data: bytes) -> tuple[str, str]:
    """Text and encoding as Python would read them: byte order mark, coding line, else UTF-8."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    except SyntaxError as error:
        raise SourceError("unreadable", f"the encoding cannot be told: {error.msg or error}") from None
    try:
        return data.decode(encoding), encoding
    except (UnicodeDecodeError, LookupError) as error:
        start = getattr(error, "start", 0)
        row = data.count(b"\n", 0, start) + 1
        hint = "add a coding line, or save the file as UTF-8"
        raise SourceError("unreadable", f"byte {start} is not {encoding}; {hint}", row) from None


def guard(text: str) -> None:
    """Refuse what would end the process inside the native parser: a crash there takes every other file's verdict along."""
    if "\0" in text:
        raise SourceError("syntax", "the file holds null bytes", text[: text.index("\0")].count("\n") + 1)
    row = deep(text, DEEPEST)
    if row is None:
        return
    _refuse_as_python_does(text)  # a bracket left open makes one expression of all that follows
    raise SourceError("too-deep", "the code here is nested too deeply to be analysed", row)


def _refuse_as_python_does(text: str) -> None:
    """Raise SourceError where Python itself would not parse the text; nobody says more clearly why."""
    try:
        ast.parse(text)
    except SyntaxError as error:
        raise SourceError("syntax", error.msg, error.lineno or 1, error.offset or 1) from None
    except (RecursionError, MemoryError):
        return
