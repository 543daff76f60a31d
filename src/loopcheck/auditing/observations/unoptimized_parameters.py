"""Parameters get gradients and no optimizer holds them.

They keep their first values, whatever the gradient says. It happens where a layer is replaced or added after the optimizer
was made, or where the optimizer is given a list of parameters that forgets some. The finding names the parameters, and points
at where the optimizer of their model is made.

Silent where a parameter is frozen, where it never had a gradient, where something else writes to it, and where a model has no
optimizer at all. Where an optimizer holds all of some parts of a model and nothing of the others, which may be meant so, the
confidence is low.
"""

from __future__ import annotations

from collections.abc import Iterator

from loopcheck import Confidence, Rule, end
from loopcheck.auditing.observe import Seen, listed
from loopcheck.record.readings import Parameter
from loopcheck.record.run import Run

rule = Rule(code="LA101", bug=end, says="{parameters} of the model get gradients, and `{optimizer}` does not hold them")


def look(run: Run) -> Iterator[Seen]:
    read = run.readings
    for owner in read.owners:
        held = [each for each in read.parameters if owner.name in dict(each.owners)]
        roots = {_root(each) for each in held}
        left = [each for each in read.parameters if _root(each) in roots and each.learns and each.reached and each.still]
        left = [each for each in left if not each.owners]
        if not left or owner.steps < 2 or any(owner.name != other for each in held for other, _ in each.owners):
            continue
        orphans = sum(group.tensors for group in read.groups if group.optimizer == owner.name) > len(held)
        torn = {_part(each) for each in left} & {_part(each) for each in held}
        sure = Confidence.HIGH if orphans or torn else Confidence.LOW
        yield Seen(owner.made, {"parameters": listed([each.name for each in left]), "optimizer": owner.name}, "", sure)


def _root(parameter: Parameter) -> str:
    return parameter.name.partition(".")[0]


def _part(parameter: Parameter) -> str:
    return ".".join(parameter.name.split(".")[:2])
