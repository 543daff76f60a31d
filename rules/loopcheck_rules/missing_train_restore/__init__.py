"""The model goes into eval mode between epochs and trains on in it.

Where each epoch begins with its validation, nothing is ever trained in the train mode that was asked for before the first.
"""

from loopcheck import Rule, Witness, backward, build, evaluate, forward, insert, loop_of, no, same, top_of, train


def is_gone_on_with(witness: Witness) -> bool:
    """Whether it is one piece of code that trains, before and after: of another the mode may be what it was written for."""
    return len({event.at.place for event in witness.events if event.verb == "backward"}) == 1


rule = Rule(
    code="LC603",
    bug=(
        (build(training=True) | train)
        >> no(evaluate(partly=False))
        >> backward
        >> no(forward(validating=False, grad=True))
        >> evaluate(apart=False)
        >> no(train)
        >> same(backward),
        (build(training=True) | train)
        >> no(evaluate | backward)
        >> evaluate
        >> no(train | backward)
        >> forward(validating=True)
        >> no(train)
        >> forward(validating=False)
        >> no(train)
        >> backward,
    ),
    unless=("training-in-eval-mode",),
    where=is_gone_on_with,
    per="model",
    at=evaluate,
    rests_on=evaluate(moded=True),
    shown_by=train,
    says="{evaluate} is never undone: {backward} goes on training {model} in eval mode",
    fix=insert("{model}.train()", before=loop_of(backward)) | insert("{model}.train()", before=top_of(backward)),
)
