"""Whether a file is worth reading: derived from the vocabulary, so that no training code is lost."""

from __future__ import annotations

import re

_WORDS = re.compile(
    rb"backward|zero_grad|optim|\.step\(|\.eval\(|no_grad|inference_mode|DataLoader|clip_grad|GradScaler|set_epoch|scheduler"
)


def worth_reading(data: bytes) -> bool:
    """A file without any of these words holds no event that a rule could match; null bytes hide words (UTF-16)."""
    return b"\0" in data or _WORDS.search(data) is not None
