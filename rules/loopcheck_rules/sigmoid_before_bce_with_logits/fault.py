"""What a binary cross entropy of logits is given has been through a sigmoid."""

from loopcheck.faults import Script, Seeds, activated


def plant(script: Script) -> Seeds:
    return activated(script, ["BCEWithLogitsLoss"], ["binary_cross_entropy_with_logits"], b"torch.sigmoid(%s)")
