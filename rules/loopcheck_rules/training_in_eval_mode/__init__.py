"""The model is put in eval mode and trained in it: dropout is off, and batch norm learns no statistics.

A model that has been trained in train mode before is another rule's, or on purpose: a second stage on a backbone as it is.
"""

from loopcheck import Confidence, Rule, Witness, backward, callee_of, evaluate, insert, loop_of, no, replace, start, step, train


def is_trained_whole(witness: Witness) -> bool:
    """Not of a head on a network in eval mode, nor of a part that has an optimizer of its own and was put in eval mode by itself:
    what is in it as it was made may well be meant to train. Nor of a network that is fitted to what it is tested on."""
    asked, at = witness[evaluate].on, witness[evaluate].at
    there = {model for model in witness.role.of if all(map(model.beside, asked))}
    if witness[evaluate].facts.get("within"):
        reached = {whole for model in asked for whole in model.wholes}.intersection(witness[backward].on)
        return not witness.role.open and there.issuperset(asked) and bool(reached)
    kept = any(model.part_of and not (model.built and model.built.at == at) for model in asked)
    there.intersection_update(witness[backward].on)  # another one may have been made in its place, on another way
    return not witness.role.open and there == set(asked) and not kept and not witness[backward].facts.get("adapts")


def confidence(witness: Witness) -> Confidence:
    """In how many runs a model is given weights, who starts them knows, and what a part is in there for, who has put it there."""
    asked = witness[evaluate].facts
    return Confidence.MEDIUM if asked.get("given") or asked.get("within") else Confidence.HIGH


rule = Rule(
    code="LC604",
    bug=(
        start >> no(backward | train) >> evaluate(flagged=False) >> no(train) >> backward >> no(train) >> step(frozen=False),
        evaluate(by_chance=True, flagged=False) >> no(train) >> backward >> no(train) >> step(frozen=False),
        evaluate(given=True, flagged=False) >> no(train) >> backward >> no(train) >> step(frozen=False),
    ),
    at=evaluate,
    rests_on=evaluate(moded=True),
    where=is_trained_whole,
    confidence=confidence,
    says="{backward} trains {model} in the eval mode of {evaluate}",
    fix=replace(callee_of(evaluate), "{model}.train", instead_of="{model}.eval").unsafe
    | insert("{model}.train()", before=loop_of(backward)).unsafe,
)
