"""Lightning Fabric: what `setup` takes over, and the backward that carries the loss scale. It divides by nothing."""

from __future__ import annotations

from collections.abc import Mapping

from loopcheck.read.domain.values import NONE, Const, Value
from loopcheck.read.vocabulary import (
    Builds,
    Call,
    Look,
    Row,
    Scoped,
    constant,
    first,
    handed_back,
    managed_backward,
    take_over,
    worth,
)
from loopcheck.read.vocabulary.torch import clip_facts


def fabric_keeps(call: Call) -> Mapping[str, object]:
    """scaled: it has a GradScaler, as fp16 needs."""
    return {"scaled": worth(call.get(4, "precision")) in ("16-mixed", "16", 16)}


def setup(call: Call) -> Value:
    take_over(call, "fabric", call.args, f"{call.receiver}.backward")
    return handed_back(call)


def backward(call: Call) -> Value:
    return managed_backward(call, call.get(0, "tensor"), Const(1), scaled=call.keeps(call.me, "scaled") is True)


def clip_gradients(call: Call) -> Value:
    """`clip_gradients(model, optimizer, max_norm=…)` unscales the gradients first."""
    on = call.roles(call.get(1, "optimizer"), "optimizer") or call.roles(call.get(0, "module"), "model")
    call.emit("unscale", on, open=not on)
    call.emit("clip", on, clip_facts(call), open=not on)
    return NONE


def launch(call: Call) -> Value:
    """`launch()`, or `launch(function, …)`, which is given the Fabric first."""
    return call.invoke(call.args[0], (call.me or NONE, *call.args[1:])) if call.args else NONE


_FABRICS = [
    "lightning.Fabric", "lightning.fabric.Fabric", "lightning.fabric.fabric.Fabric", "lightning_fabric.Fabric",
    "lightning_fabric.fabric.Fabric",
]  # fmt: skip
_SCOPES = ["autocast", "init_module", "init_tensor", "no_backward_sync", "rank_zero_first", "sharded_model"]

FUNCTIONS: Mapping[str, Row] = {name: Builds("fabric", keeps=fabric_keeps) for name in _FABRICS}
METHODS: Mapping[tuple[str, str], Row] = {
    **{("fabric", name): setup for name in ("setup", "setup_module", "setup_optimizers", "setup_dataloaders")},
    **{("fabric", name): Scoped() for name in _SCOPES},
    ("fabric", "backward"): backward,
    ("fabric", "clip_gradients"): clip_gradients,
    ("fabric", "launch"): launch,
    ("fabric", "to_device"): first,
}
ATTRIBUTES: Mapping[tuple[str, str], str | Look] = {
    ("fabric", name): constant for name in ("device", "global_rank", "is_global_zero", "world_size")
}
BASES: Mapping[str, str] = dict.fromkeys(_FABRICS, "fabric")
NAMED: Mapping[str, str] = {"fabric": "fabric"}
