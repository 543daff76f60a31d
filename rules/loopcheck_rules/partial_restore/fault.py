"""The optimizer's state is not loaded."""

from loopcheck.faults import Script, Seeds, receiver


def plant(script: Script) -> Seeds:
    for block, at in script.statements("load_state_dict"):
        if "opt" in receiver(block[at]).lower():
            yield block[at], [script.gone(block[at])]
