"""All processes of a distributed run write their checkpoint to one file, at the same time."""

from loopcheck import Confidence, Rule, Witness, guard, save


def confidence(witness: Witness) -> Confidence:
    """What a launcher starts several times is started once as well; and who calls a function may ask for the rank."""
    if witness[save].facts.get("unasked"):
        return Confidence.LOW
    return Confidence.MEDIUM if witness[save].facts.get("launched") else Confidence.HIGH


rule = Rule(
    code="LC704",
    bug=save(ranks=True),
    per="model",
    confidence=confidence,
    says="every rank comes to {save}, and they write one file at the same time",
    fix=guard(save, "not dist.is_initialized() or dist.get_rank() == 0", requires="import torch.distributed as dist").unsafe,
)
