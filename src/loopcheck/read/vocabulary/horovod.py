"""Horovod: an optimizer that averages gradients over processes as it steps, and sums over them, which keep the graph."""

from __future__ import annotations

from collections.abc import Mapping

from loopcheck.read.vocabulary import Row, Same, Scoped, plain

FUNCTIONS: Mapping[str, Row] = {
    "horovod.torch.DistributedOptimizer": Same(),
    "horovod.torch.optimizer.DistributedOptimizer": Same(),
}
METHODS: Mapping[tuple[str, str], Row] = {
    ("optimizer", "synchronize"): plain,
    ("optimizer", "skip_synchronize"): Scoped(),
    ("optimizer", "set_backward_passes_per_step"): plain,
}
DIFFERENTIABLE = {"horovod"}
