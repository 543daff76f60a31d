"""A file as text, and whether that text can be analysed at all."""

from __future__ import annotations

import ast
import io
import re
import tokenize
import warnings
from itertools import islice

from loopcheck.read.depth import deep, entangled

DEEPEST = 300
"""Levels of syntax tree. libcst ends the process with a segmentation fault at about 1,500 nested calls or a sum of 8,000
terms, takes seconds long before, and Python's own recursion ends at about this depth."""


MOST_WORDS = 300_000
"""Words and signs of a file that is analysed: some 30,000 lines. Its tree takes up to a kilobyte for each of them."""
_WORD = re.compile(r"\w+|[^\w\s]")
DEEPEST_PATTERN = 6
"""Brackets inside one another in the pattern of a `case`: at ten of them libcst takes seconds, at twelve half a minute."""
_DIALECT = re.compile(rb"^((?:.*\n)?[ \t\f]*#.*?coding[:=][ \t]*)future[_-](?:fstrings|annotations)\b")
"""Encodings that a package registers to translate newer Python to older: UTF-8, with what has become Python since."""


class SourceError(Exception):
    """A file that cannot be read as Python. `code` is one of Problem's; row and column count from 1."""

    def __init__(self, code: str, message: str, row: int = 1, column: int = 1) -> None:
        super().__init__(message)
        self.code = code
        self.row = row
        self.column = column


def decode(data: bytes) -> tuple[str, str]:
    """Text and encoding as Python would read them: byte order mark, coding line, else UTF-8."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(_DIALECT.sub(rb"\1utf-8", data[:200], count=1)).readline)
    except SyntaxError as error:
        raise SourceError("unreadable", f"the encoding cannot be told: {error.msg or error}") from None
    try:
        return data.decode(encoding), encoding
    except (ValueError, LookupError) as error:  # a codec may be of any kind
        start = getattr(error, "start", 0)
        row = data.count(b"\n", 0, start) + 1
        hint = "add a coding line, or save the file as UTF-8"
        raise SourceError("unreadable", f"byte {start} is not {encoding}; {hint}", row) from None


def exceeds(text: str, most: int) -> bool:
    """Whether a text has more words and signs than that: what its tree will hold."""
    return len(text) > most and sum(1 for _ in islice(_WORD.finditer(text), most + 1)) > most


def parse(text: str) -> ast.Module:
    """Python's tree of a text. Raises SourceError where Python makes none; nobody says more clearly why. And RecursionError."""
    if exceeds(text, MOST_WORDS):
        raise SourceError("too-large", f"the file has more than {MOST_WORDS:,} words and signs, too many to be analysed")
    if "\0" in text:
        raise SourceError("syntax", "the file holds null bytes", text[: text.index("\0")].count("\n") + 1)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an invalid escape in a string is the author's business
            return ast.parse(text)
    except SyntaxError as error:
        raise SourceError("syntax", error.msg, error.lineno or 1, error.offset or 1) from None
    except (RecursionError, MemoryError):
        row = deep(text, DEEPEST)
        if row is None:
            raise RecursionError from None  # it is we who are deep in something, and the text is not
        raise too_deep(row) from None


def too_deep(row: int) -> SourceError:
    return SourceError("too-deep", "the code here is nested too deeply to be analysed", row)


def guard(text: str) -> None:
    """Refuse what would end the process inside libcst's parser, or keep it there: that takes every other file's verdict along.

    Raises SourceError. Python's own parser ends no process, and reads some of it.
    """
    row = deep(text, DEEPEST) or entangled(text, DEEPEST_PATTERN)
    if row is not None:
        parse(text)  # a bracket left open makes one expression of all that follows
        raise too_deep(row)


def lines_of(text: str) -> list[str]:
    """The lines with their ends, as Python counts them: `\\n`, `\\r\\n` and `\\r` end a line, a form feed does not."""
    return io.StringIO(text, newline="").readlines()
