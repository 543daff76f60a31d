"""A model is evaluated in train mode: dropout is on, and batch norm reads and learns from the held-out data."""

from loopcheck import Rule, backward, build, ensure, evaluate, forward, insert, loop_of, no, start, train

validation = forward(validating=True, moded=True)

rule = Rule(
    code="LC601",
    bug=(
        (build(training=True) | train) >> no(evaluate) >> validation,
        start >> no(evaluate) >> backward >> no(evaluate) >> validation,
    ),
    per="model",
    says="{forward} evaluates {model} in train mode",
    fix=insert("{model}.eval()", before=loop_of(forward)) & ensure("{model}.train()", after=loop_of(forward)),
)
