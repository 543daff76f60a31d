"""Backward adds to `.grad`. After k micro-batches of equal size it holds the sum of k mean gradients; one batch of all their
samples has the mean of them (Goyal et al., "Accurate, Large Minibatch SGD", 2017, section 2). The sum is k times the mean.
"""

import re

from loopcheck.prove import Run, claim, equals

MICRO_BATCHES = 4


@claim(
    "gradient that the first step reads / gradient of the full batch (4 micro-batches)",
    bad=equals(float(MICRO_BATCHES), within=1e-4),
    good=equals(1.0, within=1e-4),
)
def excess(run: Run) -> float:
    return run.steps[0].grad_norm / _full_batch_norm(run)


@claim(
    "loss backpropagated before the first step / mean loss of its samples",
    bad=equals(4.0, within=1e-3),
    good=equals(1.0, within=1e-3),
)
def backpropagated(run: Run) -> float:
    window = run.backwards[:MICRO_BATCHES]
    return sum(backward.loss for backward in window) / float(_said(run, r"epoch 0: loss ([\d.]+)"))


def _full_batch_norm(run: Run) -> float:
    return float(_said(run, r"gradient norm of the full batch: ([\d.]+)"))


def _said(run: Run, pattern: str) -> str:
    found = re.search(pattern, run.stdout)
    assert found, f"the script no longer prints {pattern!r}"
    return found.group(1)
