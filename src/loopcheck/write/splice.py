"""Edits carried out on a text."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate

from loopcheck.finding import TextEdit
from loopcheck.read.text import lines_of


def spliced(text: str, edits: Iterable[TextEdit]) -> str:
    """The text with edits in it, which do not overlap and come in their order."""
    starts = [0, *accumulate(map(len, lines_of(text)))]
    pieces: list[str] = []
    done = 0
    for edit in edits:
        start = starts[edit.span.row - 1] + edit.span.column - 1
        pieces += [text[done:start], edit.content]
        done = starts[edit.span.end_row - 1] + edit.span.end_column - 1
    return "".join([*pieces, text[done:]])
