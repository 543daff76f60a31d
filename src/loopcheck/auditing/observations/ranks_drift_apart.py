"""Ranks that began with the same weights have different ones later.

Each trains for itself: the model is not wrapped, is called past its wrapper, or is changed on one rank alone. What is saved
is that of one rank, which has seen a part of the data.

Silent where ranks begin with different weights, or where weights are sharded over them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from loopcheck import Confidence, Rule, end
from loopcheck.auditing.observe import Seen
from loopcheck.record.run import Run

rule = Rule(
    code="LA111",
    bug=end,
    says="the weights of `{model}` are the same on {ranks} ranks after step {same}, and differ after step {step}",
)


def look(run: Run) -> Iterator[Seen]:
    others = [other for other in run.ranks if other.rank != run.rank]
    if run.rank or not others:
        return
    for model, sums in run.readings.sums.items():
        told = [other.readings.sums.get(model, {}) for other in others]
        steps = sorted(step for step in sums if all(step in each for each in told))
        agree = [all(math.isclose(sums[step], each[step], rel_tol=1e-9, abs_tol=1e-9) for each in told) for step in steps]
        if len(agree) > 1 and agree[0] and not agree[-1]:
            first = agree.index(False)
            at = next((owner.at for owner in run.readings.owners if owner.steps), ("", 0))
            words = {"model": model, "ranks": str(len(others) + 1), "same": str(steps[first - 1]), "step": str(steps[first])}
            sure = Confidence.HIGH if run.readings.replicated else Confidence.MEDIUM
            yield Seen(at, words, f"step {steps[first]}", sure)
