"""A notebook: the Python of its code cells as one module, where each row of that stands, and cells written back."""

from __future__ import annotations

import io
import json
import re
from bisect import bisect_right
from collections.abc import Callable, Mapping
from difflib import SequenceMatcher
from itertools import accumulate, pairwise, zip_longest

from loopcheck.finding import Problem, Span
from loopcheck.read.cells import Written, code_cells, language
from loopcheck.read.front.syntax import tree
from loopcheck.read.magics import empty, plain
from loopcheck.read.text import SourceError, guard, lines_of
from loopcheck.structs import cached_property, dataclass, replace

_LINE = re.compile(r"(?:[^\\]|\\[^n])*(?:\\n|$)")
"""A line inside a JSON string, with the escape that ends it."""
_SURROGATE = re.compile("[\ud800-\udfff]")


def is_notebook(path: str) -> bool:
    return path.endswith(".ipynb")


@dataclass(frozen=True)
class Cell:
    """A code cell. code: the Python in its text, row for row. indent: what all of it is indented by, which IPython takes away."""

    written: Written
    code: str
    indent: str = ""

    @classmethod
    def of(cls, written: Written) -> Cell:
        code = _SURROGATE.sub("?", plain(written.text))
        first = next((line for line in lines_of(code) if line.strip()), "")
        indent = first[: len(first) - len(first.lstrip(" \t"))]
        return cls(written, "".join(line.removeprefix(indent) for line in lines_of(code)) if indent else code, indent)

    def shift(self, row: int) -> int:
        """How far to the right a row of the cell stands of where it stands in the code."""
        return len(self.indent) if self.indent and self.lines[row - 1].startswith(self.indent) else 0

    @property
    def text(self) -> str:
        return self.written.text

    @property
    def newline(self) -> str:
        return "\r\n" if "\r\n" in self.text else "\n"

    @property
    def lines(self) -> list[str]:
        """The lines of its text; the last one ends, too."""
        return lines_of(self.text + self.newline)


@dataclass(frozen=True)
class Notebook:
    """A notebook. json: its text. problems: of cells that hold no Python; they count as empty. skipped: why no cell does.

    In `code` and `written` a cell's last line has a newline too, and below it is an empty row: what stands there is at the
    end of this cell and not in the next one.
    """

    path: str
    json: str
    cells: tuple[Cell, ...]
    problems: tuple[Problem, ...] = ()
    skipped: str | None = None

    @classmethod
    def parse(cls, path: str, text: str) -> Notebook:
        """Raises SourceError where the text is no notebook."""
        try:
            content = json.loads(text, parse_int=float)  # Python counts no further than to thousands of digits
        except json.JSONDecodeError as error:
            raise SourceError("unreadable", f"the notebook is no JSON: {error.msg}", error.lineno, error.colno) from None
        if "python" not in language(content).lower():
            return cls(path, text, (), skipped=f"a notebook in {language(content)}")
        cells = [Cell.of(written) for written in code_cells(text)]
        return cls(path, text, tuple(cells)).vetted(guard).vetted(tree)

    def vetted(self, vet: Callable[[str], object]) -> Notebook:
        """Without the code of which `vet` raises SourceError; a cell that is no Python does not take the others along."""
        cells: list[Cell] = []
        problems = [*self.problems]
        for number, cell in enumerate(self.cells, 1):
            try:
                vet(cell.code)
                cells.append(cell)
            except SourceError as error:
                at = Span(self.path, error.row, error.column, error.row, error.column, cell=number)
                problems.append(Problem(error.code, str(error), at))
                cells.append(replace(cell, code=empty(cell.code)))
        return replace(self, cells=tuple(cells), problems=tuple(problems))

    @cached_property
    def code(self) -> str:
        """The module."""
        return "".join(cell.code + 2 * cell.newline for cell in self.cells)

    @cached_property
    def written(self) -> str:
        """The module as it is written, magics among it."""
        return "".join(cell.text + 2 * cell.newline for cell in self.cells)

    @cached_property
    def _above(self) -> list[int]:
        """The rows of the module that are above each cell."""
        return [0, *accumulate(len(lines_of(cell.text + 2 * cell.newline)) for cell in self.cells[:-1])]

    def place(self, span: Span) -> Span:
        """From rows of the module to a cell and its rows."""
        if span.path != self.path or span.cell:
            return span
        number = bisect_right(self._above, span.row - 1)
        cell, above = self.cells[number - 1], self._above[number - 1]
        first, last = span.row - above, span.end_row - above
        begin, end = span.column + cell.shift(first), span.end_column + cell.shift(min(last, len(cell.lines)))
        return replace(span, cell=number, row=first, column=begin, end_row=last, end_column=end)

    @property
    def shifted(self) -> bool:
        """All of some cell is indented: what would be put there would not be."""
        return any(cell.indent for cell in self.cells)

    def row(self, span: Span) -> int:
        """The row of the file on which the row of a cell begins."""
        places = _places(self.json, self.cells[span.cell - 1].written)
        start = places[min(span.row, len(places)) - 1][0] if places else 0
        return self.json.count("\n", 0, start) + 1

    def rewritten(self, texts: Mapping[int, str]) -> str:
        """The file's text with other texts in some cells, by their numbers. All else is as it was, their other lines too."""
        pieces: list[str] = []
        done = 0
        for number, text in sorted(texts.items()):
            written = self.cells[number - 1].written
            places = _places(self.json, written)
            pieces += [self.json[done : places[0][0]], _source(self.json, written, text)]
            done = places[-1][1]
        return "".join([*pieces, self.json[done:]])


def _places(text: str, written: Written) -> list[tuple[int, int]]:
    """Where each line of a cell begins and ends in the JSON."""
    return [
        (start + line.start(), start + line.end())
        for start, end in written.strings
        for line in _LINE.finditer(text[start:end])
        if line[0]
    ]


def _source(text: str, written: Written, new: str) -> str:
    """New lines for a cell, as JSON. One that was there keeps its bytes; what parts lines stays, for as many as there are."""
    places = _places(text, written)
    old = [text[start:end] for start, end in places]
    lines = io.StringIO(new, newline="\n").readlines()
    changes = SequenceMatcher(None, [json.loads(f'"{line}"') for line in old], lines, autojunk=False).get_opcodes()
    quoted: list[str] = []
    for kind, first, last, begin, end in changes:
        quoted += old[first:last] if kind == "equal" else [_quoted(line, text.isascii()) for line in lines[begin:end]]
    seams = [text[end:start] for (_, end), (start, _) in pairwise(places)] or [written.seam]
    at = changes[0][2] if changes[0][0] == "equal" else 0
    more = len(lines) - len(old)
    seams[at : at + max(-more, 0)] = seams[:1] * max(more, 0)
    return "".join(piece for pair in zip_longest(quoted, seams[: len(quoted) - 1], fillvalue="") for piece in pair)


def _quoted(line: str, ascii_only: bool) -> str:
    """A line inside a JSON string."""
    return json.dumps(line, ensure_ascii=ascii_only)[1:-1]
