"""AveragedModel averages parameters and copies buffers: its running mean and variance are those of the last weights that it was
given. What the averaged weights compute has a mean of its own, which update_bn takes from the data: over batches of equal size
exactly.
"""

from loopcheck.prove import Run, above, at_most, below, claim


@claim("running mean minus the mean of what the average computes, in standard deviations", bad=above(0.05), good=at_most(1e-5))
def off(run: Run) -> float:
    return float(run.stdout.partition("mean off by ")[2])


@claim("mean squared error of the average", bad=above(0.05), good=below(0.02))
def error(run: Run) -> float:
    return float(run.stdout.partition("error ")[2].partition(",")[0])
