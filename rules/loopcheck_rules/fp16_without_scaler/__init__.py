"""A model is trained under float16 autocast without a loss scale, so small gradients become 0."""

from loopcheck import Rule, backward, clip, edit, forward, insert, maker_of, no, prepare, receiver_of, replace, step, zero_grad

halved = forward(precision="float16", validating=False, grad=True) >> no(backward | prepare)
plain = backward(scaled=False, managed=False, alone=True)
kept = no(edit | zero_grad)

make = insert("{new_scaler} = torch.amp.GradScaler({device})", after=maker_of("optimizer", step), requires="import torch")
go_through_it = (
    replace(receiver_of(backward), "{new_scaler}.scale({was})")
    & replace(step, "{new_scaler}.step({optimizer})", instead_of="{optimizer}.step()")
    & insert("{new_scaler}.update()", after=step)
)

rule = Rule(
    code="LC205",
    bug=(
        halved >> plain >> kept >> clip(by="norm") >> kept >> step(scaled=False),
        halved >> plain >> no(edit | zero_grad | clip) >> step(scaled=False),
    ),
    at=backward,
    says="{backward} computes in float16 what {forward} did, and no GradScaler keeps small gradients from becoming 0",
    fix=(make & go_through_it & insert("{new_scaler}.unscale_({optimizer})", before=clip) | make & go_through_it).unsafe,
)
