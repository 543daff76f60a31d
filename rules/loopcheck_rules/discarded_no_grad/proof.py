"""`torch.no_grad()` changes nothing before it is entered (PyTorch, "torch.no_grad": a context manager, or a decorator). An
evaluation after such a statement makes as many autograd nodes as a training forward of the same model.
"""

from loopcheck.prove import Prediction, Run, claim, equals


def as_in_training(run: Run) -> Prediction:
    """Of a layer that drops in training alone there is no node in eval mode."""
    return equals(max(forward.nodes for forward in run.forwards if forward.training) - 1)


@claim("autograd nodes behind the output of an evaluation batch", bad=as_in_training, good=equals(0))
def nodes(run: Run) -> int:
    return max(forward.nodes for forward in run.forwards if not forward.training)
