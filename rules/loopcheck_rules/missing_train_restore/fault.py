"""A `train()` is left out, in a file that also calls `eval()`."""

from loopcheck.faults import Script, Seeds, receiver, with_arguments

ALSO = ("training-in-eval-mode",)


def plant(script: Script) -> Seeds:
    if any(script.statements("eval")):
        for block, at in script.statements("train"):
            if receiver(block[at]) and not with_arguments(block[at]):
                yield block[at], [script.gone(block[at])]
