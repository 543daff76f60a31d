"""FSDP leaves each rank with a part of the flattened parameters and of their gradient. torch's `clip_grad_norm_` on rank r
finds the norm of that part, n_r, and cuts the part down to max_norm by a factor of its own; the gradient that all ranks apply
together is then max_norm · sqrt(ranks) long and points elsewhere. FSDP's own method reduces the norm over the ranks, sqrt(Σ
n_r²), so the gradient is max_norm long and the parts keep their proportion (PyTorch,
`FullyShardedDataParallel.clip_grad_norm_`).
"""

import math

from loopcheck.prove import Prediction, Run, claim, equals

RANKS = 2


def whole(norms: list[float]) -> float:
    return math.sqrt(sum(norm**2 for norm in norms))


@claim(
    "norm of the whole gradient that the first step applies / max_norm",
    bad=equals(math.sqrt(RANKS), within=1e-4),
    good=equals(1.0, within=1e-4),
)
def norm_applied(run: Run) -> float:
    return whole([rank.steps[0].grad_norm for rank in run.ranks]) / run.clips[0].max_norm


def raw_share(run: Run) -> Prediction:
    norms = [rank.backwards[0].norm for rank in run.ranks]
    return equals(norms[0] / whole(norms), within=1e-4)


@claim("rank 0's share of the gradient that is applied", bad=equals(1 / math.sqrt(RANKS), within=1e-4), good=raw_share)
def share(run: Run) -> float:
    norms = [rank.steps[0].grad_norm for rank in run.ranks]
    return norms[0] / whole(norms)
