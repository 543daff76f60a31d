"""Lines that a fix makes longer than the file's are, broken the way in which the file breaks its own."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

from loopcheck.finding import Span, TextEdit
from loopcheck.read.front.source import Source
from loopcheck.read.lexemes import Lexemes
from loopcheck.read.text import lines_of
from loopcheck.write.breaks import Row, Style, broken, columns, opened
from loopcheck.write.edits import insertion
from loopcheck.write.statements import margin

SHORT = 79
"""Lines up to here are not too long for any file."""
SENTENCE = 24
"""Columns of a string that is as short as a name."""


def fitted(source: Source, edits: Sequence[TextEdit], width: Callable[[str], int | None]) -> tuple[TextEdit, ...]:
    """The edits, in the order of the text, with the lines broken that they make too long for the file, and with those that
    stand beside a bracket still there where that has moved.

    width: how long the project's formatter lets a line be, by the file's path; where it has none, the file's longest line tells.
    What cannot be broken without a change of the code is left long.
    """
    done: list[TextEdit] = []
    for group in _groups(source, edits):
        rows = _Rows.of(source, group)
        pieces = rows.beside()
        if max(map(columns, pieces), default=0) > SHORT:
            most = width(source.path) or max(SHORT, _longest(source))
            pieces = rows.broken(pieces, Style(most, source.module.default_indent, _hangs(source)))
        done += [rows.edit(pieces)] if pieces != rows.after and rows.same(pieces) else group
    return tuple(done)


def _groups(source: Source, edits: Sequence[TextEdit]) -> Iterator[list[TextEdit]]:
    """Edits that have a row in common, or a bracket that stands beside rows; lines that are put in have none."""
    group: list[TextEdit] = []
    last = 0
    for edit in edits:
        if group and (edit.span.row > last or _is_lines(group[-1]) or _is_lines(edit)):
            yield group
            group, last = [], 0
        group.append(edit)
        last = max(last, _reach(source, edit))
    if group:
        yield group


def _is_lines(edit: TextEdit) -> bool:
    """Whether an edit puts in whole lines."""
    span = edit.span
    return (span.row, span.column) == (span.end_row, span.end_column) == (span.row, 1) and edit.content.endswith(("\n", "\r"))


def _reach(source: Source, edit: TextEdit) -> int:
    """The last row that moves with an edit: of a bracket that the edit's last row leaves open, and the next stands beside."""
    row, lines = edit.span.end_row, source.lines
    if row >= len(lines) or _is_lines(edit):
        return row
    line = Row.of(lines[row - 1].rstrip("\r\n"))
    if columns(margin(lines[row])) not in [columns(line.code[: bracket.end]) for bracket in line.left_open]:
        return row
    depth = 0
    for below in range(row, len(lines) + 1):
        depth += Row.of(lines[below - 1].rstrip("\r\n")).opens
        if depth <= 0:
            return below
    return row


@lru_cache(maxsize=8)
def _longest(source: Source) -> int:
    """The columns of the longest line of code, one in a hundred left out; sentences are not broken, and say nothing of it."""
    rows = _without_ends(source.text)
    lines = [Row.of(row) for row in rows if columns(row) > SHORT]
    lengths = sorted((columns(line.code) for line in lines if line.longest_string <= SENTENCE), reverse=True)
    return next(iter(lengths[len(rows) // 100 :]), 0)


@lru_cache(maxsize=8)
def _hangs(source: Source) -> bool:
    """Whether what parentheses hold over several rows begins on a row of its own, as formatters have it, and not beside them."""
    hanging = beside = 0
    around: list[tuple[int, bool]] = []
    text = source.text
    for kind, start, end in Lexemes(text).after():
        if kind == "open":
            rest = text[end : end + 200].partition("\n")[0].strip()
            around.append((start, not rest or rest.startswith("#")))
        elif kind == "close" and around:
            began, hangs = around.pop()
            if text[began] == "(" and "\n" in text[began:start]:
                hanging, beside = hanging + hangs, beside + (not hangs)
    return hanging >= beside


@dataclass(frozen=True)
class _Rows:
    """The whole rows that edits lie in. after: what the edits make of them, without the newlines."""

    source: Source
    span: Span
    before: list[str]
    after: list[str]

    @classmethod
    def of(cls, source: Source, edits: Sequence[TextEdit]) -> _Rows:
        first, last = edits[0].span.row, max(_reach(source, edit) for edit in edits)
        if _is_lines(edits[0]):
            return cls(source, edits[0].span, [], _without_ends(edits[0].content))
        lines = source.lines[first - 1 : last]
        starts = [0, *accumulate(map(len, lines))]
        text, pieces, done = "".join(lines), list[str](), 0
        for edit in edits:
            start = starts[edit.span.row - first] + edit.span.column - 1
            pieces += [text[done:start], edit.content]
            done = starts[edit.span.end_row - first] + edit.span.end_column - 1
        last = min(last, len(source.lines))
        span = Span(source.path, first, 1, last, len(source.lines[last - 1].rstrip("\r\n")) + 1)
        return cls(source, span, _without_ends(text), _without_ends("".join([*pieces, text[done:]])))

    def edit(self, rows: Sequence[str]) -> TextEdit:
        newline = self.source.module.default_newline
        return TextEdit(self.span, newline.join(rows) + ("" if self.before else newline))

    def beside(self) -> list[str]:
        """The rows, those that stand beside a bracket moved along with it."""
        rows = list(self.after)
        if len(rows) != len(self.before):
            return rows
        for number, old in enumerate(self.before):
            was, now = Row.of(old).left_open, Row.of(rows[number]).left_open
            if len(was) == len(now) and was and was[-1].end != now[-1].end:
                reach = _reach(self.source, insertion(self.source, self.span.row + number, 1, ""))
                text = self._text(rows)
                for below in range(number + 1, min(reach - self.span.row + 1, len(rows))):
                    moved = len(margin(rows[below])) - len(margin(self.before[below]))
                    by = now[-1].end - was[-1].end - moved
                    if by == 0 or opened(text, self.span.row + below) is None:
                        continue  # it is in a string
                    rows[below] = _shifted(rows[below], by)
        return rows

    def broken(self, rows: Sequence[str], style: Style) -> list[str]:
        text, first = self._text(rows), self.span.row
        pieces: list[str] = []
        for number, row in enumerate(rows):
            long = columns(row) > style.most and not any(
                old.strip() == row.strip() and columns(old) > style.most for old in self.before
            )
            inside = opened(text, first + number) if long else None
            pieces += [row] if inside is None else broken(row, style, inside)
        return pieces

    def same(self, rows: Sequence[str]) -> bool:
        """Whether the code is the same with these rows as with those that the edits leave."""
        one, other = (_dumped("\n".join(self._text(each))) for each in (rows, self.after))
        return one == other != ""

    def _text(self, rows: Sequence[str]) -> list[str]:
        """The file's rows with others in the place of these."""
        lines = _without_ends(self.source.text)
        return [*lines[: self.span.row - 1], *rows, *lines[self.span.row - 1 + len(self.before) :]]


def _shifted(row: str, by: int) -> str:
    """A row further to the right, or to the left as far as it has space."""
    return " " * by + row if by > 0 and row.strip() else row.removeprefix(" " * -by)


def _without_ends(text: str) -> list[str]:
    return [line.rstrip("\r\n") for line in lines_of(text)]


def _dumped(text: str) -> str:
    """The code of a text; empty where this Python reads none."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.dump(ast.parse(text))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
