"""What people are shown of a file: its lines, or those of a notebook's cells."""

from __future__ import annotations

import io
import tokenize
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from loopcheck.disk import contents
from loopcheck.finding import Span

if TYPE_CHECKING:
    from loopcheck.read.notebook import Notebook


def parts(path: str, data: bytes) -> list[tuple[str, list[str]]]:
    """A file's lines under its name; of a notebook, the lines of each code cell under the cell's name."""
    from loopcheck.read.notebook import Notebook, is_notebook
    from loopcheck.read.text import decode, lines_of

    text, _ = decode(data)
    if not is_notebook(path):
        return [(path, lines_of(text))]
    cells = Notebook.parse(path, text).cells
    return [(f"{path}:cell {number}", cell.lines) for number, cell in enumerate(cells, 1)]


def of_text(path: str, data: bytes) -> Callable[[str, int], list[str]]:
    """What `lines` says, where one file holds these bytes."""
    from loopcheck.read.text import SourceError

    try:
        held = [lines for _, lines in parts(path, data)]
    except SourceError:
        held = []

    def found(name: str, cell: int = 0) -> list[str]:
        if name != path:
            return lines(name, cell)
        return held[max(cell - 1, 0)] if held else []

    return found


def lines(path: str, cell: int = 0) -> list[str]:
    """The lines of a file, or of a notebook's cell; empty where they cannot be read.

    A replacement character stands for what cannot be decoded.
    """
    if cell:
        notebook = _notebook(path)
        return notebook.cells[cell - 1].lines if notebook else []
    try:
        data = contents(Path(path))
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        return io.StringIO(data.decode(encoding, errors="replace"), newline="").readlines()
    except (OSError, SyntaxError, ValueError, LookupError):
        return []


def row(span: Span) -> int:
    """The row of a notebook's file on which a row of its cell is written; the first, where that cannot be told."""
    notebook = _notebook(span.path)
    return notebook.row(span) if notebook else 1


def _notebook(path: str) -> Notebook | None:
    """A notebook as it is now; None where it is none any more."""
    from loopcheck.read.notebook import Notebook
    from loopcheck.read.text import SourceError, decode

    try:
        text, _ = decode(contents(Path(path)))
        return Notebook.parse(path, text)
    except (OSError, SourceError):
        return None
