"""What IPython adds to Python, taken out of a notebook's cell: every row and column stays.

Magics, shell lines and questions (`%matplotlib inline`, `!pip install timm`, `model?`) become numbers as wide as they are,
so that a block which holds nothing else stays one. What `%time` and `%%time` measure is code and stays; what `%%timeit` does over
and over, in a function of its own, is done for its time.
"""

from __future__ import annotations

import re

from loopcheck.read.lexemes import Lexemes

_CODE_MAGICS = {"capture", "debug", "memit", "prun", "time", "wandb"}
"""Cell magics that run the cell as Python, here."""

_CELL_MAGIC = re.compile(r"\s*%%(?P<name>\w+)[^\r\n]*")

_ESCAPED = re.compile(
    r"""
    (?P<before> [ \t]* ) (?! [ \t] )
    (?:
      (?P<time> %time ) (?= [ \t]+ (?! (?: assert | async | del | for | from | if | import | raise | while | with ) \b
                                     | [^=(\r\n]* [-+*/@%&|^<>]= | - ) \S )
    | (?P<line> (?: [%!?,;/]                                                       # no statement begins with these
                  | (?: pip | conda | mamba | cd | ls | cp | mv | rm | mkdir | cat ) [ \t]+ [\w./~*-]  # without their sign
                  | [%\w.*]+ \?{1,2} [ \t]* (?= \r?$ | \# ) )
                (?: \\\r?\n | [^\r\n] )* )
    | (?P<target> [^=\r\n"'\#(]+ = [ \t]* ) (?: (?P<timed> %time [ \t] ) | (?P<value> [%!] (?: \\\r?\n | [^\r\n] )* ) )
    )
    """,
    re.VERBOSE | re.MULTILINE,
)
"""At the beginning of a statement."""


def plain(cell: str) -> str:
    """The Python of a cell; empty rows where it is of another language."""
    magic = _CELL_MAGIC.match(cell)
    if magic is None:
        return _without_escapes(cell)
    if magic["name"] in _CODE_MAGICS:
        return empty(magic[0]) + _without_escapes(cell[magic.end() :])
    return empty(cell)


def empty(text: str) -> str:
    """As many rows with nothing in them."""
    return "".join(re.findall(r"\r?\n|\r", text))


def _without_escapes(code: str) -> str:
    lexemes = Lexemes(code)
    pieces: list[str] = []
    at = 0
    while at < len(code):
        escaped = _ESCAPED.match(code, at)
        if escaped:
            pieces.append(_as_python(escaped))
            at = escaped.end()
        end = _end_of_statement(lexemes, at) or len(code)
        pieces.append(code[at:end])
        at = end
    return "".join(pieces)


def _as_python(escaped: re.Match[str]) -> str:
    before = escaped["before"] + (escaped["target"] or "")
    if escaped["time"]:
        return f"{before}____="
    if escaped["timed"]:
        return before + " " * len(escaped["timed"])
    return before + _filled(escaped["line"], "0") if escaped["line"] else before + _filled(escaped["value"], "_")


def _filled(text: str, filling: str) -> str:
    """A text's first row, filled: a number, or a name that nobody knows. The rows that it goes on over are empty."""
    first = re.split(r"\r?\n", text, maxsplit=1)[0]
    return filling * len(first) + empty(text)


def _end_of_statement(lexemes: Lexemes, at: int) -> int | None:
    """Where the logical line that an offset lies in ends, its newline included; None where nothing ends it."""
    depth = 0
    for kind, _, end in lexemes.after(at):
        depth += (kind == "open") - (kind == "close")
        if kind == "line" and depth <= 0:
            return end
    return None
