"""A program's training loops and evaluation passes as they are understood, for a person to check against the script.

Everything is styled here; `click.echo` takes the colours out where the output is no terminal.
"""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Iterable, Iterator, Sequence

import click

from loopcheck.bug import glossary
from loopcheck.finding import Span
from loopcheck.loop import Frame
from loopcheck.printable import printable
from loopcheck.rule import Rule
from loopcheck.show.facts import UNKNOWN, Facts, Word, meanings
from loopcheck.show.frame import faint
from loopcheck.show.objects import Objects
from loopcheck.show.order import Block, Branch, Nodes, Order
from loopcheck.show.row import Row, clause, span_of
from loopcheck.structs import cached_property, dataclass

WIDTH = 100
MOST_LEFT = 52
"""Columns of code beside which remarks stand; beneath longer code."""
_MARGIN, _INDENT, _GAP = 4, 2, 2
_LEAD = max(map(len, glossary))
_NBSP = "\N{NO-BREAK SPACE}"


@dataclass(frozen=True)
class _Line:
    """A row and how deep it is. word: `if`, `elif` or `else`."""

    row: Row
    depth: int = 0
    word: str = ""

    @cached_property
    def text(self) -> str:
        text = clause(self.row.text, self.word) if self.word else self.row.text
        lead = f"{self.row.lead:<{_LEAD}}  " if self.row.lead else ""
        return printable(" " * (_INDENT * self.depth) + lead + text).rstrip()


def draw(path: str, entries: Sequence[Frame], rules: Collection[Rule]) -> tuple[str, set[Word]]:
    """The entries of the program in a file, and the facts that were told of them."""
    blocks = [click.style(printable(path), bold=True)]
    told: set[Word] = set()
    for entry in entries:
        facts = Facts(rules, entry)
        blocks += _entry(entry, path, facts)
        told |= facts.told
    return "\n".join(blocks), told


def legend(told: Collection[Word]) -> str:
    """What the words mean, each on its line."""
    known = [*meanings(told), (UNKNOWN, "not known, so that no rule builds on it")]
    width = max(len(word) for word, _ in known)
    return "\n".join(f"{click.style(f'{word:<{width}}', bold=True)}  {meaning}" for word, meaning in known)


def _entry(entry: Frame, path: str, facts: Facts) -> Iterator[str]:
    objects = Objects(entry)
    parts = [[_Line(row) for row in objects.rows(facts)], [*_lines(Order(entry, objects, facts).nodes(), 0)]]
    gutter = max((len(where(line.row.span, path)) for part in parts for line in part), default=0)
    yield f"  {heading(entry)}"
    for part in filter(None, parts):
        width = WIDTH - _MARGIN - gutter - _GAP
        column = _column(part)
        for line in part:
            first, *more = _laid_out(line, column, width)
            yield f"{' ' * _MARGIN}{faint(f'{where(line.row.span, path):>{gutter}}')}  {first}"
            yield from (" " * (_MARGIN + gutter + _GAP) + text for text in more)
        yield ""


def heading(entry: Frame) -> str:
    """What an entry of the program is called."""
    span = span_of(entry.at)
    return f"{entry.of}, line {where(span, span.path)}: not called here" if span else "module code"


def where(span: Span | None, path: str) -> str:
    """The line of a place, with its file where that is another than the one at this path."""
    if span is None:
        return ""
    row = f"cell {span.cell}:{span.row}" if span.cell else str(span.row)
    return row if span.path == path else f"{span.path}:{row}"


def _lines(nodes: Nodes, depth: int) -> Iterator[_Line]:
    for node in nodes:
        match node:
            case Row():
                yield _Line(node, depth)
            case Block(head, body):
                yield _Line(head, depth)
                yield from _lines(body, depth + 1)
            case Branch():
                yield from _branch(node, depth, "if")


def _branch(branch: Branch, depth: int, word: str) -> Iterator[_Line]:
    yield _Line(branch.head, depth, word)
    yield from _lines(branch.then, depth + 1)
    match branch.other:
        case (Branch() as other,):
            yield from _branch(other, depth, "elif")
        case (_, *_):
            yield _Line(Row(None, "else"), depth)
            yield from _lines(branch.other, depth + 1)


def _column(lines: Iterable[_Line]) -> int:
    """Where the remarks begin."""
    ends = [len(line.text) for line in lines if line.row.remarks]
    return max((end for end in ends if end <= MOST_LEFT), default=MOST_LEFT) + _GAP


def _laid_out(line: _Line, column: int, width: int) -> list[str]:
    """A row with its remarks in a column, on as many lines as they take."""
    text = line.text if len(line.text) <= width else f"{line.text[: width - 1]}…"
    room = max(width - column, 20)
    whole = ", ".join(remark.replace(" ", _NBSP) if len(remark) < room else remark for remark in line.row.remarks)
    remarks = textwrap.wrap(whole, room)
    beside = remarks[:1] if len(text) + _GAP <= column else []
    first = _strong(text, line.row.lead) + " " * (column - len(text)) * len(beside)
    below = [" " * column + _marked(remark) for remark in remarks[len(beside) :]]
    return [first + "".join(map(_marked, beside)), *below]


def _strong(text: str, lead: str) -> str:
    return text.replace(lead, click.style(lead, bold=True), 1) if lead else text


def _marked(remark: str) -> str:
    return remark.replace(_NBSP, " ").replace(UNKNOWN, click.style(UNKNOWN, fg="yellow", bold=True))
