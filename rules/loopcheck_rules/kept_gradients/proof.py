"""A gradient has as many bytes as its parameter: here 4 for each of 32 x 64 + 64 + 64 + 1. None has none, and the next backward
writes into new memory, where it would add to zeros.
"""

from loopcheck.prove import Run, claim, equals


@claim("bytes of gradients while the next batch is computed", bad=equals(8708), good=equals(0))
def held(run: Run) -> int:
    return int(run.stdout.partition("bytes of gradients during a forward: ")[2])
