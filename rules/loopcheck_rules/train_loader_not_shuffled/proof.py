"""A loader without a sampler takes indices from a SequentialSampler unless it is told to shuffle (PyTorch,
`torch.utils.data.DataLoader`), and a data set that is sorted by class then gives batches of one class: each step learns to
say what the last one unlearns.
"""

import re

from loopcheck.prove import Run, above, claim, equals


@claim("different orders in 3 epochs", bad=equals(1), good=equals(3))
def orders(run: Run) -> int:
    return len({tuple(order) for order in run.orders})


@claim("fewest classes in a batch of 16, of 4", bad=equals(1), good=above(2))
def fewest(run: Run) -> int:
    return min(int(each) for each in re.findall(r"at least (\d) classes", run.stdout))
