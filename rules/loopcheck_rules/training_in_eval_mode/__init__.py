"""The model is put in eval mode and trained in it: dropout is off, and batch norm learns no statistics.

A model that has been trained in train mode before is another rule's, or on purpose: a second stage on a backbone as it is.
"""

from loopcheck import Confidence, Rule, Witness, backward, callee_of, evaluate, no, replace, start, step, train


def is_trained_whole(witness: Witness) -> bool:
    """Not of a head on a network in eval mode, and not of a model that is the same in both modes."""
    asked = witness[evaluate]
    return asked.facts.get("moded") is not False and not witness.role.open and set(witness.role.of) == set(asked.on)


def sure(witness: Witness) -> Confidence:
    return Confidence.HIGH if witness[evaluate].facts.get("moded") else Confidence.MEDIUM


rule = Rule(
    code="LC604",
    bug=start >> no(backward | train) >> evaluate(flagged=False) >> no(train) >> backward >> no(train) >> step(frozen=False),
    at=evaluate,
    where=is_trained_whole,
    confidence=sure,
    says="{backward} trains {model} in the eval mode of {evaluate}",
    fix=replace(callee_of(evaluate), "{model}.train").unsafe,
)
