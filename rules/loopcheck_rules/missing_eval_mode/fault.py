"""An `eval()` is left out."""

from loopcheck.faults import Script, Seeds, receiver

ALSO = ("missing-train-restore",)


def plant(script: Script) -> Seeds:
    for block, at in script.statements("eval"):
        if receiver(block[at]):
            yield block[at], [script.gone(block[at])]
