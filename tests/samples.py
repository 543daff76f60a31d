"""A small catalogue and small scripts for the tests of what a person touches, so that these do not move with the real rules."""

from __future__ import annotations

import signal
from dataclasses import replace
from pathlib import Path

from loopcheck import Rule, backward, clip, move, no, schedule, start, step

CLIP = replace(
    Rule(
        code="LC101",
        bug=step >> no(backward) >> clip,
        says="{clip} limits gradients that {step} has already applied",
        fix=move(clip, before=step),
    ),
    name="clip-after-step",
    title="Clipping after the step limits nothing.",
    folder=Path(__file__).parent / "clip_after_step",
)
SCHEDULE = replace(
    Rule(
        code="LC501",
        group="advice",
        per="scheduler",
        bug=start >> no(step) >> schedule,
        says="{schedule} comes before the first step",
    ),
    name="scheduler-first",
    title="The scheduler steps first.",
)
SLOW = replace(Rule(code="LP101", group="speed", bug=step >> backward, says="never mind"), name="some-speed", title="Opt-in.")
RULES = (CLIP, SCHEDULE, SLOW)

BAD = """\
import torch
from torch import nn
from data import loader
model = nn.Linear(2, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x, y in loader:
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
"""
STEP_ROW, CLIP_ROW = 10, 11
GOOD = "\n".join([*BAD.splitlines()[:9], BAD.splitlines()[10], BAD.splitlines()[9], ""])
PLAIN = "print('no training here')\n"


def silenced(row: int, comment: str) -> str:
    """BAD with a comment at the end of a row."""
    lines = BAD.splitlines()
    lines[row - 1] += f"  {comment}"
    return "\n".join(lines) + "\n"


def heeds_interrupts() -> None:
    """To be called in a new process: whoever starts tests in the background tells them, and what they start, to ignore Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
