"""NLLLoss hands back minus what it is given at the target. Log-probabilities are at most 0, so the loss is at least 0;
probabilities are above 0, so every loss is below. Its gradient is p times that of the likelihood: what the network is most wrong
about moves it least.
"""

from loopcheck.prove import Run, claim, equals


@claim("share of losses below zero", bad=equals(1.0), good=equals(0.0))
def below_zero(run: Run) -> float:
    return sum(backward.loss < 0 for backward in run.backwards) / len(run.backwards)
