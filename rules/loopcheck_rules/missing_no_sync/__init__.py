"""Every micro-batch has its gradients averaged over all processes, though only the window's sum is used."""

from loopcheck import Confidence, Rule, Witness, again, backward, cover, no, step, zero_grad


def confidence(witness: Witness) -> Confidence:
    """What a framework prepares is for several processes, and as well for one."""
    return Confidence.MEDIUM if witness[backward].facts.get("managed") else Confidence.HIGH


rule = Rule(
    code="LC307",
    bug=backward(windowed=True, synced=True) >> no(step | zero_grad) >> again,
    group="speed",
    per="model",
    confidence=confidence,
    says="{backward} has all processes average their gradients for each micro-batch; the step needs that once",
    fix=cover(backward, "{model}.no_sync()", instead="nullcontext()", requires="from contextlib import nullcontext").unsafe,
)
