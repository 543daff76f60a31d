"""Torch keeps what it has asked the GPU's driver for, and hands it out again. Each emptying gives all that is free back to the
driver, which waits for the GPU, and the next batch asks for as much. What is counted is how often; what one costs, only a GPU
shows.
"""

from loopcheck.prove import Run, claim, equals


@claim("times that memory is given back, in 8 steps", bad=equals(8), good=equals(0))
def emptied(run: Run) -> int:
    return sum(event.verb == "trim" for event in run.trace)
