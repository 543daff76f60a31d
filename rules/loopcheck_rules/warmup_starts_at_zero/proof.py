"""The learning rate of step n is `lr * factor(n)` (PyTorch, `LambdaLR`), and SGD subtracts it times the gradient: at factor 0
nothing. Of a warm-up over ten steps the first is a tenth of the way.
"""

from loopcheck.prove import Run, above, claim, equals

LR, WARMUP = 0.1, 10


@claim("learning rate of the first update", bad=equals(0.0), good=equals(LR / WARMUP, within=1e-9))
def first_rate(run: Run) -> float:
    return run.steps[0].lr


@claim("norm of the change that the first update makes", bad=equals(0.0), good=above(0.0))
def first_change(run: Run) -> float:
    return run.steps[0].update_norm


@claim("norm of the gradient that it was given", bad=above(0.1), good=above(0.1))
def first_gradient(run: Run) -> float:
    return run.steps[0].grad_norm
