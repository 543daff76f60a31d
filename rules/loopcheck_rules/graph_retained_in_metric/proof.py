"""A tensor keeps the autograd nodes behind it alive, and a sum of tensors those of all its terms: after the n-th batch of an
epoch there are n graphs in memory. Of a loss that nothing holds the graph goes when the next one comes, so there is never more
than that of the batch at hand.
"""

from loopcheck.prove import Run, claim, equals

BATCHES = 12


@claim(f"graphs in memory after the last of {BATCHES} batches", bad=equals(BATCHES), good=equals(1))
def graphs(run: Run) -> int:
    return max(backward.graphs for backward in run.backwards[BATCHES - 1 :: BATCHES])
