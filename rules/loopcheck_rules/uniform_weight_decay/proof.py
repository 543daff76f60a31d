"""AdamW multiplies every decayed parameter by 1 - lr·wd on each step, whatever its gradient (Loshchilov and Hutter, "Decoupled
Weight Decay Regularization", 2019). The auxiliary head of the scripts gets gradients of exactly 0, so decay is all that moves it:
its norm's weight, 1 at the start, is (1 - lr·wd)^n after n steps.
"""

from loopcheck.prove import Prediction, Run, claim, equals

DECAY = 0.1
NORM_WEIGHT = "auxiliary.0.weight"


def shrunk(run: Run) -> Prediction:
    return equals((1 - run.steps[0].lr * DECAY) ** len(run.steps), within=1e-6)


@claim("weight of a LayerNorm that gets no gradient, after 20 steps (1 at the start)", bad=shrunk, good=equals(1.0))
def norm_weight(run: Run) -> float:
    (weight,) = (value for name, value in run.weights.items() if name.endswith(NORM_WEIGHT))
    return float(weight.mean())
