"""Weights are written through `.data` between a forward and its backward, which goes by the new ones and does not notice."""

from loopcheck import Rule, backward, forward, no, overwrite

rule = Rule(
    code="LC113",
    bug=forward(grad=True) >> no(backward) >> overwrite >> no(forward) >> backward(cut=False),
    group="advice",
    at=overwrite,
    says="{overwrite} changes weights that {backward} still needs, and `.data` keeps autograd from noticing",
    by_hand="whether autograd is to know of what is written only its author knows",
)
