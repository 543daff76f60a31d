"""Whether code is worth reading: it holds one of the words without which no event of training code can be written."""

from __future__ import annotations

import re
from collections.abc import Set

from loopcheck.words import HELD_OUT, INFERENCE, of_class_name, words

_WORDS = re.compile(
    rb"backward|zero_grad|optim|\.step\(|\.eval\(|no_grad|inference_mode|DataLoader|clip_grad|GradScaler|set_epoch|scheduler"
)
_APPLIES = re.compile(r"\bfor\b[^\n]*|def \w+\(")
_DEFINES = re.compile(rb"\bnn\.Module\b|\(Module\)|@(?:dataclasses\.)?dataclass")
_ACTS = re.compile(r"\.train\(|requires_grad|autocast|\.grad\b|\byield\b|\bnn\.|\bModule\b|@dataclass")
_MADE = re.compile(r"(?<!class )\b([A-Z]\w*)\(")
_MEMBER = re.compile(r"\bself\.([a-z]\w*)(?:\[[^\]]*\])?\(")
_BARE = re.compile(r"(?<![.\w])(\w+)\(")
_SHORT = 6
"""Lines of a function that costs nothing to read."""


def worth_reading(data: bytes) -> bool:
    """A file without any of these words holds no event that a rule could match; null bytes hide words (UTF-16)."""
    return b"\0" in data or _WORDS.search(data) is not None


def worth_following(data: bytes) -> bool:
    """The same of a file that an import leads to, where a network or a configuration may be defined."""
    return worth_reading(data) or _DEFINES.search(data) is not None


def worth_alone(code: str) -> bool:
    """The same of a function that nobody calls; an evaluation may hold none of the words but its name or its data's."""
    return _WORDS.search(code.encode()) is not None or any(
        words(line) & (HELD_OUT | INFERENCE) for line in _APPLIES.findall(code)
    )


def worth_inlining(code: str, held: Set[str]) -> bool:
    """The same of a function that is handed no object: it may make one, or call what it is given or holds.

    held: the attributes that the file's classes set, whatever they are.
    """
    if code.count("\n") <= _SHORT or _WORDS.search(code.encode()) or _ACTS.search(code):
        return True
    if any(of_class_name(name) for name in _MADE.findall(code)):
        return True
    head, _, body = code.partition(":\n")
    given = set(re.findall(r"\w+", head))
    return not given.isdisjoint(_BARE.findall(body)) or not held.isdisjoint(_MEMBER.findall(body))
