"""An evaluation pass builds an autograd graph that nothing will ever walk back."""

from loopcheck import Confidence, Rule, Witness, evaluate, forward, no, train, wrap


def confidence(witness: Witness) -> Confidence:
    """The graph of one batch that is gone when it is done is felt where that is all the data there is. Of numbers out of the air,
    that a network is tried on, nobody minds it, unless applying the network is all that the program does."""
    facts = witness.last.facts
    if not facts.get("single"):
        return Confidence.HIGH
    return Confidence.LOW if facts.get("invented") and not facts.get("deployed") else Confidence.MEDIUM


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
