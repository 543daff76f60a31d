"""`backward` adds to `.grad`. Without a `zero_grad` the n-th step reads the sum of all n gradients so far.

The script trains on one constant batch at a small learning rate, where n gradients are nearly equal and their sum is nearly
n times as long as one of them.
"""

import torch

from loopcheck.prove import Prediction, Run, claim, equals


def sum_of_all(run: Run) -> Prediction:
    """The gradients of all backwards added up, over the last one."""
    total = torch.stack([backward.gradient for backward in run.backwards]).sum(dim=0)
    return equals(float(total.norm()) / run.backwards[-1].norm, within=1e-4)


@claim("norm of the gradient that the last step reads / norm of its own", bad=sum_of_all, good=equals(1.0, within=1e-4))
def stale_share(run: Run) -> float:
    return run.steps[-1].grad_norm / run.backwards[-1].norm


@claim("the same, in whole gradients", bad=lambda run: equals(len(run.steps)), good=equals(1))
def gradients_in_the_last_step(run: Run) -> int:
    return round(run.steps[-1].grad_norm / run.backwards[-1].norm)
