"""The backward changes places with the clip behind it."""

from loopcheck.faults import CLIPS, Script, Seeds, after, called


def plant(script: Script) -> Seeds:
    for block, at in script.statements("backward"):
        if clip := after(block, at, lambda statement: called(statement) in CLIPS):
            yield clip, script.swapped(block[at], clip)
