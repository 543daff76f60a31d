"""A mean of means is the mean of all where they are means of equally many. Where the last batch has r samples and the others b,
each of its samples counts b / r times as much as another: reported is the sum of the batches' losses over the number of batches,
and not that of size times loss over the number of samples.
"""

import re

from loopcheck.prove import Run, claim, equals


def reported(run: Run) -> float:
    """The last validation loss that the script has said."""
    return float(re.findall(r"validation loss ([\d.]+)", run.stdout)[-1])


@claim("times that a sample of the last batch counts for one of another", bad=equals(8), good=equals(1))
def weight(run: Run) -> float:
    last = run.evaluations[-1]
    alike = abs(reported(run) - last.mean_of_means) < abs(reported(run) - last.mean)
    return last.sizes[0] / last.sizes[-1] if alike else 1.0


@claim(
    "reported validation loss",
    bad=lambda run: equals(run.evaluations[-1].mean_of_means, within=1e-5),
    good=lambda run: equals(run.evaluations[-1].mean, within=1e-5),
)
def loss(run: Run) -> float:
    return reported(run)
