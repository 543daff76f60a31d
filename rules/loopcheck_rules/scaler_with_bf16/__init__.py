"""A loss scale is kept for bfloat16, whose gradients do not underflow: each step looks for infinities that are not there."""

from loopcheck import Rule, backward, forward, maker_of, no, replace

rule = Rule(
    code="LC206",
    bug=(
        forward(precision="bfloat16", validating=False, grad=True)
        >> no(backward | forward(precision="float16"))
        >> backward(scaled=True, managed=False)
    ),
    group="advice",
    says="{backward} scales the loss, and {forward} was computed in bfloat16, which has the range of float32 and needs no scale",
    fix=replace(maker_of("scaler", backward), "False", argument="enabled").unsafe,
)
