"""Gradients of micro-batches are summed up, and batch norm takes its statistics from each: the window is no large batch."""

from loopcheck import Rule, backward, forward, no

rule = Rule(
    code="LC308",
    bug=forward(normalizes=True, validating=False) >> no(backward) >> backward(windowed=True),
    group="pedantic",
    says="{forward} normalizes each micro-batch by itself: {backward} does not add up to the gradient of the whole window",
    by_hand="another norm is another network",
)
