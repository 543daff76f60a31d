"""A step reads all that was added to `.grad` since it was cleared. Of n micro-batches in a pass, n mod k do not fill a window of
k. Counted anew and not cleared, they are in the first step of the next pass: k + (n mod k) of them, each divided by k only.
"""

from loopcheck.prove import Run, claim, equals

WINDOW = 4
BATCHES = 10
EPOCHS = 3


@claim(
    "micro-batches that the first step of the second epoch sees (10 batches, windows of 4)",
    bad=equals(WINDOW + BATCHES % WINDOW),
    good=equals(WINDOW),
)
def first_of_second_epoch(run: Run) -> int:
    seen = 0
    for step in run.steps:
        if seen + step.backwards > BATCHES or seen == BATCHES:
            return step.backwards
        seen += step.backwards
    raise AssertionError("there is one epoch only")


@claim("micro-batches of three epochs that no step has seen", bad=equals(BATCHES % WINDOW), good=equals(0))
def never_seen(run: Run) -> int:
    return EPOCHS * BATCHES - sum(step.backwards for step in run.steps)
