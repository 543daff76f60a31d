"""A GradScaler multiplies the loss, and with it every gradient, by its scale: 65536 unless told otherwise.

A clip that comes before `unscale_` finds a norm that is too large by the scale and cuts the scaled gradient down to max_norm;
`scaler.step` then divides what is left by the scale (PyTorch, "Automatic Mixed Precision examples", gradient clipping).
"""

from loopcheck.prove import Run, claim, equals

SCALE = 65536.0


@claim("gradient norm that the first clip finds / its true norm", bad=equals(SCALE, within=1.0), good=equals(1.0, within=1e-4))
def norm_found(run: Run) -> float:
    return run.clips[0].norm / (run.backwards[0].norm / SCALE)


@claim(
    "norm of the gradient that the first step applies / max_norm",
    bad=equals(1 / SCALE, within=1e-8),
    good=equals(1.0, within=1e-4),
)
def norm_applied(run: Run) -> float:
    return run.steps[0].grad_norm / run.clips[0].max_norm
