"""`Accelerator.backward` divides the loss by `gradient_accumulation_steps` before it goes backward. Divided by hand as well, each
of k micro-batches counts 1/k², and their sum is the gradient of the large batch divided by k.
"""

import re

from loopcheck.prove import Run, claim, equals

MICRO_BATCHES = 4


@claim(
    "gradient that the first step reads / gradient of the full batch (4 micro-batches)",
    bad=equals(1 / MICRO_BATCHES, within=1e-5),
    good=equals(1.0, within=1e-4),
)
def share(run: Run) -> float:
    found = re.search(r"gradient norm of the full batch: ([\d.]+)", run.stdout)
    assert found, "the script no longer prints the gradient norm of the full batch"
    return run.steps[0].grad_norm / float(found.group(1))
