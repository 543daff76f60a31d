"""Text that does nothing to who reads it: names of files and code may hold what colours a terminal, or turns a line round."""

from __future__ import annotations

import unicodedata

_RAW = {"Cc", "Cf", "Cn", "Cs", "Zl", "Zp"}
_JOINERS = "\u200c\u200d"
"""What words of some scripts, and emoji, are put together with."""


def printable(text: str, kept: str = "") -> str:
    """Text without what would move the cursor, order a terminal about or not be encodable. kept: what may stay all the same."""
    if text.isprintable():
        return text
    return "".join(char if _is_plain(char) or char in kept else "\N{REPLACEMENT CHARACTER}" for char in text)


def _is_plain(char: str) -> bool:
    return char in _JOINERS or unicodedata.category(char) not in _RAW
