"""A generator hands out what it has one time; `Module.parameters` is one. A clip over no parameters finds a norm of 0 and limits
nothing, so an update by SGD at a learning rate of 1 is as large as the gradient; clipped to 0.1 it is no larger than that.
"""

from loopcheck.prove import Prediction, Run, above, at_most, claim, equals

LIMIT = 0.1


def norm_of_gradients(run: Run) -> Prediction:
    return equals(max(step.grad_norm for step in run.steps), within=1e-3)


@claim("largest norm that a clip found", bad=equals(0.0), good=above(LIMIT))
def found(run: Run) -> float:
    return max(clip.norm for clip in run.clips)


@claim("largest update, at a limit of 0.1 and a learning rate of 1", bad=norm_of_gradients, good=at_most(LIMIT, within=1e-4))
def largest_update(run: Run) -> float:
    return max(step.update_norm for step in run.steps)
