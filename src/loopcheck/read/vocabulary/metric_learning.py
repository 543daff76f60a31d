"""pytorch-metric-learning: its losses that have weights of their own, a proxy or a center of each class, which an optimizer of
theirs trains."""

from __future__ import annotations

from loopcheck.read.domain.values import Value
from loopcheck.read.vocabulary import Call, Row


def learned(call: Call) -> Value:
    """A loss that learns: nothing in it differs between the modes, and it has no biases or norms."""
    return call.build("model", (), {"training": True}, {"moded": False, "vectors": False, "learned": True})


_OF_CLASSES = "ArcFace|CosFace|LargeMarginSoftmax|NormalizedSoftmax|Proxy(NCA|Anchor)|SoftTriple|SphereFace|SubCenterArcFace"
FAMILIES: list[tuple[str, Row]] = [(rf"pytorch_metric_learning\.losses\.(\w+\.)*({_OF_CLASSES})Loss$", learned)]
