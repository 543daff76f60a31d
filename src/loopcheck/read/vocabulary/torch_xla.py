"""PyTorch on XLA devices: the step that also reduces gradients, and loaders that wrap loaders."""

from __future__ import annotations

from collections.abc import Mapping

from loopcheck.read.values import NONE, Value
from loopcheck.read.vocabulary import Call, Row, Same


def optimizer_step(call: Call) -> Value:
    on = call.roles(call.get(0, "optimizer"), "optimizer")
    call.emit("step", on, {"scaled": False, "closure": False}, open=not on)
    return NONE


FUNCTIONS: Mapping[str, Row] = {
    "torch_xla.core.xla_model.optimizer_step": optimizer_step,
    "torch_xla.distributed.parallel_loader.MpDeviceLoader": Same(),
}
