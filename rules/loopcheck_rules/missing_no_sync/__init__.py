"""Every micro-batch has its gradients averaged over all processes, though only the window's sum is used."""

from loopcheck import Rule, again, backward, no, step, zero_grad

rule = Rule(
    code="LC307",
    bug=backward(windowed=True, synced=True, managed=False) >> no(step | zero_grad) >> again,
    group="speed",
    per="model",
    says="{backward} has all processes average their gradients for each micro-batch; the step needs that once",
)
