"""Batch norm learns its running statistics, and dropout drops, in train mode only (PyTorch, `torch.nn.Module.eval`). In a model
that is never put in it, no batch does either.
"""

from loopcheck.prove import Run, claim, equals


@claim("share of training batches that moved the running statistics", bad=equals(0.0), good=equals(1.0))
def learned_from(run: Run) -> float:
    training = [forward for forward in run.forwards if forward.grad]
    return sum(forward.state_changed for forward in training) / len(training)


@claim("training batches with dropout off", bad=lambda run: equals(len(run.steps)), good=equals(0))
def in_eval_mode(run: Run) -> int:
    return sum(forward.grad and not forward.training for forward in run.forwards)
