"""`scaler.update()` is left out."""

from loopcheck.faults import Script, Seeds, receiver


def plant(script: Script) -> Seeds:
    if script.made_by("GradScaler"):
        for block, at in script.statements("update"):
            if "scaler" in receiver(block[at]).lower():
                yield block[at], [script.gone(block[at])]
