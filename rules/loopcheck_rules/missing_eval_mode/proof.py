"""In train mode batch norm normalizes by the batch at hand and moves its running statistics towards it (Ioffe and Szegedy, "Batch
Normalization", 2015), and dropout draws a new mask for each forward (Srivastava et al., "Dropout", 2014). So evaluating changes
the model, and two evaluations of the same weights differ. In eval mode both are fixed functions.
"""

import torch

from loopcheck.prove import Prediction, Run, above, claim, equals
from loopcheck.record.run import Forward

BATCHES = 2  # of the held-out data


def every_one(run: Run) -> Prediction:
    return equals(len(_evaluations(run)))


@claim("evaluation batches that changed the model's buffers", bad=every_one, good=equals(0))
def changed(run: Run) -> int:
    return sum(forward.state_changed for forward in _evaluations(run))


@claim("largest difference between two evaluations of the same weights and data", bad=above(1e-3), good=equals(0.0))
def disagreement(run: Run) -> float:
    first, second = _outputs(run, -2 * BATCHES, -BATCHES), _outputs(run, -BATCHES, None)
    return float((first - second).abs().max())


def _evaluations(run: Run) -> list[Forward]:
    return [forward for forward in run.forwards if not forward.grad]


def _outputs(run: Run, start: int, stop: int | None) -> torch.Tensor:
    return torch.cat([forward.output for forward in _evaluations(run)[start:stop] if forward.output is not None])
