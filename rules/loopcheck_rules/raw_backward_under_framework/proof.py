"""Accelerate divides the loss by the accumulation steps in `Accelerator.backward`, and nowhere else: a loss that goes past it
counts whole. Backward adds to `.grad`, so after k micro-batches of equal size the gradient is k times that of one batch of all
their samples.
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
    found = re.search(r"gradient norm of the full batch: ([\d.]+)", run.stdout)
    assert found, "the script no longer prints the gradient norm of the full batch"
    return run.steps[0].grad_norm / float(found.group(1))
