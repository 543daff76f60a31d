"""`zero_grad()` comes between the backward and its step."""

from loopcheck.faults import Script, Seeds, after, called, steps


def plant(script: Script) -> Seeds:
    for block, at in script.statements("zero_grad"):
        backward = after(block, at, lambda statement: called(statement) == "backward")
        if backward and after(block, block.index(backward), steps):
            yield (
                block[at],
                [script.gone(block[at]), script.instead(backward, b"; ".join(map(script.text, (backward, block[at]))))],
            )
