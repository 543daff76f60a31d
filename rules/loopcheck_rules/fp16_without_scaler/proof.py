"""The smallest number above 0 in float16 is 2^-24, about 6e-8; float32 goes on to 1e-45 (IEEE 754). Here the gradients of the
network's outputs are of the order of 1e-10, and under float16 autocast they pass through float16: all become 0, and so do
those of the weights. A GradScaler multiplies the loss by 2^16 first.
"""

from loopcheck.prove import Run, above, at_most, claim, equals


@claim("share of the elements of the first gradient that are exactly 0", bad=equals(1.0), good=at_most(0.1))
def underflow(run: Run) -> float:
    return float((run.steps[0].gradient == 0).double().mean())


@claim("norm of the largest gradient that a step reads", bad=equals(0.0), good=above(0.0))
def largest(run: Run) -> float:
    return max(step.grad_norm for step in run.steps)
