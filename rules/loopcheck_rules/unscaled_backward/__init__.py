"""A GradScaler takes a scale out of gradients whose loss was never scaled."""

from loopcheck import Rule, backward, no, receiver_of, replace, start, step, unscale, zero_grad

rule = Rule(
    code="LC204",
    bug=(
        (start | step | zero_grad)
        >> no(unscale)
        >> backward(scaled=False)
        >> no(backward(scaled=True) | zero_grad)
        >> step(scaled=True)
    ),
    at=backward,
    unless=("second-loss-unscaled",),
    says="{step} uses the gradients of {backward} divided by a loss scale that they do not carry",
    fix=replace(receiver_of(backward), "{scaler}.scale({was})", instead_of="{loss}")
    | replace(backward, "{scaler}.scale({was})", argument=0, instead_of="{loss}"),
)
