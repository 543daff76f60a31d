"""Two optimizers take turns in changing the same parameters.

Each has its own momentum and its own learning rate for them, and each step of the one is taken without the other knowing.

Silent where the two follow each other, as Adam and then L-BFGS, and where one is a wrapper that steps the other.
"""

from __future__ import annotations

from collections.abc import Iterator

from loopcheck import Rule, end
from loopcheck.auditing.observe import Seen, listed
from loopcheck.record.run import Run

rule = Rule(
    code="LA102", bug=end, group="advice", says="{parameters} are held by `{one}` and by `{other}`, and both step in turns"
)


def look(run: Run) -> Iterator[Seen]:
    read = run.readings
    turns = [step.optimizer for step in read.steps]
    inner = {owner.name for owner in read.owners if owner.within}
    made = {owner.name: owner.made for owner in read.owners}
    shared: dict[tuple[str, ...], list[str]] = {}
    for each in read.parameters:
        names = tuple(name for name, _ in each.owners if name not in inner)
        if len(set(names)) == 2:
            shared.setdefault(names, []).append(each.name)
    for names, parameters in shared.items():
        if all(turns.count(name) > 1 for name in names) and run.turns(*names) > 2:
            yield Seen(made[names[1]], {"parameters": listed(parameters), "one": names[0], "other": names[1]})
