"""What a cross entropy is given has been through a softmax."""

from loopcheck.faults import Script, Seeds, activated


def plant(script: Script) -> Seeds:
    return activated(script, ["CrossEntropyLoss"], ["cross_entropy"], b"torch.softmax(%s, dim=1)")
