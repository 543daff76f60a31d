"""Gradients are clipped while they still carry the loss scale.

Where the backward is out of sight, a step through the scaler tells that there is a scale; who called may have divided by it.
"""

from loopcheck import Confidence, Rule, Witness, backward, clip, edit, insert, no, start, step, unscale, zero_grad


def confidence(witness: Witness) -> Confidence:
    return Confidence.HIGH if any(event.verb == "backward" for event in witness.events) else Confidence.MEDIUM


rule = Rule(
    code="LC201",
    bug=(
        backward(scaled=True) >> no(unscale | edit(added=False) | step | zero_grad) >> clip(limits=True),
        start
        >> no(backward | unscale | edit(added=False) | step | zero_grad)
        >> clip(limits=True)
        >> no(backward | unscale | zero_grad)
        >> step(scaled=True),
    ),
    at=clip,
    unless=("raw-clip-under-framework",),
    says="{clip} limits gradients that are still multiplied by the loss scale",
    confidence=confidence,
    fix=insert("{scaler}.unscale_({optimizer})", before=clip),
)
