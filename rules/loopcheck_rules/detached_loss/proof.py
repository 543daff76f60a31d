"""Autograd walks from the loss to the parameters over `grad_fn`. A tensor that was detached, or made of a number, has none: the
walk ends where it began, no parameter gets a gradient, and an SGD step of no gradient changes nothing, not by rounding either.
"""

from loopcheck.prove import Run, above, claim, equals


@claim("largest change of any weight in the whole run", bad=equals(0.0), good=above(0.0))
def largest_change(run: Run) -> float:
    return max(float((run.weights[name] - before).abs().max()) for name, before in run.start_weights.items())


@claim("backward calls that gave a parameter a gradient", bad=equals(0), good=lambda run: equals(len(run.backwards)))
def fruitful(run: Run) -> int:
    return sum(backward.norm > 0 for backward in run.backwards)
