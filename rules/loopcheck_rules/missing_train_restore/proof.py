"""Batch norm learns its running statistics, and dropout drops, in train mode only (PyTorch, `torch.nn.Module.eval`). Put in eval
mode after the first of 3 epochs and left there, a model trains in train mode for one third of its batches.
"""

from loopcheck.prove import Run, claim, equals
from loopcheck.record.run import Forward

EPOCHS = 3


@claim("share of training batches that moved the running statistics", bad=equals(1 / EPOCHS), good=equals(1.0))
def learned_from(run: Run) -> float:
    training = _training(run)
    return sum(forward.state_changed for forward in training) / len(training)


@claim("training batches with dropout off", bad=lambda run: equals(len(_training(run)) * (EPOCHS - 1) // EPOCHS), good=equals(0))
def in_eval_mode(run: Run) -> int:
    return sum(not forward.training for forward in _training(run))


def _training(run: Run) -> list[Forward]:
    return [forward for forward in run.forwards if forward.grad]
