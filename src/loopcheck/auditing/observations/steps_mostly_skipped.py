"""A GradScaler skips most of the optimizer's steps.

At the start a few are skipped until the scale fits. More than half of 20 or more means that gradients overflow again and
again: the loss is too large for half precision, or something in it is not finite at any scale. Epochs pass, and the weights
hardly change.
"""

from __future__ import annotations

from collections.abc import Iterator

from loopcheck import Rule, end
from loopcheck.auditing.observe import Seen
from loopcheck.record.run import Run

rule = Rule(
    code="LA109", bug=end, says="{skipped} of {steps} steps of `{optimizer}` are skipped, for the gradients are not finite"
)


def look(run: Run) -> Iterator[Seen]:
    for owner in run.readings.owners:
        steps = [step for step in run.readings.steps if step.optimizer == owner.name]
        skipped = sum(not step.taken for step in steps)
        if len(steps) >= 20 and 2 * skipped > len(steps):
            yield Seen(owner.at, {"skipped": str(skipped), "steps": str(len(steps)), "optimizer": owner.name})
