"""One line of code as several."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, islice, pairwise

from loopcheck.read.lexemes import Lexeme, Lexemes
from loopcheck.write.statements import margin

_UNTOLD = re.compile(r"#[^\n]*")
"""What of a text is no code."""
TAB = 4
"""Columns that a tab counts."""
DEEPEST = 8
"""So often a piece of a line is broken again."""
MOST_PAIRS = 6
"""So many brackets of a line are tried, from the last."""
LONGEST = 1000
"""A longer line is a table, and nobody breaks it."""


@dataclass(frozen=True)
class Style:
    """How a file breaks its lines. most: columns. hangs: what a bracket holds begins on a row of its own."""

    most: int
    unit: str
    hangs: bool

    def fit(self, row: str) -> bool:
        return columns(row) <= self.most


@dataclass(frozen=True)
class Inside:
    """What a row is in the middle of. bracket: it begins inside of one. alone: it is all that this holds.

    below: the indentation of the next row. goes_on: a string ends on a later row.
    """

    bracket: bool = False
    alone: bool = False
    below: str = ""
    goes_on: bool = False


NOWHERE = Inside()


def columns(row: str) -> int:
    return len(row.expandtabs(TAB))


def insides(rows: Sequence[str]) -> list[Inside | None]:
    """What each row is in the middle of; None where that is a string, or a line that goes on after a backslash."""
    text = "\n".join(rows)
    starts = [0, *accumulate(len(row) + 1 for row in rows)][: len(rows)]
    found: list[Inside | None] = []
    around: list[int] = []
    first = last = 0
    for lexeme in Lexemes(text).after():
        while len(found) < len(rows) and starts[len(found)] <= lexeme.start:
            begin = starts[len(found)]
            joined = last == begin and text[begin - 2 : begin] == "\\\n"
            found.append(None if joined else _inside(text, begin, begin + len(rows[len(found)]), around, first))
        while len(found) < len(rows) and starts[len(found)] < lexeme.end and lexeme.kind == "string":
            begun = found[-1]
            found[-1:] = [begun and replace(begun, goes_on=True), None]
        if lexeme.kind == "open":
            around.append(lexeme.end)
        elif lexeme.kind == "close" and around:
            around.pop()
        if lexeme.kind not in ("comment", "line"):
            first = lexeme.end
        last = lexeme.end
    return [*found, *(Inside() for _ in range(len(rows) - len(found)))]


def _inside(text: str, begin: int, end: int, around: Sequence[int], last: int) -> Inside:
    """last: where the lexeme ends that is the last before the row and no comment."""
    first = bool(around) and around[-1] == last and not _UNTOLD.sub("", text[last:begin]).strip()
    return Inside(bool(around), first and text[end : end + 200].lstrip()[:1] in (")", "]", "}"))


def broken(row: str, style: Style, inside: Inside = NOWHERE, depth: int = 0) -> list[str]:
    """The row, or the rows that it becomes where that makes it fit, or at least shorter."""
    line = Row.of(row)
    if style.fit(line.code) or line.several or inside.goes_on or depth > DEEPEST or len(row) > LONGEST:
        return [row]
    ways: list[list[str]] = []
    for way in _ways(line, style, inside, depth):
        ways.append(list(way))
        if all(map(style.fit, ways[-1])):
            break
    best = min(ways, key=lambda way: max(0, max(map(columns, way)) - style.most), default=[row])
    if max(map(columns, best)) >= columns(line.code):
        return [row]
    return [*best[:-1], best[-1] + (f"  {line.comment}" if line.comment else "")]


@dataclass(frozen=True)
class Row:
    """A row. levels: its lexemes, each with the brackets around it that the row has opened, less those it has closed."""

    code: str
    comment: str
    levels: tuple[tuple[Lexeme, int], ...]

    @classmethod
    def of(cls, row: str) -> Row:
        found, level = list[tuple[Lexeme, int]](), 0
        for lexeme in Lexemes(row).after():
            if lexeme.kind == "comment":
                return cls(row[: lexeme.start].rstrip(), row[lexeme.start :], tuple(found))
            level -= lexeme.kind == "close"
            found.append((lexeme, level))
            level += lexeme.kind == "open"
        return cls(row.rstrip(), "", tuple(found))

    @property
    def several(self) -> bool:
        """It is more than one statement, or goes on after a backslash."""
        return self.code.endswith("\\") or any(self._text(lexeme) == ";" for lexeme, _ in self.levels)

    @property
    def opens(self) -> int:
        """How many brackets it leaves open, less those of other rows that it closes."""
        return sum((lexeme.kind == "open") - (lexeme.kind == "close") for lexeme, _ in self.levels)

    @property
    def longest_string(self) -> int:
        return max((lexeme.end - lexeme.start for lexeme, _ in self.levels if lexeme.kind == "string"), default=0)

    @property
    def indent(self) -> str:
        return margin(self.code)

    def _text(self, lexeme: Lexeme) -> str:
        return self.code[lexeme.start : lexeme.end]

    def operators(self, *names: str) -> list[int]:
        """Where these words stand outside of all brackets."""
        return [lexeme.start for lexeme, level in self.levels if level == 0 and self._text(lexeme) in names]

    def elements(self, start: int, end: int, level: int) -> list[str]:
        """What stands between commas of a level."""
        cuts, lambdas = [start], [each.end for each, at in self.levels if at == level and self._text(each) == "lambda"]
        for lexeme, at in self.levels:
            if at == level and self._text(lexeme) == "," and start <= lexeme.start < end:
                last = max((each for each in lambdas if each < lexeme.start), default=None)
                if last is None or ":" in self.code[last : lexeme.start]:
                    cuts.append(lexeme.end)
        pieces = (self.code[one:other].strip() for one, other in zip(cuts, [*cuts[1:], end], strict=True))
        return [piece.removesuffix(",").rstrip() if number < len(cuts) - 1 else piece for number, piece in enumerate(pieces)]

    def pairs(self) -> Iterator[tuple[Lexeme, Lexeme]]:
        """The outermost brackets that hold something, the last first."""
        outer = [lexeme for lexeme, level in self.levels if level == 0 and lexeme.kind in ("open", "close")]
        for one, other in reversed([*pairwise(outer)]):
            if (one.kind, other.kind) == ("open", "close") and self.code[one.end : other.start].strip():
                yield one, other

    def is_literal(self, bracket: Lexeme) -> bool:
        """Whether what a bracket opens is no call and no subscript."""
        before = self.code[: bracket.start].rstrip()
        return not before or not (before[-1].isalnum() or before[-1] in "_)]}\"'")

    @property
    def left_open(self) -> list[Lexeme]:
        """The brackets that close on later rows, the outermost first."""
        around: list[Lexeme] = []
        for lexeme, _ in self.levels:
            if lexeme.kind == "open":
                around.append(lexeme)
            elif lexeme.kind == "close" and around:
                around.pop()
        return around


def _ways(line: Row, style: Style, inside: Inside, depth: int) -> Iterator[Iterable[str]]:
    """The ways to break a row, the best first."""
    if inside.bracket:
        yield from _in_bracket(line, style, inside, depth)
    elif tested := _tested(line, style):
        yield tested
    if line.left_open:
        begin = line.left_open[0].end
        yield _filled(line.code[:begin], line.elements(begin, len(line.code), 1), inside.below, "", style)
    else:
        for one, other in islice(line.pairs(), MOST_PAIRS):
            ways = [_hanging(line, one, other, style, depth), _beside(line, one, other, style)]
            yield from ways if style.hangs else reversed(ways)


def _in_bracket(line: Row, style: Style, inside: Inside, depth: int) -> Iterator[Iterable[str]]:
    """Element by element, clause by clause."""
    clauses = (line.operators("for") and line.operators("for", "if")) or line.operators("and", "or") or line.operators("/")
    elements = line.elements(0, len(line.code), 0)
    if clauses and len(elements) == 1:
        yield [line.indent + line.code[one:other].strip() for one, other in zip([0, *clauses], [*clauses, None], strict=True)]
    elif inside.alone and not line.operators("for") and len(elements) > 1 and all(level >= 0 for _, level in line.levels):
        yield _spread([each for each in elements if each], line.indent, style, depth)
    elif len(elements) > 1:
        yield _filled(line.indent, elements, line.indent, "", style)


def _tested(line: Row, style: Style) -> list[str]:
    """The test of an `if`, each of its parts on a row of its own."""
    word, _, rest = line.code.strip().partition(" ")
    parts = line.operators("and", "or")
    if word not in ("if", "elif", "while") or not parts or not rest.endswith(":") or line.left_open:
        return []
    begin = len(line.indent) + len(word) + 1
    cuts = [begin, *parts]
    inner = [line.code[one:other].strip() for one, other in zip(cuts, [*parts, len(line.code) - 1], strict=True)]
    return [f"{line.indent}{word} (", *(line.indent + style.unit + part for part in inner), f"{line.indent}):"]


def _hanging(line: Row, one: Lexeme, other: Lexeme, style: Style, depth: int) -> Iterator[str]:
    """What a bracket holds on rows of its own."""
    yield line.code[: one.end]
    inner, body = line.indent + style.unit, line.code[one.end : other.start].strip()
    elements = [each for each in line.elements(one.end, other.start, 1) if each]
    whole = Row.of(body)
    spread = body.endswith(",") or line.is_literal(one)  # as formatters have it
    if len(elements) == 1 or whole.operators("for") or (style.fit(inner + body) and not spread):
        yield from broken(inner + body, style, Inside(bracket=True), depth + 1)
    else:
        yield from _spread(elements, inner, style, depth)
    yield line.indent + line.code[other.start :]


def _spread(elements: Iterable[str], indent: str, style: Style, depth: int) -> Iterator[str]:
    for each in elements:
        yield from broken(f"{indent}{each},", style, Inside(bracket=True), depth + 1)


def _beside(line: Row, one: Lexeme, other: Lexeme, style: Style) -> Iterable[str]:
    """What a bracket holds beside it, as much of it as a row can have."""
    head, tail = line.code[: one.end], line.code[other.start :]
    elements = [each for each in line.elements(one.end, other.start, 1) if each]
    return _filled(head, elements, line.indent + " " * (len(head) - len(line.indent)), tail, style)


def _filled(head: str, elements: Sequence[str], indent: str, tail: str, style: Style) -> list[str]:
    """As many elements on a row as it can have. head: what the first row begins with; tail: what the last ends with."""
    rows, row = list[str](), head
    for number, each in enumerate(elements):
        last = number == len(elements) - 1
        ended = each + (tail if last else ",")
        joined = row + ("" if row in (head, indent) else " ") + ended
        if row not in (head, indent) and not style.fit(joined):
            rows.append(row)
            joined = indent + ended
        row = joined
    return [*rows, row.rstrip()]
