"""An evaluation pass builds an autograd graph that nothing will ever walk back."""

from loopcheck import Confidence, Rule, Witness, evaluate, forward, no, train, wrap


def confidence(witness: Witness) -> Confidence:
    """The graph of one batch that is gone when it is done, or of a trial, is nothing that anybody would feel, unless applying the
    network is all that the program does: then it needs several times the memory."""
    if not witness.last.facts.get("single"):
        return Confidence.HIGH
    return Confidence.MEDIUM if witness.last.facts.get("deployed") else Confidence.LOW


rule = Rule(
    code="LC602",
    bug=(
        forward(validating=True, grad=True),
        forward(deployed=True, grad=True),
        evaluate >> no(train) >> forward(read=True, grad=True),
        forward(shown=True, grad=True),
    ),
    per="model",
    says="{forward} records a graph for a backward that never comes",
    confidence=confidence,
    fix=wrap(forward, "torch.no_grad()", requires="import torch", since="0.4"),
)
