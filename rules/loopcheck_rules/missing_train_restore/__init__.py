"""The model goes into eval mode between epochs and trains on in it."""

from loopcheck import Rule, again, backward, build, evaluate, insert, loop_of, no, train

rule = Rule(
    code="LC603",
    bug=(build(training=True) | train) >> no(evaluate) >> backward >> evaluate >> no(train) >> again(backward),
    per="model",
    at=evaluate,
    says="{evaluate} is never undone: {backward} goes on training {model} in eval mode",
    fix=insert("{model}.train()", before=loop_of(backward)),
)
