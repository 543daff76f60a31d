"""Autograd makes a node for each operation whose input needs a gradient, and the node keeps what its backward will want (PyTorch,
"Autograd mechanics"). An evaluation forward outside `no_grad` makes as many as a training forward of the same model.
"""

from loopcheck.prove import Prediction, Run, claim, equals


def as_in_training(run: Run) -> Prediction:
    return equals(max(forward.nodes for forward in run.forwards if forward.training))


@claim("autograd nodes behind the output of an evaluation batch", bad=as_in_training, good=equals(0))
def nodes(run: Run) -> int:
    return max(forward.nodes for forward in run.forwards if not forward.training)


@claim("evaluation outputs that hold a graph", bad=lambda run: equals(_evaluations(run)), good=equals(0))
def graphs(run: Run) -> int:
    return sum(forward.grad for forward in run.forwards if not forward.training)


def _evaluations(run: Run) -> int:
    return sum(not forward.training for forward in run.forwards)
