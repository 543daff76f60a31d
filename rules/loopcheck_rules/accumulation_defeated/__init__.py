"""Gradients are cleared on every micro-batch, so nothing accumulates."""

from loopcheck import Rule, backward, move, no, step, zero_grad

micro_batch = backward(windowed=True)

rule = Rule(
    code="LC304",
    bug=micro_batch >> no(step) >> zero_grad(micro=True) >> no(step | zero_grad) >> micro_batch >> no(zero_grad) >> step,
    at=zero_grad,
    says="{zero_grad} runs inside the window and throws away what {backward} has accumulated for {step}",
    fix=move(zero_grad, after=step),
)
