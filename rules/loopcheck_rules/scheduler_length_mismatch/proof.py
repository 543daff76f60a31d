"""After n steps a warm-up from 0.1 over 8 is at `0.1 + 0.9 * n / 8` of the rate (PyTorch, `LinearLR`), and at the milestone
the next part begins at the full rate (`SequentialLR`): cut off at 4 it is 0.4375 at step 3, and 1 at step 4.
"""

from loopcheck.prove import Run, claim, equals

LR, START, LENGTH = 0.1, 0.1, 8
RISE = LR * (1 - START) / LENGTH


@claim(
    "largest rise of the learning rate from one update to the next",
    bad=equals(LR - LR * START - 3 * RISE, within=1e-9),
    good=equals(RISE, within=1e-9),
)
def largest_rise(run: Run) -> float:
    return max(after.lr - before.lr for before, after in zip(run.steps, run.steps[1:], strict=False))


@claim("updates of the warm-up, below the full rate", bad=equals(4), good=equals(LENGTH))
def warm(run: Run) -> int:
    return next(number for number, step in enumerate(run.steps) if abs(step.lr - LR) < 1e-9)
