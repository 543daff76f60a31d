"""An optimizer holds the tensors that it was given (PyTorch, `torch.optim`, "Constructing it"), and a layer that takes the place
of another has tensors of its own. Those of the old head are in no graph any more: they get no gradient, and the new ones get
theirs where no step looks.
"""

from loopcheck.prove import Run, above, claim, equals

BODY = 6 * 16 + 16


@claim("largest gradient of a head that any step reads", bad=equals(0.0), good=above(0.0))
def of_the_head(run: Run) -> float:
    return max(float(step.gradient[BODY:].abs().max()) for step in run.steps)


@claim("weights of the optimizer's head, of 3 classes by 16 and 3", bad=equals(10 * 16 + 10), good=equals(3 * 16 + 3))
def held(run: Run) -> int:
    return run.steps[0].gradient.numel() - BODY


@claim("largest gradient of the rest that any step reads", bad=above(0.0), good=above(0.0))
def of_the_rest(run: Run) -> float:
    return max(float(step.gradient[:BODY].abs().max()) for step in run.steps)
