"""Of several losses that one step takes up, one is backpropagated without the loss scale, and then divided by it."""

from loopcheck import Rule, backward, no, receiver_of, replace, step, unscale, zero_grad

plain = backward(scaled=False, managed=False)

rule = Rule(
    code="LC209",
    bug=(
        backward(scaled=True) >> no(step | zero_grad | unscale) >> plain >> no(zero_grad) >> step(scaled=True),
        plain >> no(step | zero_grad | unscale) >> backward(scaled=True) >> no(zero_grad) >> step(scaled=True),
    ),
    at=plain,
    says="{step} divides all gradients by the loss scale, and this loss was never multiplied by it",
    fix=replace(receiver_of(plain), "{scaler}.scale({was})"),
)
