"""An evaluation pass builds an autograd graph that nothing will ever walk back."""

from loopcheck import Confidence, Rule, Witness, evaluate, forward, no, train, wrap


def confidence(witness: Witness) -> Confidence:
    """The graph of one batch that is gone when it is done, or of a picture now and then, is felt where that is all the data. Of
    numbers out of the air, that a network is tried on, nobody minds it, unless applying the network is all a program does."""
    facts = witness.last.facts
    if facts.get("single") and facts.get("invented") and not facts.get("deployed"):
        return Confidence.LOW
    return Confidence.MEDIUM if facts.get("single") or facts.get("shown") else Confidence.HIGH


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
