"""A clip multiplies all of `.grad` by min(1, max_norm / norm), the micro-batches of the window so far (Pascanu, Mikolov and
Bengio, "On the difficulty of training recurrent neural networks", 2013). Clipped after each of k micro-batches, the first is
scaled k times and the last once: their weights differ by the factors of the first k - 1 clips, and the gradient turns.
"""

import math

import torch

from loopcheck.prove import Prediction, Run, below, claim, equals

MICRO_BATCHES = 4


def product_of_clips(run: Run) -> Prediction:
    factors = (min(1.0, clip.max_norm / (clip.norm + 1e-6)) for clip in run.clips[: MICRO_BATCHES - 1])
    product = math.prod(factors)
    return equals(product, within=1e-4 * product)


@claim(
    "weight of the first micro-batch / weight of the last, in the first step", bad=product_of_clips, good=equals(1.0, within=1e-4)
)
def weight_of_first(run: Run) -> float:
    added = torch.stack([backward.gradient for backward in run.backwards[:MICRO_BATCHES]], dim=1)
    weights = torch.linalg.lstsq(added, run.steps[0].gradient.unsqueeze(1)).solution.squeeze(1)
    return float(weights[0] / weights[-1])


@claim(
    "cosine of the gradient that the first step reads and the sum of its micro-batches",
    bad=below(0.99),
    good=equals(1.0, within=1e-6),
)
def direction(run: Run) -> float:
    whole = torch.stack([backward.gradient for backward in run.backwards[:MICRO_BATCHES]]).sum(dim=0)
    return float(torch.cosine_similarity(whole, run.steps[0].gradient, dim=0))
