"""Binary cross entropy with logits is softplus(z) of a zero and softplus(-z) of a one. Of probabilities, the best that a one can
get is softplus(-1) = log(1 + 1/e), and a zero softplus(0) = log 2: no batch comes below the first.
"""

from math import e, log

from loopcheck.prove import Run, at_least, below, claim

FLOOR = log(1 + 1 / e)


@claim("lowest loss of any batch", bad=at_least(FLOOR), good=below(0.05))
def lowest(run: Run) -> float:
    return min(backward.loss for backward in run.backwards)
