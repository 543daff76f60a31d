"""Each parameter's gradient is clipped by itself, which turns the gradient of the whole away from the loss's."""

from loopcheck import Rule, clip, lift

rule = Rule(
    code="LC106",
    unless=("exhausted-parameter-generator",),
    bug=clip(each=True, by="norm", limits=True, managed=False),
    says="{clip} limits one parameter at a time: the gradient of all turns, and its norm has no limit",
    fix=lift(clip),
)
