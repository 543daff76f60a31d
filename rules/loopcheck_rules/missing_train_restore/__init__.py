"""The model goes into eval mode between epochs and trains on in it.

Where each epoch begins with its validation, nothing is ever trained in the train mode that was asked for before the first.
"""

from loopcheck import Confidence, Rule, Witness, again, backward, build, evaluate, forward, insert, loop_of, no, top_of, train


def has_modes(witness: Witness) -> bool:
    """Not of a model that is the same in both modes; one whose layers are out of sight may well differ."""
    return witness[evaluate].facts.get("moded") is not False


def sure(witness: Witness) -> Confidence:
    return Confidence.HIGH if witness[evaluate].facts.get("moded") else Confidence.MEDIUM


rule = Rule(
    code="LC603",
    bug=(
        (build(training=True) | train)
        >> no(evaluate)
        >> backward
        >> no(forward(validating=False, grad=True))
        >> evaluate
        >> no(train)
        >> again(backward),
        train >> no(evaluate | backward) >> evaluate >> no(train | backward) >> forward(validating=True) >> no(train) >> backward,
    ),
    per="model",
    at=evaluate,
    where=has_modes,
    confidence=sure,
    says="{evaluate} is never undone: {backward} goes on training {model} in eval mode",
    fix=insert("{model}.train()", before=loop_of(backward)) | insert("{model}.train()", before=top_of(backward)),
)
