"""Each DistributedDataParallel has hooks on the parameters of what it wraps, which average a bucket as soon as it is full
(PyTorch, *Distributed Data Parallel*, "Internal Design"). The model is one bucket, and in the fourth epoch there are four
wrappers around it. Two real ranks run the scripts.
"""

import re

from loopcheck.prove import Run, claim, equals

RANKS = 2
EPOCHS = 4


@claim("averages over all processes for each step of the fourth epoch", bad=equals(EPOCHS), good=equals(1))
def averages(run: Run) -> float:
    found = re.search(r"averaged (\d+) times in (\d+) steps", run.stdout)
    assert found
    return int(found[1]) / int(found[2])
