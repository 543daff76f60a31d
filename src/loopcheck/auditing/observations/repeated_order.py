"""A loader that shuffles gives the samples of two epochs in the same order.

The random state from which the order is drawn is set anew in each epoch, by a seed in the loop or a generator made there.

Silent where the order is not meant to be shuffled, and where it comes from a DistributedSampler, which `missing-set-epoch` is
about.
"""

from __future__ import annotations

from collections.abc import Iterator

from loopcheck import Rule, end
from loopcheck.auditing.clock import Clock
from loopcheck.auditing.observe import Seen
from loopcheck.loop import Role
from loopcheck.record.run import Run
from loopcheck.record.site import Site

rule = Rule(
    code="LA110",
    bug=end,
    says="{iterate} gives its {samples} samples in the order of the pass before",
    unless=("missing-set-epoch",),
)

FEWEST = 8
"""Samples whose order two passes do not share by chance."""


def look(run: Run) -> Iterator[Seen]:
    clock = Clock(run.trace)
    last: dict[tuple[Role, ...], tuple[str | None, int]] = {}
    told = set()
    for each in run.readings.passes:
        event = run.trace[each.number] if each.number < len(run.trace) else None
        if event is None or event.verb != "iterate" or not isinstance(event.at, Site):
            continue
        facts = event.facts
        meant = facts.get("training") and facts.get("shuffled") and not facts.get("distributed")
        same = last.get(event.on) == (each.order, each.samples) and each.samples >= FEWEST
        if meant and same and event.at.place not in told:
            told.add(event.at.place)
            yield Seen(event.at.place, {"iterate": f"`{event.at.text}`", "samples": str(each.samples)}, clock.when(event))
        last[event.on] = each.order, each.samples
