"""MONAI: networks of medical images, losses of what they put out, and windows that a network is applied to one after another."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from loopcheck.read.domain.values import NONE, Const, Value
from loopcheck.read.vocabulary import Builds, Call, Row
from loopcheck.read.vocabulary.layers import criterion

_BY_BATCH = re.compile(r"(AHNet|AttentionUnet|DenseNet\w*|EfficientNet\w*|HighResNet|ResNet\w*|SE[Rr]es\w*|SENet\w*|VNet)")
"""Networks with batch norms, whatever they are told."""
_BY_CASE = {"BasicUNet": "dropout", "DynUNet": "dropout", "SegResNet": "dropout_prob", "UNETR": "dropout_rate", "UNet": "dropout"}
"""Networks that have none by default, and drop nothing, each with the option that makes it drop."""
_BY_NAME = 99
"""The place of an option that is given by its name."""


def network(call: Call) -> Value:
    """`UNet(spatial_dims=3, …, norm="batch")`: instance and group norms are the same in both modes."""
    moded = _moded(call, call.name.rpartition(".")[2])
    return call.build("model", (), {"training": True}, {} if moded is None else {"moded": moded})


def _moded(call: Call, name: str) -> bool | None:
    if _BY_BATCH.fullmatch(name):
        return True
    if name not in _BY_CASE or not call.complete:
        return None
    norm = next((call.text(_BY_NAME, option) for option in ("norm", "norm_name") if option in call.keywords), "")
    share = call.keywords.get(_BY_CASE[name], Const(0.0))
    if "batch" in norm.lower():
        return True
    return bool(share.value) if isinstance(share, Const) else None


def slid(call: Call) -> Value:
    """`sliding_window_inference(inputs, roi_size, batch_size, predictor)`: a network is applied to parts of what it is given."""
    return call.invoke(call.get(3, "predictor") or NONE, (call.get(0, "inputs") or NONE,))


def slid_by(call: Call) -> Value:
    """`inferer(inputs, network)`."""
    return call.invoke(call.get(1, "network") or NONE, (call.get(0, "inputs") or NONE,))


FUNCTIONS: Mapping[str, Row] = {
    **{f"monai.inferers.{module}sliding_window_inference": slid for module in ("", "utils.")},
    **{
        f"monai.inferers.{module}{name}Inferer": Builds("inferer")
        for module in ("", "inferer.")
        for name in ("SlidingWindow", "Simple")
    },
}
METHODS: Mapping[tuple[str, str], Row] = {("inferer", "__call__"): slid_by}
FAMILIES: Sequence[tuple[str, Row]] = [
    (r"monai\.networks\.nets\.(\w+\.)?[A-Z]\w+$", network),
    (r"monai\.losses\.(\w+\.)?[A-Z]\w+$", criterion),
]
DIFFERENTIABLE = {"monai"}
