"""How deep the syntax tree of a text will be, told from its lexemes before anything is built from it."""

from __future__ import annotations

import re
from io import StringIO

from loopcheck.read.lexemes import Lexemes


def deep(text: str, limit: int) -> int | None:
    """The first row, from 1, at which libcst's tree may be deeper than `limit`; None where it never is.

    An operator, a call, a subscript, an attribute, one more string: each adds a level to the expression that it continues.
    A comma begins a new one, a bracket a new one inside. Every `elif` lies inside the one before.
    """
    offset = _expression(text, limit)
    if offset is not None:
        return len(_lines(text[:offset] + "."))
    return _elifs(text, limit) if text.count("elif") > limit else None


def entangled(text: str, limit: int) -> int | None:
    """The first row of a `case` with more than so many brackets inside one another, each of which doubles what libcst tries."""
    for case in _CASE.finditer(text):
        depth = 0
        for kind, start, _ in Lexemes(text).after(case.end()):
            depth += (kind == "open") - (kind == "close")
            if depth > limit:
                return len(_lines(text[:start] + "."))
            if kind == "line" and depth <= 0:
                break
    return None


_CASE = re.compile(r"^[ \t\f]*case\b", re.MULTILINE)


def _lines(text: str) -> list[str]:
    return StringIO(text, newline=None).readlines()


def _expression(text: str, limit: int) -> int | None:
    """The offset at which an expression may be deeper than `limit`."""
    outer: list[int] = []
    chain = depth = 0
    for kind, start, end in Lexemes(text).after():
        if kind in ("comment", "joined"):
            continue
        if kind == "line":
            if not outer:
                chain = depth = 0
        elif kind == "part":
            depth -= chain
            chain = 0
        elif kind == "close":
            depth -= chain
            chain = outer.pop() if outer else 0
        else:
            chain += 1
            depth += 1
            if kind == "open":
                outer.append(chain)
                chain = 0
            if depth > limit or (kind == "string" and _formatted(text[start:end], limit)):
                return start
    return None


def _formatted(literal: str, limit: int) -> bool:
    """Whether what is inside an f-string is deeper than `limit`."""
    inside = literal.lstrip("rbfutRBFUT")
    prefix = literal[: -len(inside)].lower()
    return ("f" in prefix or "t" in prefix) and _expression(inside.strip(inside[-1]), limit) is not None


def _elifs(text: str, limit: int) -> int | None:
    """The row at which a chain of `elif` is longer than `limit`."""
    chains: dict[int, int] = {}
    for row, line in enumerate(_lines(text), 1):
        code = line.lstrip()
        indent = len(line) - len(code)
        if not code:
            continue
        continued = code.startswith("elif")
        chains = {column: length for column, length in chains.items() if column < indent or (continued and column == indent)}
        if continued:
            chains[indent] = chains.get(indent, 0) + 1
            if chains[indent] > limit:
                return row
    return None
