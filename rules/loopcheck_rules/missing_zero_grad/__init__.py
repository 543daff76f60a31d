"""Backward adds to gradients that a step has already used."""

from loopcheck import Rule, backward, insert, no, step, zero_grad

clears = zero_grad(partly=False)

rule = Rule(
    code="LC103",
    bug=backward >> no(clears) >> step >> no(clears | backward) >> backward >> no(clears) >> step,
    at=backward,
    every_path=True,
    unless=("detached-loss",),
    says="{backward} adds to the gradients that {step} has already applied; nothing clears them in between",
    fix=insert("{optimizer}.zero_grad()", before=backward(windowed=False)) | insert("{optimizer}.zero_grad()", after=step),
)
