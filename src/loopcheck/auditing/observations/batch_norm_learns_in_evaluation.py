"""Batch norm learns from held-out data: some layers are in train mode while the model is evaluated.

The model was put in eval mode, and a part of it was not, or was put back. Its running statistics then move with what is only
to be measured. Where the whole model is in train mode, `missing-eval-mode` tells it.

Silent where nothing is evaluated, and where statistics move in training alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from loopcheck import Rule, end
from loopcheck.auditing.clock import Clock
from loopcheck.auditing.observe import Seen, listed
from loopcheck.record.run import Run
from loopcheck.record.site import Site

rule = Rule(
    code="LA108", bug=end, says="{forward} evaluates, and moves the statistics of {layers}", unless=("missing-eval-mode",)
)


def look(run: Run) -> Iterator[Seen]:
    clock = Clock(run.trace)
    told = set()
    for drift in run.readings.drifts:
        event = run.trace[drift.number] if drift.number < len(run.trace) else None
        if event is None or event.verb != "forward" or not event.facts.get("validating"):
            continue
        at = event.place
        if isinstance(at, Site) and at.place not in told:
            told.add(at.place)
            yield Seen(at.place, {"forward": f"`{at.text}`", "layers": listed(drift.layers)}, clock.when(event, event.on[0]))
