"""Gradients are clipped before backward has computed them."""

from loopcheck import Rule, backward, clip, forward, move, no, start, step, zero_grad

rule = Rule(
    code="LC102",
    bug=(
        start >> no(backward) >> clip(limits=True) >> no(step) >> backward,
        zero_grad >> no(backward) >> forward >> no(backward) >> clip(limits=True) >> no(step) >> backward,
    ),
    at=clip,
    where=lambda witness: not witness.beyond(clip),
    says="{clip} finds no gradients to limit: {backward} computes them afterwards",
    fix=move(clip, after=backward(windowed=False)) | move(clip, after=backward).unsafe,
)
