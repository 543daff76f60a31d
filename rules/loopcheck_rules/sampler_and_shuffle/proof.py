"""A sampler is the order, and `shuffle=True` asks the loader to make one of its own; DataLoader refuses to choose (PyTorch,
`torch.utils.data.DataLoader`: "If specified, shuffle must not be specified").
"""

from loopcheck.prove import Run, claim, equals


@claim(
    "error that ends the run", bad=equals("ValueError: sampler option is mutually exclusive with shuffle"), good=equals("none")
)
def error(run: Run) -> str:
    return run.raised or "none"


@claim("optimizer steps taken", bad=equals(0), good=equals(10))
def steps(run: Run) -> int:
    return len(run.steps)
