"""`scaler.step` divides the gradients by the scale, 65536 here, whether or not the loss was multiplied by it.

The script uses one batch and moves slowly, so the first gradient of its second phase is as long as the last of the first.
"""

from loopcheck.prove import Run, claim, equals

SCALE = 65536.0


@claim(
    "gradient norm that the first fine-tuning step applies / the last one of pretraining",
    bad=equals(1 / SCALE, within=1e-6),
    good=equals(1.0, within=0.05),
)
def applied(run: Run) -> float:
    return run.steps[3].grad_norm / run.steps[2].grad_norm
