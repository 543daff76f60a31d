"""A run that is broken off and gone on from ends where the unbroken one does, if it gets back all that training remembers: then
both compute the same from there on, bit for bit. Momentum and a schedule that begin anew give other steps, and other weights.
"""

from loopcheck.prove import Run, above, claim, equals

MODELS = ("model.", "model#2.", "model#3.")


@claim("largest difference of the weights, resumed and unbroken", bad=above(0.0), good=equals(0.0))
def difference(run: Run) -> float:
    unbroken, _, resumed = ([each for name, each in run.weights.items() if name.startswith(of)] for of in MODELS)
    return max(float((one - other).abs().max()) for one, other in zip(unbroken, resumed, strict=True))
