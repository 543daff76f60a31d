"""Gradients are clipped while they still carry the loss scale."""

from loopcheck import Rule, backward, clip, edit, insert, no, step, unscale, zero_grad

rule = Rule(
    code="LC201",
    bug=backward(scaled=True) >> no(unscale | edit | step | zero_grad) >> clip(limits=True),
    unless=("raw-clip-under-framework",),
    says="{clip} limits gradients that are still multiplied by the loss scale of {backward}",
    fix=insert("{scaler}.unscale_({optimizer})", before=clip),
)
