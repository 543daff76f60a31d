"""TRL: its trainers are transformers' Trainer."""

from __future__ import annotations

from loopcheck.read.vocabulary import Row
from loopcheck.read.vocabulary.transformers import TRAINER

FAMILIES: list[tuple[str, Row]] = [(r"trl\.(\w+\.)*\w+Trainer$", TRAINER)]
