"""A clip multiplies what it is given by one factor. Given all gradients, it leaves their direction as it is; given one after
the other, it gives each another factor, and limits the whole by max_norm times the square root of their number alone (Pascanu,
Mikolov and Bengio, "On the difficulty of training recurrent neural networks", 2013).
"""

import math

import torch

from loopcheck.prove import Run, below, claim, equals

PARAMETERS, MAX_NORM = 4, 0.1


@claim("cosine of the gradient that the first step reads and the loss's", bad=below(0.99), good=equals(1.0, within=1e-6))
def direction(run: Run) -> float:
    return float(torch.cosine_similarity(run.backwards[0].gradient, run.steps[0].gradient, dim=0))


@claim(
    "norm of the gradient that the first step reads",
    bad=equals(MAX_NORM * math.sqrt(PARAMETERS), within=1e-5),
    good=equals(MAX_NORM, within=1e-5),
)
def norm(run: Run) -> float:
    return run.steps[0].grad_norm
