"""Where each sample is treated by itself, the mean gradient of k micro-batches is that of their union. Batch norm subtracts the
mean and divides by the deviation of the samples that it sees together, so a sample's gradient depends on its micro-batch.
"""

from loopcheck.prove import Run, above, at_most, claim


@claim("distance of the window's gradient from the whole batch's, relative to that", bad=above(0.05), good=at_most(1e-6))
def distance(run: Run) -> float:
    window, batch = (step.gradient for step in run.steps)
    return float((window - batch).norm() / batch.norm())
