"""Lines that a fix makes longer than the file's are, broken the way in which the file breaks its own."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, groupby

from loopcheck.finding import Span, TextEdit
from loopcheck.read.front.source import Source
from loopcheck.read.lexemes import Lexemes
from loopcheck.read.text import lines_of
from loopcheck.structs import dataclass, replace
from loopcheck.write.breaks import Inside, Row, Style, broken, columns, insides
from loopcheck.write.edits import insertion
from loopcheck.write.statements import margin

SHORT = 79
"""Lines up to here are not too long for any file."""
_BEGINS = re.compile(r"(?!else\b|elif\b|except\b|finally\b)[\w@]")
"""What stands at the first column where a statement begins."""
SENTENCE = 24
"""Columns of a string that is as short as a name."""


def fitted(source: Source, edits: Sequence[TextEdit], width: Callable[[str], int | None]) -> tuple[TextEdit, ...]:
    """The edits, in the order of the text, with the lines broken that they make too long for the file, and with those that
    stand beside a bracket still there where that has moved.

    width: how long the project's formatter lets a line be, by the file's path; where it has none, the file's longest line tells.
    What cannot be broken without a change of the code is left long.
    """
    done: list[TextEdit] = []
    each = groupby((_Rows.of(source, group) for group in _groups(source, edits)), lambda rows: _chunk(source, rows))
    for chunk, found in each:
        groups = list(found)
        plain = all(group.plain for group in groups)
        done += [edit for group in groups for edit in group.edits] if plain else _in_chunk(source, chunk, groups, width)
    return tuple(done)


def _in_chunk(
    source: Source, chunk: tuple[int, int], groups: Sequence[_Rows], width: Callable[[str], int | None]
) -> Iterator[TextEdit]:
    """The same of rows of one statement of the file."""
    after, starts = _after(source, chunk, [(group, group.after) for group in groups])
    nested = insides(after)
    told = width(source.path)
    most = told or max(SHORT, _longest(source))
    style = Style(most, source.module.default_indent, _hangs(source))
    beginning = zip(groups, starts, strict=True)
    pieces = [group.fitted(nested[start : start + len(group.after)], style, not told) for group, start in beginning]
    fitting, _ = _after(source, chunk, list(zip(groups, pieces, strict=True)))
    changed = fitting != after and _dumped(after) != "" and _dumped(fitting) == _dumped(after)
    for group, rows in zip(groups, pieces, strict=True):
        yield from (group.edit(rows),) if changed and rows != group.after else group.edits


@lru_cache(maxsize=8)
def _lines(source: Source) -> list[str]:
    return _without_ends(source.text)


def _chunk(source: Source, rows: _Rows) -> tuple[int, int]:
    """The rows of the outermost statement that some rows are in, counted from 0: whatever a file's length, it is read alone."""
    lines = _lines(source)
    first, last = min(rows.span.row - 1, len(lines)), rows.span.row - 1 + len(rows.before)
    while first > 0 and (first >= len(lines) or not _BEGINS.match(lines[first])):
        first -= 1
    while last < len(lines) and not _BEGINS.match(lines[last]):
        last += 1
    return first, last


def _after(source: Source, chunk: tuple[int, int], changed: Sequence[tuple[_Rows, Sequence[str]]]) -> tuple[list[str], list[int]]:
    """The rows of a chunk with others in the place of some, and where those begin, counted from 0."""
    before, (done, end) = _lines(source), chunk
    after, starts = list[str](), list[int]()
    for group, rows in changed:
        after += before[done : group.span.row - 1]
        starts.append(len(after))
        after += rows
        done = group.span.row - 1 + len(group.before)
    return [*after, *before[done:end]], starts


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
    edits: tuple[TextEdit, ...]
    span: Span
    before: list[str]
    after: list[str]

    @classmethod
    def of(cls, source: Source, edits: Sequence[TextEdit]) -> _Rows:
        first, last = edits[0].span.row, max(_reach(source, edit) for edit in edits)
        if _is_lines(edits[0]):
            return cls(source, tuple(edits), edits[0].span, [], _without_ends(edits[0].content))
        lines = source.lines[first - 1 : last]
        starts = [0, *accumulate(map(len, lines))]
        text, pieces, done = "".join(lines), list[str](), 0
        for edit in edits:
            start = starts[edit.span.row - first] + edit.span.column - 1
            pieces += [text[done:start], edit.content]
            done = starts[edit.span.end_row - first] + edit.span.end_column - 1
        last = min(last, len(source.lines))
        span = Span(source.path, first, 1, last, len(source.lines[last - 1].rstrip("\r\n")) + 1)
        return cls(source, tuple(edits), span, _without_ends(text), _without_ends("".join([*pieces, text[done:]])))

    @property
    def plain(self) -> bool:
        """No row is long, and no bracket has moved that rows could stand beside."""
        if max(map(columns, self.after), default=0) > SHORT:
            return False
        return len(self.before) < 2 or len(self.before) != len(self.after) or self.before == self.after

    def edit(self, rows: Sequence[str]) -> TextEdit:
        newline = self.source.module.default_newline
        return TextEdit(self.span, newline.join(rows) + ("" if self.before else newline))

    def fitted(self, nested: Sequence[Inside | None], style: Style, by_hand: bool) -> list[str]:
        """nested: what each row, and the one below, is in the middle of. by_hand: no formatter breaks what is only moved."""
        rows = self._beside(nested)
        long = {old.strip() for old in self.before if by_hand or columns(old) > style.most}
        pieces: list[str] = []
        for number, row in enumerate(rows):
            inside, below = nested[number], rows[number + 1] if number + 1 < len(rows) else self._below
            fits = columns(row) <= style.most or row.strip() in long or inside is None
            pieces += [row] if fits or inside is None else broken(row, style, replace(inside, below=margin(below)))
        return pieces

    @property
    def _below(self) -> str:
        """The row after these."""
        row = self.span.row + len(self.before)
        return self.source.lines[row - 1] if row <= len(self.source.lines) else ""

    def _beside(self, nested: Sequence[Inside | None]) -> list[str]:
        """The rows, those that stand beside a bracket moved along with it."""
        rows = list(self.after)
        if len(rows) != len(self.before):
            return rows
        for number, old in enumerate(self.before):
            was, now = Row.of(old).left_open, Row.of(rows[number]).left_open
            if len(was) == len(now) and was and was[-1].end != now[-1].end:
                reach = _reach(self.source, insertion(self.source, self.span.row + number, 1, ""))
                for below in range(number + 1, min(reach - self.span.row + 1, len(rows))):
                    if nested[below] is None:
                        continue  # it is in a string
                    moved = len(margin(rows[below])) - len(margin(self.before[below]))
                    rows[below] = _shifted(rows[below], now[-1].end - was[-1].end - moved)
        return rows


def _shifted(row: str, by: int) -> str:
    """A row further to the right, or to the left as far as it has space."""
    return " " * by + row if by > 0 and row.strip() else row.removeprefix(" " * -by)


def _without_ends(text: str) -> list[str]:
    return [line.rstrip("\r\n") for line in lines_of(text)]


def _dumped(rows: Sequence[str]) -> str:
    """The code of rows; empty where this Python reads none."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.dump(ast.parse("\n".join(rows)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
