"""Gradients are clipped after each micro-batch, before the window's sum is complete."""

from loopcheck import Rule, again, backward, clip, move, no, step, zero_grad

rule = Rule(
    code="LC302",
    bug=(
        backward(windowed=True)
        >> no(step | zero_grad)
        >> clip(limits=True)
        >> no(step | zero_grad)
        >> again(backward)
        >> no(zero_grad)
        >> step
    ),
    at=clip,
    says="{clip} limits a part of the gradient: {backward} adds more micro-batches to it before {step}",
    fix=move(clip, before=step).unsafe,
)
