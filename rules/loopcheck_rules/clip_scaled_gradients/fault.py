"""`scaler.unscale_()` is left out, in a file that clips."""

from loopcheck.faults import CLIPS, Script, Seeds


def plant(script: Script) -> Seeds:
    if any(script.calls(*CLIPS)):
        for block, at in script.statements("unscale_"):
            yield block[at], [script.gone(block[at])]
