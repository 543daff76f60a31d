"""Gradients are clipped after the step that used them.

The chain goes on to what the clip was too late for. A flush at the end of an epoch, which clips and steps once more and may
find nothing new, is therefore no bug: its step follows its clip.
"""

from loopcheck import Rule, Witness, backward, clip, end, move, no, step, unscale


def too_late(witness: Witness) -> bool:
    """A clip of a whole of which the optimizer has a part may be there for another part, which a backward has computed since.
    Where none has, it is late for all, and belongs before the first step."""
    first = witness[clip].facts.get("late") and not witness[step].facts.get("late")
    return not witness.beyond(clip) or bool(first)


rule = Rule(
    code="LC101",
    bug=step >> no(backward) >> clip(limits=True) >> no(step) >> (backward | end),
    at=clip,
    where=too_late,
    unless=("clip-before-backward",),
    says="{clip} limits gradients that {step} has already applied",
    fix=move(clip, before=step, along=unscale),
)
