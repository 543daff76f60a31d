"""The first update of Adam is `lr * g / (|g| + eps)`, whatever the size of g is (Kingma and Ba, 2015), and Adam's g has the decay
in it: a weight of 1 goes down by lr with a decay or without. AdamW takes off `lr * weight_decay * w` besides (Loshchilov and
Hutter, 2019), so of 1 it takes `lr * (1 + 0.1)`.
"""

from math import sqrt

from loopcheck.prove import Run, claim, equals

LR, DECAY, WEIGHTS = 0.01, 0.1, 8


@claim("first change of a weight of 1 / learning rate", bad=equals(1.0, within=1e-4), good=equals(1 + DECAY, within=1e-4))
def first_change(run: Run) -> float:
    return run.steps[0].update_norm / sqrt(WEIGHTS) / LR
