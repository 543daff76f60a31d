"""A model is evaluated in train mode: dropout is on, and batch norm reads and learns from the held-out data."""

from loopcheck import Confidence, Rule, Witness, backward, build, ensure, evaluate, forward, insert, loop_of, no, start, train


def confidence(witness: Witness) -> Confidence:
    """Who calls `train()` of a network that is not trained may want what batch norm or dropout do there."""
    return Confidence.LOW if witness.last.facts.get("insisted") else Confidence.HIGH


def is_of_data(witness: Witness) -> bool:
    """What a generator makes of noise once it is trained is made in train mode by many, and a network is tried on numbers."""
    facts = witness.last.facts
    return bool(facts.get("validating") or facts.get("deployed")) or not facts.get("invented")


rule = Rule(
    code="LC601",
    bug=(
        (build(training=True) | train(apart=False)) >> no(evaluate) >> forward(validating=True),
        train >> no(evaluate) >> backward >> no(evaluate) >> forward(validating=True),
        start >> no(evaluate) >> backward >> no(evaluate) >> forward(validating=True),
        build(training=True) >> no(evaluate) >> forward(deployed=True),
        evaluate >> no(backward | train) >> train(apart=False) >> no(evaluate | backward) >> forward(validating=True),
        (start | train) >> no(evaluate) >> backward >> no(evaluate | train) >> forward(finished=True),
        evaluate >> no(backward | train) >> train(apart=False) >> no(evaluate | backward) >> forward(finished=True),
    ),
    per="model",
    rests_on=forward(moded=True, taught=True),
    where=is_of_data,
    shown_by=evaluate,
    meant="eval",
    confidence=confidence,
    configured=Confidence.LOW,  # the option that puts it in eval mode is on where the program is there to evaluate
    says="{forward} evaluates {model} in train mode",
    fix=insert("{model}.eval()", before=loop_of(forward)) & ensure("{model}.train()", after=loop_of(forward)),
)
