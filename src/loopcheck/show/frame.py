"""Code frames: the lines of a file with marks under them, carets in line whatever the characters' width."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from typing import TypeAlias

import click

from loopcheck.finding import Span
from loopcheck.printable import printable
from loopcheck.structs import dataclass

Lines: TypeAlias = Callable[[Span], Sequence[str]]
"""The lines of the file, or the notebook's cell, that a span lies in; empty where they cannot be read."""

TAB = 4
WIDEST = 120
"""Columns of code shown of one line; a longer one is cut around what is marked."""
CONTEXT = 1
"""Rows shown around a marked one."""


@dataclass(frozen=True)
class Mark:
    """A span to underline, on its first row, with what to say beside it. The primary mark is the finding itself."""

    span: Span
    text: str = ""
    primary: bool = False

    @property
    def file(self) -> tuple[str, int]:
        return self.span.path, self.span.cell

    @property
    def row(self) -> int:
        return self.span.row


def frames(marks: Sequence[Mark], lines: Lines, colour: str) -> Iterator[str]:
    """The frame of each file that the marks lie in, the primary mark's first. `colour` is the primary mark's."""
    gutter = gutter_of(marks)
    files = list(dict.fromkeys(mark.file for mark in sorted(marks, key=lambda mark: not mark.primary)))
    for file in files:
        inside = sorted((mark for mark in marks if mark.file == file), key=lambda mark: (mark.span, not mark.primary))
        head = next((mark for mark in inside if mark.primary), inside[0])
        arrow = "-->" if head.primary else ":::"
        yield f"{' ' * gutter}{faint(arrow)} {place(head.span)}"
        yield from _frame(inside, lines(head.span), gutter, colour)


def gutter_of(marks: Sequence[Mark]) -> int:
    """The columns that the row numbers take."""
    return len(str(max(mark.row for mark in marks) + CONTEXT))


def bar(gutter: int) -> str:
    return faint(f"{' ' * gutter} |")


def faint(text: str) -> str:
    """What leads the eye and is not read."""
    return click.style(text, fg="blue", bold=True)


def place(span: Span) -> str:
    """`train.py:41:9`, and in a notebook `train.ipynb:cell 3:41:9`."""
    cell = f"cell {span.cell}:" if span.cell else ""
    return printable(f"{span.path}:{cell}{span.row}:{span.column}")


def _frame(marks: Sequence[Mark], lines: Sequence[str], gutter: int, colour: str) -> Iterator[str]:
    rows = _rows(marks, lines)
    if rows:
        yield bar(gutter)
    previous = 0
    for row in rows:
        if previous and row > previous + 1:
            yield faint("." * max(3, gutter))
        previous = row
        here = [mark for mark in marks if mark.row == row]
        line = _Line(lines[row - 1].rstrip("\r\n")[: _end_of(here) + 2 * WIDEST])
        cut = line.window(here)
        yield faint(f"{row:>{gutter}} | ") + line.shown(cut)
        for mark in _told_once(here):
            start, width = line.extent(mark.span, cut)
            sign, paint = ("^", colour) if mark.primary else ("-", "cyan")
            label = f" {mark.text}" if mark.text else ""
            under = click.style(sign * width + printable(label), fg=paint, bold=mark.primary)
            yield f"{bar(gutter)} {' ' * start}{under}"


def _rows(marks: Sequence[Mark], lines: Sequence[str]) -> list[int]:
    """What to show: the marked rows, a row of code around each, and no gap of a single row."""
    rows = {mark.row for mark in marks}
    for row in list(rows):
        rows |= {near for near in range(row - CONTEXT, row + CONTEXT + 1) if _says_something(lines, near)}
    rows |= {row + 1 for row in list(rows) if row + 2 in rows}
    return sorted(row for row in rows if 1 <= row <= len(lines))


def _says_something(lines: Sequence[str], row: int) -> bool:
    return 1 <= row <= len(lines) and bool(lines[row - 1].strip())


def _end_of(marks: Sequence[Mark]) -> int:
    """The column where the last mark on a line begins; what follows far behind is not shown."""
    return max((mark.span.column for mark in marks), default=0)


def _told_once(marks: Sequence[Mark]) -> list[Mark]:
    """One mark for each span: where an event's site is reached again, the primary carries what the other says."""
    by_span: dict[Span, Mark] = {}
    for mark in sorted(marks, key=lambda mark: not mark.primary):
        first = by_span.get(mark.span)
        by_span[mark.span] = Mark(mark.span, first.text or mark.text, first.primary) if first else mark
    return sorted(by_span.values(), key=lambda mark: mark.span)


class _Line:
    """One line as a terminal shows it: tabs spread, wide characters counted twice, control characters replaced."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.cells = [" " * TAB if char == "\t" else printable(char) for char in text]
        self.starts = [0, *accumulate(map(_width, self.cells))]

    def column(self, number: int) -> int:
        """The terminal column, from 0, of a code point's column, from 1."""
        return self.starts[min(max(number - 1, 0), len(self.cells))]

    def window(self, marks: Sequence[Mark]) -> int:
        """The column at which to begin so that what is marked can be seen: 0 where the line fits."""
        if self.starts[-1] <= WIDEST or not marks:
            return 0
        first = min(marks, key=lambda mark: not mark.primary)
        begin, end = self._extent(first.span)
        return 0 if end <= WIDEST else max(0, begin - WIDEST // 4)

    def shown(self, cut: int) -> str:
        last = cut + WIDEST
        kept = [cell for cell, at in zip(self.cells, self.starts, strict=False) if cut <= at and at + _width(cell) <= last]
        return ("…" if cut else "") + "".join(kept).rstrip() + ("…" if self.starts[-1] > last else "")

    def extent(self, span: Span, cut: int) -> tuple[int, int]:
        """Where the marks under this line begin, and how many there are."""
        first, last = self._extent(span)
        if cut and last <= cut:
            return 0, 1  # the ellipsis stands for it
        begin, end = (min(max(at, cut), cut + WIDEST) for at in (first, last))
        return begin - cut + bool(cut), max(1, end - begin)

    def _extent(self, span: Span) -> tuple[int, int]:
        end = span.end_column if span.row == span.end_row else len(self.text.rstrip()) + 1
        return self.column(span.column), self.column(end)


def _width(cell: str) -> int:
    return sum(_char_width(char) for char in cell)


def _char_width(char: str) -> int:
    if unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1
