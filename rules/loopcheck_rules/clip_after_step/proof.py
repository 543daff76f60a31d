"""SGD without momentum moves the weights by lr times the gradient that it reads, so update / lr is that gradient's norm.

Clipping scales the gradient so that its norm is at most max_norm (Pascanu, Mikolov and Bengio, "On the difficulty of
training recurrent neural networks", 2013). What is clipped after the step was read before it was limited.
"""

from loopcheck.prove import Prediction, Run, at_most, claim, equals


def raw_norm(run: Run) -> Prediction:
    """Nothing is limited: the largest update comes from the largest gradient as backward left it."""
    largest = max(backward.norm for backward in run.backwards)
    return equals(largest, within=1e-4 * largest)


@claim("largest weight update / learning rate (max_norm 1)", bad=raw_norm, good=at_most(1.0, within=1e-2))
def largest_update(run: Run) -> float:
    return max(step.update_norm / step.lr for step in run.steps)
