"""DistributedDataParallel averages the gradients of a bucket as soon as a backward has filled it, unless `no_sync` was around its
forward (PyTorch, "DistributedDataParallel.no_sync"). The model is one bucket; a hook counts what two processes average of it.
"""

import re

from loopcheck.prove import Run, claim, equals

RANKS = 2
MICRO_BATCHES = 4


@claim("averages over all processes for each optimizer step", bad=equals(MICRO_BATCHES), good=equals(1))
def averages(run: Run) -> float:
    found = re.search(r"averaged (\d+) times for (\d+) steps", run.stdout)
    assert found
    return int(found[1]) / int(found[2])
