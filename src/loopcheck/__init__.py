"""loopcheck: finds what breaks PyTorch training loops silently, proves it, and mends it.

This module is the notation in which rules are written.
"""

from loopcheck.bug import again, no
from loopcheck.fix import divide, insert, move, remove, replace, wrap
from loopcheck.rule import Confidence, Rule, Witness
from loopcheck.verbs import (
    backward,
    build,
    clip,
    end,
    evaluate,
    forward,
    iterate,
    schedule,
    set_epoch,
    start,
    step,
    train,
    unscale,
    update,
    zero_grad,
)

__version__ = "0.1.0"

__all__ = [
    "Confidence",
    "Rule",
    "Witness",
    "again",
    "backward",
    "build",
    "clip",
    "divide",
    "end",
    "evaluate",
    "forward",
    "insert",
    "iterate",
    "move",
    "no",
    "remove",
    "replace",
    "schedule",
    "set_epoch",
    "start",
    "step",
    "train",
    "unscale",
    "update",
    "wrap",
    "zero_grad",
]
