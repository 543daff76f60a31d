"""A layer is trained, and no step has ever read a gradient for it.

Its parameters require a gradient and are in an optimizer, and at every step that was recorded the gradient was missing, or
zero in all places: the layer is not used, its output is cut from the loss, or what it feeds is dead.

Silent before five steps, where some parameter of the layer has had a gradient once, and where no layer of the optimizer has:
then it is not the layer that is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator

from loopcheck import Confidence, Rule, end
from loopcheck.auditing.observe import Seen, listed
from loopcheck.record.readings import Parameter
from loopcheck.record.run import Run

rule = Rule(
    code="LA106", bug=end, group="advice", says="{layers} {why} at any of the {steps} steps that `{optimizer}` was seen to take"
)

FEWEST = 5


def look(run: Run) -> Iterator[Seen]:
    layers: dict[tuple[str, str], list[Parameter]] = {}
    for each in run.readings.parameters:
        if each.learns and len(each.owners) == 1 and each.steps >= FEWEST:
            layers.setdefault((each.owners[0][0], each.layer), []).append(each)
    owners = {owner.name: owner for owner in run.readings.owners}
    kinds = {"had no gradient": "missing", "had a gradient of zeros": "zero"}
    for name, owner in owners.items():
        for why, count in kinds.items():
            found = [
                layer
                for (own, layer), params in layers.items()
                if own == name and all(getattr(each, count) == each.steps for each in params)
            ]
            if found and len(found) < sum(own == name for own, _ in layers):
                steps = max(
                    each.steps for (own, layer), params in layers.items() if own == name and layer in found for each in params
                )
                words = {"layers": listed(found), "why": why, "steps": str(steps), "optimizer": name}
                yield Seen(owner.at, words, confidence=Confidence.MEDIUM)
