"""The loss of each micro-batch is backpropagated whole, so the accumulated gradient is k times too large."""

from loopcheck import Rule, again, backward, divide, no, step, zero_grad

rule = Rule(
    code="LC301",
    bug=backward(averaged=False, windowed=True) >> no(zero_grad | step) >> again(backward) >> no(zero_grad) >> step,
    at=backward,
    unless=("raw-backward-under-framework",),
    says="{backward} adds up the gradients of several micro-batches, and their loss is not divided by how many there are",
    fix=divide(backward, by="{window}"),
)
