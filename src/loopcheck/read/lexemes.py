"""Where strings, comments and brackets are in a text that may be no Python at all: in time that grows with its length alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

_LEXEME = re.compile(
    r"""
      (?P<comment> \#[^\r\n]* ) | (?P<joined> \\(?:\r\n?|\n) )
    | (?P<string> [rbfutRBFUT]{0,2} (?: \"{3} | '{3} | ["'] ) )
    | (?P<open> [(\[{] ) | (?P<close> [)\]}] ) | (?P<part> [,;] ) | (?P<line> \r\n? | \n )
    | (?P<operator> \b(?: not | and | or | if | for | lambda | await )\b | [-+~] | [*/%@&|^<>=!.]+ )
    """,
    re.VERBOSE,
)
_REST = {
    '"""': re.compile(r'[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*"""', re.DOTALL),
    "'''": re.compile(r"[^'\\]*(?:(?:\\.|'(?!''))[^'\\]*)*'''", re.DOTALL),
    '"': re.compile(r'[^"\\\r\n]*(?:\\(?:\r\n|.)[^"\\\r\n]*)*"', re.DOTALL),
    "'": re.compile(r"[^'\\\r\n]*(?:\\(?:\r\n|.)[^'\\\r\n]*)*'", re.DOTALL),
}
"""What follows the quotes that a string begins with."""
_NEWLINE = re.compile(r"[\r\n]")
_SPACES = re.compile(r"\s+")
_CLOSING = {"(": ")", "[": "]", "{": "}"}


class Lexeme(NamedTuple):
    """kind: the name of its group above; what is none of them lies between two."""

    kind: str
    start: int
    end: int


class Lexemes:
    """The lexemes of a text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._endless: dict[str, int] = {}

    def after(self, at: int = 0) -> Iterator[Lexeme]:
        """Those from an offset on. A quote without its like is passed over."""
        while found := _LEXEME.search(self._text, at):
            kind, at = found.lastgroup or "", found.end()
            if kind == "string":
                end = self._end_of_string(found[0].lstrip("rbfutRBFUT"), at)
                if end is None:
                    continue
                at = end
            yield Lexeme(kind, found.start(), at)

    def _end_of_string(self, quotes: str, at: int) -> int | None:
        """Where a string ends; nothing is searched twice for an end that is not there."""
        if at < self._endless.get(quotes, 0):
            return None
        found = _REST[quotes].match(self._text, at)
        if found:
            return found.end()
        newline = _NEWLINE.search(self._text, at) if len(quotes) == 1 else None
        self._endless[quotes] = newline.start() if newline else len(self._text)
        return None


def on_one_line(code: str, longest: int) -> str:
    """Code as a sentence can hold it: without comments, cut where it is longer. Brackets that it leaves open are closed."""
    written = closing = ""
    at = 0
    for kind, start, end in chain(Lexemes(code).after(), [Lexeme("line", len(code), len(code))]):
        between, lexeme = code[at:start], code[start:end]
        if kind == "open":
            closing = _CLOSING[lexeme] + closing
        elif kind == "close":
            closing = closing[1:]
        elif kind in ("comment", "joined", "line"):
            lexeme = " "
        elif kind == "string" and "\n" in lexeme:
            lexeme = " ".join(lexeme.split())
        for text in (_SPACES.sub(" ", between), lexeme):
            written = written.rstrip() if text in _CLOSING.values() else written
            written += text.lstrip() if written.endswith((" ", *_CLOSING)) or not written else text
        at = end
        if len(written) > longest + 1:
            break
    written = written.rstrip() + closing
    return written if len(written) <= longest else f"{written[: longest - 3]}…"
