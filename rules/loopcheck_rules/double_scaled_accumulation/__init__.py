"""The loss is divided by the accumulation steps by hand, and once more by the framework that runs the backward."""

from loopcheck import Rule, backward, undivide

rule = Rule(
    code="LC306",
    bug=backward(managed=True, averaged_twice=True),
    says="{backward} divides by the accumulation steps, by which the loss has been divided before",
    fix=undivide(backward, by="{divisor}"),
)
