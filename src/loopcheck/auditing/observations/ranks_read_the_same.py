"""Every rank trains on the same samples in the same order.

The gradients that DistributedDataParallel averages are then all the same: the work is done several times over, and an epoch
has the result of one process. A DistributedSampler gives each rank a part of its own.

Silent without DistributedDataParallel: ranks that hold parts of one model are to see the same data.
"""

from __future__ import annotations

from collections.abc import Iterator

from loopcheck import Rule, end
from loopcheck.auditing.clock import Clock
from loopcheck.auditing.observe import Seen
from loopcheck.record.run import Run
from loopcheck.record.site import Site

rule = Rule(code="LA112", bug=end, says="{iterate} gives all {ranks} ranks the same {samples} samples in the same order")


def look(run: Run) -> Iterator[Seen]:
    others = [other for other in run.ranks if other.rank != run.rank]
    if run.rank or not others or not run.readings.replicated:
        return
    mine, theirs = _trained_on(run), [_trained_on(other) for other in others]
    for number, (order, samples) in mine.items():
        event = run.trace[number]
        if samples >= 8 and all((order, samples) in each.values() for each in theirs) and isinstance(event.at, Site):
            words = {"iterate": f"`{event.at.text}`", "ranks": str(len(others) + 1), "samples": str(samples)}
            yield Seen(event.at.place, words, Clock(run.trace).when(event))
            return


def _trained_on(run: Run) -> dict[int, tuple[str | None, int]]:
    """The orders of the passes over training data, by the number of the event; without the last, which may not be complete."""
    known = [each for each in run.readings.passes if each.number < len(run.trace)]
    trained = [each for each in known if run.trace[each.number].facts.get("training") and each.order]
    return {each.number: (each.order, each.samples) for each in trained}
