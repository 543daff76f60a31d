"""A model is trained under float16 autocast without a loss scale, so small gradients become 0."""

from loopcheck import Rule, backward, edit, forward, no, prepare, step

rule = Rule(
    code="LC205",
    bug=(
        forward(precision="float16", validating=False, grad=True)
        >> no(backward | prepare)
        >> backward(scaled=False, managed=False, alone=True)
        >> no(edit)
        >> step(scaled=False)
    ),
    at=backward,
    says="{backward} computes in float16 what {forward} did, and no GradScaler keeps small gradients from becoming 0",
)
