"""In mode `min` a value is better where it is below the best so far (PyTorch, `ReduceLROnPlateau`), and of an accuracy that rises
that is the first: from the second epoch on all are bad ones, and with a patience of 0 each divides the rate by 10. In mode
`max` a rate falls where the accuracy has not risen.
"""

from loopcheck.prove import Run, claim, equals

LR, BATCHES = 0.01, 8


def rates(run: Run) -> list[float]:
    return [step.lr for step in run.steps[::BATCHES]]


@claim("learning rate of the last of 5 epochs", bad=equals(LR * 0.1**3, within=1e-9), good=equals(LR, within=1e-9))
def last_rate(run: Run) -> float:
    return rates(run)[-1]


@claim("learning rate after the second epoch, which is better", bad=equals(LR * 0.1, within=1e-9), good=equals(LR, within=1e-9))
def after_the_second(run: Run) -> float:
    return run.schedules[1].lr
