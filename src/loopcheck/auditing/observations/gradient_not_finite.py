"""A step applies a gradient that is not finite.

From then on the weights are NaN, and all that is computed with them. The finding says at which step, and which layers had it.

Silent where a GradScaler has skipped the step: that is what it is for.
"""

from __future__ import annotations

from collections.abc import Iterator

from loopcheck import Rule, end
from loopcheck.auditing.observe import Seen, listed
from loopcheck.record.run import Run

rule = Rule(code="LA107", bug=end, says="`{optimizer}` applies gradients that are not finite, those of {layers}")


def look(run: Run) -> Iterator[Seen]:
    for owner in run.readings.owners:
        broken = [each for each in run.readings.parameters if each.broken and owner.name in dict(each.owners)]
        if broken:
            first = min(each.broken or 0 for each in broken)
            layers = list(dict.fromkeys(each.layer for each in broken if each.broken == first))
            yield Seen(owner.at, {"optimizer": owner.name, "layers": listed(layers)}, f"step {first}")
