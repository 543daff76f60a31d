"""TorchMetrics and TorchEval: objects that are called with predictions and keep numbers, without a graph."""

from __future__ import annotations

from collections.abc import Mapping

from loopcheck.read.domain.parts import tensor_in
from loopcheck.read.domain.values import Value
from loopcheck.read.vocabulary import Builds, Call, Row, Same, plain


def told(call: Call) -> Value:
    """`metric.update(logits, y)` keeps numbers of what it is given, for it computes where autograd is off; what a call of the
    metric gives back may be a loss."""
    for each in (*call.args, *call.keywords.values()):
        if tensor := tensor_in(each):
            call.take_numbers(tensor)
    return call.pure()


FAMILIES: list[tuple[str, Row]] = [(r"(torchmetrics|torcheval\.metrics)\.(\w+\.)*[A-Z]\w*$", Builds("metric"))]
METHODS: Mapping[tuple[str, str], Row] = {
    ("metric", "update"): told,
    **{("metric", name): plain for name in ("__call__", "forward", "compute", "reset")},
    **{("metric", name): Same() for name in ("to", "clone")},
}
PURE = {"torcheval", "torchmetrics"}
