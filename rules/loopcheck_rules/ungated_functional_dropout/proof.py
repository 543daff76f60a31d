"""`F.dropout` drops wherever its `training` is true, and it is unless somebody says otherwise: two forwards of one batch differ.
In eval mode a network is a function of its input, and the second forward is the first, bit for bit.
"""

from loopcheck.prove import Run, above, claim, equals


@claim("largest difference of two forwards of one batch in eval mode", bad=above(0.0), good=equals(0.0))
def difference(run: Run) -> float:
    outputs = [forward.output for forward in run.forwards if not forward.training and forward.output is not None]
    return max(float((one - other).abs().max()) for one, other in zip(outputs[::2], outputs[1::2], strict=True))
