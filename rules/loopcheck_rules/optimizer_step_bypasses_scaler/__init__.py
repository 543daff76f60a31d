"""The loss is scaled and the optimizer is stepped without the scaler, on gradients that carry the scale."""

from loopcheck import Rule, backward, edit, ensure, no, replace, step, unscale, zero_grad

rule = Rule(
    code="LC202",
    bug=backward(scaled=True, managed=False) >> no(unscale | edit | zero_grad) >> step(scaled=False, closure=False),
    says="{step} applies gradients that are still multiplied by the loss scale of {backward}",
    fix=replace(step, "{scaler}.step({optimizer})") & ensure("{scaler}.update()", after=step),
)
