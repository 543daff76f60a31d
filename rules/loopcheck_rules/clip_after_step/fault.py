"""The clip changes places with the step behind it."""

from loopcheck.faults import CLIPS, Script, Seeds, after, steps


def plant(script: Script) -> Seeds:
    for block, at in script.statements(*CLIPS):
        if step := after(block, at, steps):
            yield block[at], script.swapped(block[at], step)
