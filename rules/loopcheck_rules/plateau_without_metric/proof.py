"""`ReduceLROnPlateau.step(metrics, epoch=None)` has a parameter without a default, so a call without it is a TypeError (Python,
"Calls"). Whatever the number of epochs, it is the first whose end is not reached.
"""

from loopcheck.prove import Run, claim, equals

REFUSAL = "TypeError: ReduceLROnPlateau.step() missing 1 required positional argument: 'metrics'"


@claim("how the run ends", bad=equals(REFUSAL), good=equals("normally"))
def ending(run: Run) -> str:
    return run.raised or "normally"


@claim("steps of the optimizer, of 18", bad=equals(6), good=equals(18))
def steps(run: Run) -> int:
    return len(run.steps)
