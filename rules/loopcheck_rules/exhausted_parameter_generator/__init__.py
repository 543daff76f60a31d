"""Gradients are clipped through a generator of parameters that has been used up, so nothing is clipped."""

from loopcheck import Rule, clip, replace

rule = Rule(
    code="LC107",
    bug=clip(spent=True),
    says="{clip} finds no parameters: the generator that it is given has handed them out before",
    fix=replace(clip(each=False), "{model}.parameters()", argument=0).unsafe,
)
