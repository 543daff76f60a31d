"""A loss is backpropagated past the framework that has taken its model over."""

from loopcheck import Confidence, Rule, Witness, backward, prepare, replace


def confidence(witness: Witness) -> Confidence:
    """Accelerate's own divides and scales as the run is configured. Fabric raises where its own is needed, and DeepSpeed hooks
    torch's since 0.18.3."""
    return Confidence.HIGH if witness[prepare].facts.get("framework") == "accelerate" else Confidence.MEDIUM


rule = Rule(
    code="LC706",
    bug=prepare >> backward(managed=False),
    every_path=True,
    confidence=confidence,
    says="{backward} goes past the loss scale and the division of the framework that took the model over in {prepare}",
    fix=replace(backward, "{runner}({loss}, {options})") | replace(backward, "{runner}({loss})"),
)
