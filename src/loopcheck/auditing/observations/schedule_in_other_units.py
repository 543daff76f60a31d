"""A schedule is planned in steps and advanced by epochs, or the other way round.

Planned for all steps and advanced once for each epoch it stays near its first rate, or in a warmup that never ends. Planned
for all epochs and advanced with each step it runs through its curve again and again.

Silent where the horizon of a schedule is neither the number of steps nor that of epochs of the whole run, and where the run
did not come to its end: a run that is cut short is no evidence.
"""

from __future__ import annotations

from collections.abc import Iterator

from loopcheck import Rule, end
from loopcheck.auditing.observe import Seen
from loopcheck.record.run import Run

rule = Rule(
    code="LA105",
    bug=end,
    says="{scheduler} is planned for {horizon} {planned}, and is advanced with each {advanced}: {times} times",
)


def look(run: Run) -> Iterator[Seen]:
    for plan in run.readings.plans if run.whole else ():
        steps = next((owner.steps for owner in run.readings.owners if owner.name == plan.optimizer), 0)
        window = run.steps_of_a_pass(plan.optimizer)
        if not plan.horizon or not window or steps < 2 * window:
            continue
        epochs = steps / window
        words = {"scheduler": plan.kind, "horizon": str(plan.horizon), "times": str(plan.advanced)}
        if abs(plan.horizon - steps) <= max(2, steps // 50) and plan.advanced <= epochs + 1 and plan.advanced < plan.horizon / 2:
            yield Seen(plan.made, {**words, "planned": "steps", "advanced": "epoch"})
        elif abs(plan.horizon - epochs) <= 1 and plan.advanced >= max(2 * plan.horizon, steps - 2):
            yield Seen(plan.made, {**words, "planned": "epochs", "advanced": "step"})
