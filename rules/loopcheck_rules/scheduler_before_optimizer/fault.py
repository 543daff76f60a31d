"""The optimizer's step changes places with the scheduler's behind it."""

from loopcheck.faults import Script, Seeds, after, called, receiver, schedules, steps


def plant(script: Script) -> Seeds:
    for block, at in script.statements("step"):
        if steps(block[at]) and (
            schedule := after(block, at, lambda statement: called(statement) == "step" and schedules(receiver(statement)))
        ):
            yield schedule, script.swapped(block[at], schedule)
