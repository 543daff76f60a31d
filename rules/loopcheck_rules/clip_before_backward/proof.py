"""`zero_grad` sets the gradients to None, and the norm of nothing is 0: the clip has nothing to limit.

SGD without momentum then moves the weights by lr times the gradient as backward left it, however large.
"""

from loopcheck.prove import Prediction, Run, above, at_most, claim, equals


def raw_norm(run: Run) -> Prediction:
    largest = max(backward.norm for backward in run.backwards)
    return equals(largest, within=1e-4 * largest)


@claim("largest gradient norm that the clip finds", bad=equals(0.0), good=above(1.0))
def norm_found(run: Run) -> float:
    return max(clip.norm for clip in run.clips)


@claim("largest weight update / learning rate (max_norm 1)", bad=raw_norm, good=at_most(1.0, within=1e-2))
def largest_update(run: Run) -> float:
    return max(step.update_norm / step.lr for step in run.steps)
