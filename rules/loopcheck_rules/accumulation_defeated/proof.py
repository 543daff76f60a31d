"""A step reads what is in `.grad`: the sum of the backwards since the last zeroing. Zeroed before each micro-batch, that is the
last one alone, one k-th of the samples that the window was made for.
"""

import torch

from loopcheck.prove import Run, claim, equals

MICRO_BATCHES = 4


@claim("micro-batches in the gradient of each step", bad=equals(1), good=equals(MICRO_BATCHES))
def micro_batches(run: Run) -> int:
    return max(step.backwards for step in run.steps)


@claim("gradient of the first step equals its last micro-batch alone", bad=equals(True), good=equals(False))
def only_the_last(run: Run) -> bool:
    last = run.backwards[MICRO_BATCHES - 1]
    return torch.equal(run.steps[0].gradient, last.gradient)


@claim(
    "distance of the first step's gradient from the sum of its micro-batches / norm of that sum",
    bad=lambda run: equals(_distance(run.backwards[MICRO_BATCHES - 1].gradient, run), within=1e-6),
    good=equals(0.0, within=1e-6),
)
def lost(run: Run) -> float:
    return _distance(run.steps[0].gradient, run)


def _distance(gradient: torch.Tensor, run: Run) -> float:
    whole = torch.stack([backward.gradient for backward in run.backwards[:MICRO_BATCHES]]).sum(dim=0)
    return float((gradient - whole).norm() / whole.norm())
