"""A model is evaluated in train mode: dropout is on, and batch norm reads and learns from the held-out data."""

from loopcheck import Confidence, Rule, Witness, backward, build, ensure, evaluate, forward, insert, loop_of, no, start, train


def confidence(witness: Witness) -> Confidence:
    """Who calls `train()` of a network that is not trained may want what batch norm or dropout do there."""
    return Confidence.LOW if witness.last.facts.get("insisted") else Confidence.HIGH


rule = Rule(
    code="LC601",
    bug=(
        (build(training=True) | train(apart=False)) >> no(evaluate) >> forward(validating=True),
        train >> no(evaluate) >> backward >> no(evaluate) >> forward(validating=True),
        start >> no(evaluate) >> backward >> no(evaluate) >> forward(validating=True),
        build(training=True) >> no(evaluate) >> forward(deployed=True),
        evaluate >> no(backward | train) >> train(apart=False) >> no(evaluate | backward) >> forward(validating=True),
    ),
    per="model",
    rests_on=forward(moded=True, taught=True),
    shown_by=evaluate,
    meant="eval",
    confidence=confidence,
    configured=Confidence.LOW,  # the option that puts it in eval mode is on where the program is there to evaluate
    says="{forward} evaluates {model} in train mode",
    fix=insert("{model}.eval()", before=loop_of(forward)) & ensure("{model}.train()", after=loop_of(forward)),
)
