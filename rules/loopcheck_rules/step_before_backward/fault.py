"""The backward changes places with the step behind it."""

from loopcheck.faults import Script, Seeds, after, steps


def plant(script: Script) -> Seeds:
    for block, at in script.statements("backward"):
        if step := after(block, at, steps):
            yield step, script.swapped(block[at], step)
