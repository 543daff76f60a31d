"""Whether a file is worth reading: it holds one of the words without which no event of training code can be written."""

from __future__ import annotations

import re

_WORDS = re.compile(
    rb"backward|zero_grad|optim|\.step\(|\.eval\(|no_grad|inference_mode|DataLoader|clip_grad|GradScaler|set_epoch|scheduler"
)


_EVALUATES = re.compile(r"\bfor\b.*\b\w*(val|eval|test|dev|infer|predict)\w*|def \w*(val|eval|test|infer|predict)\w*\(", re.S)


def worth_alone(code: str) -> bool:
    """The same of a function that nobody calls; an evaluation may hold none of the words but its name or its data's."""
    return _WORDS.search(code.encode()) is not None or _EVALUATES.search(code) is not None


def worth_reading(data: bytes) -> bool:
    """A file without any of these words holds no event that a rule could match; null bytes hide words (UTF-16)."""
    return b"\0" in data or _WORDS.search(data) is not None
