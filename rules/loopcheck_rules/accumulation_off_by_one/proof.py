"""A window of k micro-batches, each loss divided by k, has the mean gradient of all. Of `i % 4 == 0`, 0 is the first, so the
first step is taken with one micro-batch, and as if it were four: a quarter of its gradient. The test that holds for 3, 7, 11
ends the window.
"""

from loopcheck.prove import Run, claim, equals

WINDOW = 4


@claim("micro-batches in the gradient of the first step", bad=equals(1), good=equals(WINDOW))
def first_window(run: Run) -> int:
    return run.steps[0].backwards


@claim("micro-batches in the gradient of the second step", bad=equals(WINDOW), good=equals(WINDOW))
def second_window(run: Run) -> int:
    return run.steps[1].backwards
