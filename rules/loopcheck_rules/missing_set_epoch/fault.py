"""A `set_epoch()` is left out."""

from loopcheck.faults import Script, Seeds


def plant(script: Script) -> Seeds:
    for block, at in script.statements("set_epoch"):
        yield block[at], [script.gone(block[at])]
