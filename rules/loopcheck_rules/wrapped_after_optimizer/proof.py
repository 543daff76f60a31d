"""FSDP moves the parameters of a module into one flat parameter, which is what has gradients from then on, and splits that
over the ranks (PyTorch, `FullyShardedDataParallel`: "The optimizer must be initialized after the module has been wrapped
with FSDP"). What an optimizer has from before gets no gradient, and a step over no gradients changes nothing.
"""

from loopcheck.prove import Run, above, claim, equals

RANKS = 2


@claim("largest change that a step makes, on any rank", bad=equals(0.0), good=above(1e-3))
def change(run: Run) -> float:
    return max(step.update_norm for rank in run.ranks for step in rank.steps)


@claim("largest gradient that a step reads, on any rank", bad=equals(0.0), good=above(1e-3))
def read(run: Run) -> float:
    return max(step.grad_norm for rank in run.ranks for step in rank.steps)
