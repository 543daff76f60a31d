"""loopcheck: finds what breaks PyTorch training loops silently, proves it, and mends it.

This module is the notation in which rules are written.
"""

from loopcheck import alone  # noqa: F401  before all others, those of Python among them

# isort: split
from importlib import import_module
from typing import Any

from loopcheck.bug import again, no, same
from loopcheck.fix import (
    callee_of,
    deactivate,
    divide,
    ensure,
    enter,
    guard,
    guard_of,
    insert,
    lift,
    load,
    loop_of,
    move,
    receiver_of,
    remove,
    replace,
    store,
    top_of,
    undivide,
    wrap,
)
from loopcheck.rule import Confidence, Rule, Witness
from loopcheck.verbs import (
    attach,
    average,
    backward,
    build,
    calibrate,
    cast,
    clip,
    criterion,
    discard,
    drop,
    duplicate,
    edit,
    end,
    evaluate,
    exhaust,
    forward,
    hide,
    iterate,
    mention,
    overwrite,
    prepare,
    recall,
    rename,
    replicate,
    restore,
    retain,
    save,
    schedule,
    set_epoch,
    shard,
    snapshot,
    start,
    step,
    thaw,
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
    "attach",
    "average",
    "backward",
    "build",
    "calibrate",
    "callee_of",
    "cast",
    "clip",
    "criterion",
    "deactivate",
    "discard",
    "divide",
    "drop",
    "duplicate",
    "edit",
    "end",
    "ensure",
    "enter",
    "evaluate",
    "exhaust",
    "forward",
    "guard",
    "guard_of",
    "hide",
    "insert",
    "iterate",
    "lift",
    "load",
    "loop_of",
    "mention",
    "move",
    "no",
    "overwrite",
    "prepare",
    "recall",
    "receiver_of",
    "remove",
    "rename",
    "replace",
    "replicate",
    "restore",
    "retain",
    "same",
    "save",
    "schedule",
    "set_epoch",
    "shard",
    "snapshot",
    "start",
    "step",
    "store",
    "thaw",
    "top_of",
    "train",
    "undivide",
    "unscale",
    "update",
    "wrap",
    "zero_grad",
]


def __getattr__(name: str) -> Any:
    """`loopcheck.audit`, which records and so needs torch: nothing of it is loaded before it is asked for."""
    if name == "audit":
        return import_module("loopcheck.within").audit
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
