"""float16 has 11 bits: beside a weight w the next number is |w| / 2048 away or more, and an update of less than half of that is
rounded to nothing. SGD's update is the learning rate times the gradient, in float32 all of it.
"""

from loopcheck.prove import Run, below, claim, equals


@claim(
    "norm of the update / (learning rate x norm of the gradient), mean of 20 steps", bad=below(0.9), good=equals(1.0, within=0.01)
)
def share(run: Run) -> float:
    return sum(step.update_norm / (step.lr * step.grad_norm) for step in run.steps) / len(run.steps)
