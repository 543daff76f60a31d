"""DistributedDataParallel gets ready to average gradients in its forward; a backward without one leaves each process with its own
(PyTorch, "Distributed Data Parallel", "Internal Design"). Two real processes begin with equal weights, and read other data.
"""

from loopcheck.prove import Run, above, claim, equals

RANKS = 2


@claim("largest difference between the weights of two processes at the end", bad=above(1e-3), good=equals(0.0))
def difference(run: Run) -> float:
    one, other = (rank.weights for rank in run.ranks)
    return max(float((one[name] - other[name]).abs().max()) for name in one)
