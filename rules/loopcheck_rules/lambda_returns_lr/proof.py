"""LambdaLR sets the rate to the initial one times what the function gives (PyTorch, `torch.optim.lr_scheduler.LambdaLR`): of
a function that gives lr · g(t), that is lr² · g(t).
"""

from loopcheck.prove import Run, claim, equals

LR, STEPS = 0.01, 4


@claim("learning rate of the first step", bad=equals(LR**2, within=1e-12), good=equals(LR, within=1e-12))
def first(run: Run) -> float:
    return run.steps[0].lr


@claim("learning rate in the third epoch", bad=equals(LR**2 / 2, within=1e-12), good=equals(LR / 2, within=1e-12))
def third(run: Run) -> float:
    return run.steps[2 * STEPS].lr
