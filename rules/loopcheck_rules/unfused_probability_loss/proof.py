"""In float32 the sigmoid of 17 is 1 and that of -104 is 0, and the gradient of the cross entropy through it is
(p - y) / (p (1 - p)) times p (1 - p): the second factor is 0, and torch bounds the first. With logits the two are one, p - y.
"""

from loopcheck.prove import Run, above, claim, equals


@claim("norm of the first gradient, of a network that is wrong about everything", bad=equals(0.0), good=above(1.0))
def first_gradient(run: Run) -> float:
    return run.steps[0].grad_norm


@claim("norm of all changes of the weights in 20 steps, summed", bad=equals(0.0), good=above(0.01))
def changes(run: Run) -> float:
    return sum(step.update_norm for step in run.steps)
