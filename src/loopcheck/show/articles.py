"""What was found as articles of a page of HTML, and the anchors by which drawings lead to them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from loopcheck.finding import Span
from loopcheck.show.details import remarks
from loopcheck.show.entry import Entry
from loopcheck.show.frame import Lines, place
from loopcheck.show.svg import prose, text
from loopcheck.show.view import View

Place: TypeAlias = tuple[str, int, int]
"""A row of a file: its path, the cell in a notebook, the row."""
Marks: TypeAlias = Mapping[Place, str]
"""The anchor of what was found in a row."""
AROUND = 2
"""Rows of code that stand before and after one that matters."""


def marks(entries: Sequence[Entry]) -> Marks:
    """Where something is wrong, and what tells more of it: of several things in a row, of the first."""
    found: dict[Place, str] = {}
    for entry, anchor in _anchored(entries):
        found.setdefault(place_of(entry.primary), anchor)
    return found


def place_of(span: Span) -> Place:
    """Where a span begins."""
    return span.path, span.cell, span.row


def linked(anchor: str) -> str:
    """The link to what was found; nothing where nothing was."""
    return f' <a href="#{anchor}">what is wrong here</a>' if anchor else ""


def articles(view: View) -> Iterator[str]:
    """Each finding with its code and all that there is to say of it."""
    if not view.entries:
        yield "<p>Nothing was found.</p>"
    for entry, anchor in _anchored(view.entries):
        yield f'<article id="{anchor}" class="{text(entry.severity)}" tabindex="-1">'
        yield f"<h3><span>{text(entry.severity)}</span> {text(entry.code)} {text(entry.name)}</h3><p>{prose(entry.message)}</p>"
        yield _frame(entry, view.lines)
        yield (
            "<dl>" + "".join(f"<dt>{text(word)}</dt><dd>{prose(said)}</dd>" for word, said in remarks(entry)) + "</dl></article>"
        )


def _anchored(entries: Sequence[Entry]) -> Iterator[tuple[Entry, str]]:
    seen: Counter[str] = Counter()
    for entry in entries:
        name = f"f-{entry.code}-{entry.primary.row}"
        seen[name] += 1
        yield entry, name if seen[name] == 1 else f"{name}-{seen[name]}"


def _frame(entry: Entry, lines: Lines) -> str:
    """The rows that a finding is about, with what each has to do with it."""
    notes: dict[int, str] = {note.span.row: note.text for note in entry.related if note.span.path == entry.primary.path}
    held = lines(entry.primary)
    rows = sorted({near for row in (entry.primary.row, *notes) for near in range(row - AROUND, row + AROUND + 1)})
    shown = []
    before = 0
    for row in (row for row in rows if 1 <= row <= len(held)):
        if before and row > before + 1:
            shown.append("<span><i>   …</i></span>")
        before = row
        wrong = row == entry.primary.row
        kind = "wrong" if wrong else "part" if row in notes else ""
        said = f" <em>{text('wrong here' if wrong else notes[row])}</em>" if kind else ""
        shown.append(f'<span class="{kind}"><i>{row:>4}</i> {text(held[row - 1].rstrip())}{said}</span>')
    return f"<p><small>{text(place(entry.primary))}</small></p><pre tabindex=0>{''.join(shown)}</pre>"
