"""TorchMetrics and TorchEval: objects that are called with predictions and keep numbers, without a graph."""

from __future__ import annotations

from collections.abc import Mapping

from loopcheck.read.vocabulary import Builds, Row, Same, plain

FAMILIES: list[tuple[str, Row]] = [(r"(torchmetrics|torcheval\.metrics)\.(\w+\.)*[A-Z]\w*$", Builds("metric"))]
METHODS: Mapping[tuple[str, str], Row] = {
    **{("metric", name): plain for name in ("__call__", "forward", "update", "compute", "reset")},
    **{("metric", name): Same() for name in ("to", "clone")},
}
PURE = {"torcheval", "torchmetrics"}
