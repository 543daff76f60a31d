"""A GradScaler multiplies the loss, and with it every gradient, by its scale: 65536 unless told otherwise.

Only `scaler.step` divides it out again. SGD without momentum moves the weights by lr times the gradient that it reads.
"""

from loopcheck.prove import Run, claim, equals

SCALE = 65536.0


@claim(
    "first weight update / learning rate / norm of the true gradient",
    bad=equals(SCALE, within=70.0),
    good=equals(1.0, within=0.02),
)
def update_over_intended(run: Run) -> float:
    first = run.steps[0]
    return first.update_norm / first.lr / (run.backwards[0].norm / SCALE)
