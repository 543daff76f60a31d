"""What the settings say of a project's own functions and classes: each is read as a known one is.

Set once, before anything is read; whatever is kept between runs is kept apart for each wording.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

_same: dict[str, str] = {}
_words: set[str] = set()


def learn(same_as: Mapping[str, str]) -> None:
    """From here on these names mean the same as known ones."""
    _same.clear()
    _same.update(same_as)
    _words.clear()
    _words.update(name.rpartition(".")[2] for name in same_as)


def known() -> Mapping[str, str]:
    """The known name that each of the project's means, of which the settings say so."""
    return _same


def among(identifiers: Iterable[str]) -> bool:
    """Whether one of these is the last word of such a name."""
    return not _words.isdisjoint(identifiers)


def mentioned(data: bytes) -> bool:
    """Whether a file holds such a word."""
    return any(re.search(rb"\b" + re.escape(word.encode()) + rb"\b", data) for word in _words)
