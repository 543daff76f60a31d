"""`scaler.step` marks the optimizer as stepped and refuses a second time until `scaler.update` has taken the mark away."""

from loopcheck.prove import Run, claim, equals

REFUSAL = "RuntimeError: step() has already been called since the last update()."


@claim("how the run ends", bad=equals(REFUSAL), good=equals("normally"))
def ending(run: Run) -> str:
    return run.raised or "normally"


@claim("steps taken", bad=equals(1), good=lambda run: equals(len(run.backwards)))
def steps_taken(run: Run) -> int:
    return len(run.steps)
