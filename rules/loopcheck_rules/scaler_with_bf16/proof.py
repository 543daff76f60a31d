"""bfloat16 has the eight exponent bits of float32: what does not underflow in the one does not in the other. A scale is a
power of two, by which numbers of such a range are multiplied and divided without a rounding, so both ways come to the same
weights.
"""

from loopcheck.prove import Run, claim, equals


@claim("largest difference from the weights without a scale", bad=equals(0.0), good=equals(0.0))
def difference(run: Run) -> float:
    return float(run.stdout.partition("largest difference: ")[2])


@claim("searches for infinities in all gradients, in 8 steps", bad=equals(8), good=equals(0))
def searches(run: Run) -> int:
    return sum(event.verb == "update" for event in run.trace)
