"""The optimizer steps on micro-batch 0, k, 2k: the first step is taken with one micro-batch, scaled down as one of k."""

from loopcheck import Rule, backward, guard_of, replace, step

rule = Rule(
    code="LC309",
    bug=backward(windowed=True) >> step(early=True),
    says="{step} comes after the first micro-batch: a multiple of {window}, counted from 0, begins a window and does not end it",
    fix=replace(guard_of(step), "({counter} + 1) % {window} == 0", instead_of="{counter} % {window} == 0"),
)
