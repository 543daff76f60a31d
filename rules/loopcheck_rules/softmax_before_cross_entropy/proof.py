"""Cross entropy is -log softmax(z)[y]. Probabilities lie between 0 and 1, so the best that C classes allow is a one among zeros:
softmax gives it e / (e + C - 1), and the loss cannot go below log(1 + (C - 1) / e). With logits it has no such floor but 0.
"""

from math import e, log

from loopcheck.prove import Run, at_least, below, claim

CLASSES = 3
FLOOR = log(1 + (CLASSES - 1) / e)


@claim("lowest loss of any batch, three classes", bad=at_least(FLOOR), good=below(0.1))
def lowest(run: Run) -> float:
    return min(backward.loss for backward in run.backwards)
