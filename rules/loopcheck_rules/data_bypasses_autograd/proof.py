"""The chain rule takes a layer's weights as they were in the forward. Autograd has kept the tensor and not its values, and counts
who writes to it; a write through `.data` is not counted, so the backward multiplies by the new weights and says nothing.
"""

from loopcheck.prove import Run, above, at_most, claim, equals


@claim("error of the gradient, relative to the true one", bad=above(0.2), good=at_most(1e-6))
def error(run: Run) -> float:
    return float(run.stdout.partition("error of the gradient ")[2])


@claim("the backward raises", bad=equals(False), good=equals(False))
def raises(run: Run) -> bool:
    return run.raised is not None
