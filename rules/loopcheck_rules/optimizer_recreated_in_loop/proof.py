"""Adam's first step after it is made is of the learning rate's size for every weight that has a gradient, whatever that is: both
moments are corrected for having begun at 0, and their ratio is then the gradient's sign (Kingma and Ba, "Adam", 2015, section
2 and 3). Of the 4 epochs each has one where the optimizer is made there; made once, there is one first step in the run.
"""

import math

from loopcheck.prove import Run, claim, equals

EPOCHS, LR = 4, 0.01


@claim("steps that moved every weight by the learning rate", bad=equals(EPOCHS), good=equals(1))
def first_steps(run: Run) -> int:
    return sum(_is_first(step.update_norm / step.lr, int((step.gradient != 0).sum())) for step in run.steps)


def _is_first(norm: float, weights: int) -> bool:
    return math.isclose(norm, math.sqrt(weights), rel_tol=1e-3)
