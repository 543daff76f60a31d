"""A model is evaluated in train mode: dropout is on, and batch norm reads and learns from the held-out data."""

from loopcheck import Confidence, Rule, Witness, backward, build, ensure, evaluate, forward, insert, loop_of, no, start, train


def has_modes(witness: Witness) -> bool:
    """Not of a model that is the same in both modes; one whose layers are out of sight may well differ."""
    return witness[forward].facts.get("moded") is not False


def sure(witness: Witness) -> Confidence:
    """High of layers that are known to differ. Of a model whose layers are out of sight, who switches its mode says that it may
    have some; one that is only made, or trained, mostly had none."""
    if witness[forward].facts.get("moded"):
        return Confidence.HIGH
    return Confidence.MEDIUM if any(event.verb == "train" for event in witness.events) else Confidence.LOW


rule = Rule(
    code="LC601",
    bug=(
        (build(training=True) | train) >> no(evaluate) >> forward(validating=True),
        start >> no(evaluate) >> backward >> no(evaluate) >> forward(validating=True),
    ),
    per="model",
    where=has_modes,
    confidence=sure,
    says="{forward} evaluates {model} in train mode",
    fix=insert("{model}.eval()", before=loop_of(forward)) & ensure("{model}.train()", after=loop_of(forward)),
)
