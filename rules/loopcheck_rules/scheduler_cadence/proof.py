"""A cosine of `T_max` steps is at `lr * (1 + cos(pi * n / T_max)) / 2` after n of them, and at 0 after `T_max` (PyTorch,
`CosineAnnealingLR`; Loshchilov and Hutter, "SGDR", 2017). Told 5 epochs of 8 batches and stepped once an epoch, it has come
to n = 5 of 40.
"""

from math import cos, pi

from loopcheck.prove import Run, claim, equals

EPOCHS, BATCHES, LR = 5, 8, 0.1


@claim("steps of the schedule, which is 40 long", bad=equals(EPOCHS), good=equals(EPOCHS * BATCHES))
def steps(run: Run) -> int:
    return len(run.schedules)


@claim(
    "learning rate when the run is over",
    bad=equals(LR * (1 + cos(pi * EPOCHS / (EPOCHS * BATCHES))) / 2, within=1e-9),
    good=equals(0.0, within=1e-9),
)
def last_rate(run: Run) -> float:
    return run.schedules[-1].lr
