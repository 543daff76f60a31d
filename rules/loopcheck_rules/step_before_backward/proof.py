"""The step reads what `zero_grad` left, which is nothing, and `torch.optim` skips parameters without a gradient."""

from loopcheck.prove import Run, above, claim, equals


@claim("norm of all weight updates added up", bad=equals(0.0), good=above(0.0))
def movement(run: Run) -> float:
    return sum(step.update_norm for step in run.steps)


@claim("steps that read a gradient", bad=equals(0), good=lambda run: equals(len(run.steps)))
def steps_with_gradients(run: Run) -> int:
    return sum(step.grad_norm > 0 for step in run.steps)
