"""What the settings say of a project's own functions and classes: each is read as a known one is.

Set once, before anything is read; whatever is kept between runs is kept apart for each wording.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_same: dict[str, str] = {}
_word = re.compile(r"(?!)")
_bytes = re.compile(rb"(?!)")


def learn(same_as: Mapping[str, str]) -> None:
    """From here on these names mean the same as known ones."""
    global _word, _bytes
    _same.clear()
    _same.update(same_as)
    last = "|".join(sorted(re.escape(name.rpartition(".")[2]) for name in same_as))
    _word = re.compile(f"(?:{last})\\Z" if last else "(?!)")
    _bytes = re.compile(rf"\b(?:{last})\b".encode() if last else b"(?!)")


def known() -> Mapping[str, str]:
    """The known name that each of the project's means, of which the settings say so."""
    return _same


def is_word(identifier: str) -> bool:
    """Whether an identifier is the last word of such a name."""
    return _word.match(identifier) is not None


def mentioned(data: bytes) -> bool:
    """Whether a file holds such a word."""
    return _bytes.search(data) is not None
