"""How deep the syntax tree of a text will be, told from its lexemes before anything is built from it."""

from __future__ import annotations

import re

_LEXEME = re.compile(
    r"""
      (?P<skip> \#[^\n]* | \\\r?\n )
    | (?P<string> [rbfuRBFU]{0,2} (?: \"{3} (?: [^"\\] | \\. | "(?!"") )* \"{3} | "(?: [^"\\\n] | \\. )*"
                                    | '{3} (?: [^'\\] | \\. | '(?!'') )* '{3} | '(?: [^'\\\n] | \\. )*' ) )
    | (?P<open> [(\[{] ) | (?P<close> [)\]}] ) | (?P<part> [,;] ) | (?P<line> \r?\n | \r )
    | (?P<operator> \b(?: not | and | or | if | for | lambda | await )\b | [-+~] | [*/%@&|^<>=!.]+ )
    """,
    re.VERBOSE | re.DOTALL,
)


def deep(text: str, limit: int) -> int | None:
    """The first row, from 1, at which the tree may be deeper than `limit`; None where it never is.

    An operator, a call, a subscript, an attribute, one more string: each adds a level to the expression that it continues.
    A comma begins a new one, a bracket a new one inside. Every `elif` lies inside the one before.
    """
    offset = _expression(text, limit)
    if offset is not None:
        return text.count("\n", 0, offset) + 1
    return _elifs(text, limit) if text.count("elif") > limit else None


def _expression(text: str, limit: int) -> int | None:
    """The offset at which an expression may be deeper than `limit`."""
    outer: list[int] = []
    chain = depth = 0
    for lexeme in _LEXEME.finditer(text):
        match lexeme.lastgroup:
            case "skip":
                continue
            case "line":
                if not outer:
                    chain = depth = 0
            case "part":
                depth -= chain
                chain = 0
            case "close":
                depth -= chain
                chain = outer.pop() if outer else 0
            case kind:
                chain += 1
                depth += 1
                if kind == "open":
                    outer.append(chain)
                    chain = 0
                if depth > limit or (kind == "string" and _formatted(lexeme[0], limit)):
                    return lexeme.start()
    return None


def _formatted(literal: str, limit: int) -> bool:
    """Whether what is inside an f-string is deeper than `limit`."""
    prefix = literal[: min(literal.find(quote) % (len(literal) + 1) for quote in "\"'")]
    inside = literal[len(prefix) :].strip(literal[-1])
    return "f" in prefix.lower() and _expression(inside, limit) is not None


def _elifs(text: str, limit: int) -> int | None:
    """The row at which a chain of `elif` is longer than `limit`."""
    chains: dict[int, int] = {}
    for row, line in enumerate(text.splitlines(), 1):
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
