"""The model goes into eval mode between epochs and trains on in it.

Where each epoch begins with its validation, nothing is ever trained in the train mode that was asked for before the first.
"""

from loopcheck import Rule, again, backward, build, evaluate, forward, insert, loop_of, no, top_of, train

restored = insert("{model}.train()", before=loop_of(backward)) | insert("{model}.train()", before=top_of(backward))

rule = Rule(
    code="LC603",
    bug=(
        (build(training=True) | train)
        >> no(evaluate(partly=False))
        >> backward
        >> no(forward(validating=False, grad=True))
        >> evaluate(apart=False)
        >> no(train)
        >> again(backward),
        (build(training=True) | train)
        >> no(backward)
        >> evaluate
        >> no(train | backward)
        >> forward(validating=True)
        >> no(train | evaluate)
        >> forward(validating=False)
        >> no(train | evaluate)
        >> backward,
    ),
    unless=("training-in-eval-mode",),
    per="model",
    at=evaluate,
    where=lambda witness: not witness.last.facts.get("asked"),  # what a network looks at
    rests_on=evaluate(moded=True),
    shown_by=train,
    says="{evaluate} is never undone: {backward} goes on training {model} in eval mode",
    fix=restored.where(evaluate(mixed=False)) | restored.unsafe,
)
