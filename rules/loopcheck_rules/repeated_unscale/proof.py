"""`scaler.unscale_` marks the optimizer as unscaled and refuses a second time until `scaler.update` has taken the mark away:
unscaled twice, the gradients would be too small by the scale.
"""

from loopcheck.prove import Run, claim, equals

REFUSAL = "RuntimeError: unscale_() has already been called on this optimizer since the last update()."


@claim("how the run ends", bad=equals(REFUSAL), good=equals("normally"))
def ending(run: Run) -> str:
    return run.raised or "normally"


@claim("backward calls", bad=equals(2), good=lambda run: equals(4 * len(run.steps)))
def backward_calls(run: Run) -> int:
    return len(run.backwards)
