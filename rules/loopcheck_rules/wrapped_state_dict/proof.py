"""The keys of a state are paths to its tensors. In a wrapper each begins with the attribute that has the model, so none of them
is a path in the model itself (PyTorch, "torch.nn.DataParallel", and "Saving torch.nn.DataParallel Models").
"""

import re

from loopcheck.prove import Run, claim, equals


@claim("keys of the model itself that the file does not have", bad=equals(4), good=equals(0))
def missing(run: Run) -> int:
    found = re.search(r"(\d+) of 4 keys are missing", run.stdout)
    assert found
    return int(found[1])
