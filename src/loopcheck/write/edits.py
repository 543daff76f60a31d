"""Lines put in, lines taken out: the edits that all fix verbs come down to."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from loopcheck.finding import Span, TextEdit
from loopcheck.fix import SAFE
from loopcheck.read.front.source import Source
from loopcheck.structs import dataclass, replace
from loopcheck.write.sites import Level
from loopcheck.write.statements import NoPlan, Statement, text_of, unit_at, walk


@dataclass(frozen=True)
class Change:
    """What one fix verb does: its edits, what to say of it, and how safe it is here.

    needs: names in its text that are not known at the place. brings: names that its text binds. at: where.
    """

    edits: tuple[TextEdit, ...]
    message: str
    applicability: str = SAFE
    needs: frozenset[str] = frozenset()
    brings: frozenset[str] = frozenset()
    at: Level | None = None


@dataclass(frozen=True)
class Line:
    """A line without its newline. fixed: it stays as it is wherever it goes, as the inside of a string does."""

    text: str
    newline: str = ""
    fixed: bool = False


@dataclass(frozen=True)
class Passage:
    """Lines to put somewhere, without the indentation of the place that they came from."""

    lines: tuple[Line, ...]

    @classmethod
    def of(cls, code: str) -> Passage:
        """New code."""
        return cls(tuple(Line(text, fixed=not text) for text in code.split("\n")))

    def at(self, indent: str, newline: str) -> str:
        """The lines at a place, each with a newline; its own where it had one."""
        return "".join(("" if line.fixed else indent) + line.text + (line.newline or newline) for line in self.lines)

    def under(self, indent: str) -> Passage:
        """The same lines further in."""
        return Passage(tuple(line if line.fixed else replace(line, text=indent + line.text) for line in self.lines))

    @property
    def inline(self) -> str:
        """The one line that it is."""
        if len(self.lines) != 1 or "#" in self.lines[0].text:
            raise NoPlan("what is to go there does not fit on one line")
        return self.lines[0].text


def passage(statement: Statement) -> Passage:
    """A statement with its trailing comment, and with the comments above it that go where it goes."""
    if not statement.whole:
        return Passage.of(_single(statement))
    first = statement.first - comments_above(statement)
    fixed = inside_strings(statement.source, statement.node)
    return Passage(
        tuple(_line(statement.source.lines[row - 1], statement.indent, row in fixed) for row in range(first, statement.last + 1))
    )


def put(place: Statement, side: str, what: Passage) -> TextEdit:
    """The edit that puts lines before or after a statement; on its line where that is shared."""
    source, span = place.source, place.span
    if not place.in_suite and side == "before" and place.opens_line:
        return insertion(source, place.first, 1, what.at(place.indent, newline_at(source, place.first)))
    if not place.in_suite and side == "after" and place.closes_line:
        return _below(place, what)
    if isinstance(place.node, cst.BaseCompoundStatement):
        raise NoPlan("the place shares its line with other statements")
    if side == "before":
        return insertion(source, span.row, span.column, f"{what.inline}; ")
    return insertion(source, span.end_row, span.end_column, f"; {what.inline}")


def take(statement: Statement) -> TextEdit:
    """The edit that takes a statement out, with the comments that go with it; another one stays in its block.

    Raises NoPlan where its block would be empty.
    """
    source, siblings = statement.source, statement.siblings
    if len(siblings) == 1:
        raise NoPlan("its block would be empty without it")
    if statement.whole:
        first = statement.first - comments_above(statement)
        return TextEdit(_rows(source, first, statement.last + _blank_below(source, first, statement.last)), "")
    index, span = statement.position, statement.span
    if index == 0 or siblings[index - 1].span.end_row != span.row:
        follower = siblings[index + 1].span
        return TextEdit(Span(source.path, span.row, span.column, follower.row, follower.column), "")
    before = siblings[index - 1].span
    return TextEdit(Span(source.path, before.end_row, before.end_column, span.end_row, span.end_column), "")


def _blank_below(source: Source, first: int, last: int) -> int:
    """How many of the blank lines below are one too many, once the rows before them are gone."""
    lines = source.lines
    above = lines[first - 2].strip() if first > 1 else ""
    return int(last < len(lines) and not lines[last].strip() and (not above or above.endswith(":")))


def comments_above(statement: Statement) -> int:
    """How many lines of comment right above a statement are about it alone: all, where nothing follows right below."""
    lines, source = statement.source.lines, statement.source
    below = lines[statement.last].strip() if statement.last < len(lines) else ""
    if not statement.whole or (below and not below.startswith("#") and statement.siblings[-1] != statement):
        return 0
    row = statement.first - 1
    while row and lines[row - 1].startswith(statement.indent + "#") and not _coding(source, row):
        row -= 1
    return statement.first - 1 - row


def inside_strings(source: Source, node: cst.CSTNode) -> set[int]:
    """The rows that begin inside a string."""
    rows: set[int] = set()
    for each in walk(node):
        if isinstance(each, cst.BaseString) and not isinstance(each, cst.ConcatenatedString):
            span = source.span_of(each)
            rows |= set(range(span.row + 1, span.end_row + 1))
    return rows


def indented(source: Source, statements: Sequence[Statement]) -> list[TextEdit]:
    """The edits that give statements that follow one another one more level of indentation, with the comments between them."""
    fixed = set[int]().union(*(inside_strings(source, each.node) for each in statements))
    rows = range(statements[0].first, statements[-1].last + 1)
    unit = unit_at(source, statements[0].node)
    return [insertion(source, row, 1, unit) for row in rows if row not in fixed and source.lines[row - 1].strip()]


def newline_at(source: Source, row: int) -> str:
    """How the line ends, or where it is the last and does not, the one above it."""
    for line in (source.lines[row - 1], *source.lines[max(row - 2, 0) : row - 1]):
        if ending := line[len(line.rstrip("\r\n")) :]:
            return ending
    return source.module.default_newline


def _single(statement: Statement) -> str:
    text = text_of(statement.source, statement.span)
    if "\n" in text or "\r" in text:
        raise NoPlan("it shares its lines with other statements")
    return text


def _line(line: str, indent: str, fixed: bool) -> Line:
    text = line.rstrip("\r\n")
    newline = line[len(text) :]
    if fixed or not text.startswith(indent):
        return Line(text, newline, fixed=True)
    return Line(text[len(indent) :], newline)


def _below(place: Statement, what: Passage) -> TextEdit:
    source, row = place.source, place.last
    last = source.lines[row - 1]
    newline = newline_at(source, row)
    content = what.at(place.indent, newline)
    if last.endswith(("\n", "\r")):
        return insertion(source, row + 1, 1, content)
    return insertion(source, row, len(last) + 1, newline + content.rstrip("\r\n"))


def insertion(source: Source, row: int, column: int, content: str) -> TextEdit:
    """The edit that puts a text at a point."""
    return TextEdit(Span(source.path, row, column, row, column), content)


def _rows(source: Source, first: int, last: int) -> Span:
    line = source.lines[last - 1]
    if line.endswith(("\n", "\r")):
        return Span(source.path, first, 1, last + 1, 1)
    return Span(source.path, first, 1, last, len(line) + 1)


def _coding(source: Source, row: int) -> bool:
    """A line that Python or the system reads: it stays at the top."""
    return row <= 2 and source.lines[row - 1].startswith(("#!", "# -*-", "# coding", "# vim"))
