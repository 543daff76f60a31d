"""A step over gradients that are None changes nothing: `torch.optim` skips such parameters."""

from loopcheck.prove import Run, above, at_least, claim, equals


@claim("norm of all weight updates added up", bad=equals(0.0), good=above(0.0))
def movement(run: Run) -> float:
    return sum(step.update_norm for step in run.steps)


@claim("smallest gradient norm that backward computes", bad=above(0.0), good=above(0.0))
def computed(run: Run) -> float:
    return min(backward.norm for backward in run.backwards)


@claim("steps that read a gradient", bad=equals(0), good=lambda run: at_least(len(run.steps)))
def steps_with_gradients(run: Run) -> int:
    return sum(step.grad_norm > 0 for step in run.steps)
