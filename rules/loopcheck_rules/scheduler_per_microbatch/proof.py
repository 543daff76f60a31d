"""A linear schedule from 1.0 to 0.1 over n steps is at 1 - 0.9 * i / n after i of them (PyTorch, `LinearLR`). 3 epochs of 16
batches, 4 to a step, are 12 steps; stepped with every batch, the schedule is over when 3 of these are taken, and each of them
was to be the first of 4.
"""

from loopcheck.prove import Run, claim, equals

LR, STEPS, WINDOW = 0.1, 12, 4


@claim("steps of the schedule for each step of the optimizer", bad=equals(WINDOW), good=equals(1))
def cadence(run: Run) -> float:
    return len(run.schedules) / len(run.steps)


@claim(
    "learning rate of the second update, of 12",
    bad=equals(LR * (1 - 0.9 * (2 * WINDOW - 1) / STEPS), within=1e-9),
    good=equals(LR * (1 - 0.9 / STEPS), within=1e-9),
)
def second_rate(run: Run) -> float:
    return run.steps[1].lr


@claim("updates at the schedule's last learning rate", bad=equals(STEPS - STEPS // WINDOW), good=equals(0))
def at_the_end(run: Run) -> int:
    return sum(abs(step.lr - LR * 0.1) < 1e-9 for step in run.steps)
