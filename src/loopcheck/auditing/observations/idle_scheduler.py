"""A learning rate scheduler is made, and in the whole run it changes nothing.

Nobody steps it, or it moves an optimizer that was made anew since, so that the one that steps keeps its first rate.

Silent where the run was too short to tell: fewer than 20 steps, or a single pass over the data; and where the run did not
come to its end.
"""

from __future__ import annotations

from collections.abc import Iterator

from loopcheck import Rule, end
from loopcheck.auditing.observe import Seen
from loopcheck.record.run import Run

rule = Rule(code="LA104", bug=end, says="{scheduler} {why}")


def look(run: Run) -> Iterator[Seen]:
    read = run.readings
    steps = {owner.name: owner.steps for owner in read.owners}
    passes = sum(event.verb == "iterate" and bool(event.facts.get("training")) for event in run.trace)
    if not run.whole or max(steps.values(), default=0) < 20 or passes == 1:
        return
    for plan in read.plans:
        if plan.advanced == 0:
            yield Seen(
                plan.made, {"scheduler": plan.kind, "why": f"is never stepped: the learning rate of `{plan.optimizer}` stays"}
            )
        elif steps.get(plan.optimizer) == 0:
            why = f"moves `{plan.optimizer}`, which never steps: the optimizer that does keeps its learning rate"
            yield Seen(plan.made, {"scheduler": plan.kind, "why": why})
