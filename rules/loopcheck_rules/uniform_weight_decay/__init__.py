"""Weight decay pulls on norms and biases as on all other parameters."""

from loopcheck import Confidence, Rule, Witness, build, insert, replace


def confidence(witness: Witness) -> Confidence:
    """The field splits decay for Adam's family; SGD's classic recipe was published with a uniform one, and may be meant."""
    facts = witness[build].facts
    split = facts.get("decay") == "explicit" and "adam" in str(facts.get("family"))
    return Confidence.HIGH if split else Confidence.MEDIUM


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
