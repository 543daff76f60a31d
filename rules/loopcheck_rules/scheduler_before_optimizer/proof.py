"""A scheduler sets the first rate when it is built; each of its steps sets the next (PyTorch 1.1 release notes: "Prior to PyTorch
1.1.0, the learning rate scheduler was expected to be called before the optimizer's update"). Stepped first, the rate of epoch 0
is overwritten before it is used, and every later one comes an epoch early.
"""

from loopcheck.prove import Run, claim, equals

FIRST_LR, GAMMA = 0.1, 0.5


@claim("learning rate of the first update (the schedule begins with 0.1)", bad=equals(FIRST_LR * GAMMA), good=equals(FIRST_LR))
def first_rate(run: Run) -> float:
    return run.steps[0].lr


@claim("learning rate of the last update, in epoch 3", bad=equals(FIRST_LR * GAMMA**4), good=equals(FIRST_LR * GAMMA**3))
def last_rate(run: Run) -> float:
    return run.steps[-1].lr


@claim("torch warns of the order", bad=equals(True), good=equals(False))
def warned(run: Run) -> bool:
    return any("lr_scheduler.step()" in warning for warning in run.warnings)
