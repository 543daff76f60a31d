"""`state_dict()` hands out the tensors of the model itself, and a step changes them in place: what is loaded later is what is
there. A deep copy has tensors of its own, so what is put back equals what was taken, bit for bit.
"""

from loopcheck.prove import Run, above, claim, equals


@claim("largest difference between the weights put back and the nearest that were kept", bad=above(0.0), good=equals(0.0))
def difference(run: Run) -> float:
    return max(each.distance for each in run.restores)
