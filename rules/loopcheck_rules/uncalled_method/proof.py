"""An expression statement "is used to compute and write a value"; a bound method is one, and that it is not called changes
nothing. So no weight has moved when the run is over, and what it took for training has cost three epochs.
"""

from loopcheck.prove import Run, above, claim, equals


@claim("steps that the optimizer took", bad=equals(0), good=equals(12))
def steps(run: Run) -> int:
    return len(run.steps)


@claim("largest change of a weight over the whole run", bad=equals(0.0), good=above(0.1))
def moved(run: Run) -> float:
    return max(float((run.weights[name] - begun).abs().max()) for name, begun in run.start_weights.items())
