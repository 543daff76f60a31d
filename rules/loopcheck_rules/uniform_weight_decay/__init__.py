"""Weight decay pulls on norms and biases as on all other parameters."""

from loopcheck import Confidence, Rule, Witness, build, insert, replace


def confidence(witness: Witness) -> Confidence:
    """The field splits decay for Adam's family; for SGD's classic recipe a uniform one is how it was published."""
    facts = witness[build].facts
    if facts.get("decay") == "default":
        return Confidence.MEDIUM
    return Confidence.HIGH if "adam" in str(facts.get("family")) else Confidence.LOW


rule = Rule(
    code="LC401",
    group="advice",
    bug=build(one_group=True, decays=True),
    says="{build} decays norms and biases together with the weights",
    confidence=confidence,
    fix=(
        insert(
            "decayed = [p for p in {model}.parameters() if p.dim() >= 2]\n"
            "undecayed = [p for p in {model}.parameters() if p.dim() < 2]",
            before=build,
        )
        & replace(
            build,
            '[{{"params": decayed}}, {{"params": undecayed, "weight_decay": 0.0}}]',
            argument=0,
            instead_of="{model}.parameters()",
        )
    ).unsafe,
)
