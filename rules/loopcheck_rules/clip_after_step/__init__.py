"""Gradients are clipped after the step that used them.

The chain goes on to what the clip was too late for. A flush at the end of an epoch, which clips and steps once more and may
find nothing new, is therefore no bug: its step follows its clip.
"""

from loopcheck import Rule, backward, clip, end, move, no, step, unscale

rule = Rule(
    code="LC101",
    bug=step >> no(backward) >> clip(limits=True) >> no(step) >> (backward | end),
    at=clip,
    where=lambda witness: not witness.beyond(clip),
    unless=("clip-before-backward",),
    says="{clip} limits gradients that {step} has already applied",
    fix=move(clip, before=step, along=unscale),
)
