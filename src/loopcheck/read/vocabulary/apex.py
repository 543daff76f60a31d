"""NVIDIA Apex: `amp.initialize`, `amp.scale_loss` and its master parameters, whose gradients are unscaled when the block ends."""

from __future__ import annotations

from collections.abc import Mapping

from loopcheck.read.domain.values import NONE, Const, Items, Value
from loopcheck.read.vocabulary import Call, Row, Same, managed_backward
from loopcheck.read.vocabulary.layers import layer
from loopcheck.read.vocabulary.optimizers import optimizer
from loopcheck.read.vocabulary.torch import clip, limits


def initialize(call: Call) -> Value:
    """Hands back the model, or the models and the optimizers."""
    return call.args[0] if len(call.args) == 1 and not call.keywords else Items((*call.args[:2], *call.keywords.values())[:2])


def scale_loss(call: Call) -> Value:
    return call.args[0] if call.args else NONE


def backward(call: Call) -> Value:
    """`FP16_Optimizer.backward(loss)` scales the loss, and unscales the master gradients."""
    return managed_backward(call, call.get(0, "loss"), Const(1))


def clip_master_grads(call: Call) -> Value:
    on = call.roles(call.me, "optimizer")
    call.emit("clip", on, {"limits": limits(call.get(0, "max_norm")), "managed": True, "by": "norm"})
    return NONE


def distributed(call: Call) -> Value:
    """`DistributedDataParallel(model)`: several processes have it; unlike torch's, it has no `no_sync`."""
    call.keep(call.get(0, "module"), joined=call.in_group, wrapped=True)
    return Same()(call)


_OPTIMIZERS = [
    "FusedAdagrad", "FusedAdam", "FusedLAMB", "FusedMixedPrecisionLamb", "FusedNovoGrad", "FusedSGD",
]  # fmt: skip
_HAND_BACK = [
    "amp.master_params", "fp16_utils.BN_convert_float", "fp16_utils.FP16_Optimizer", "fp16_utils.network_to_half",
    "optimizers.FP16_Optimizer", "parallel.LARC", "parallel.LARC.LARC", "parallel.convert_syncbn_model",
]  # fmt: skip

FUNCTIONS: Mapping[str, Row] = {
    "apex.amp.initialize": initialize,
    "apex.amp.scale_loss": scale_loss,
    "apex.contrib.clip_grad.clip_grad_norm_": clip,
    **dict.fromkeys(("apex.parallel.DistributedDataParallel", "apex.parallel.distributed.DistributedDataParallel"), distributed),
    **{f"apex.{name}": Same() for name in _HAND_BACK},
    **{f"apex.optimizers.{name}": optimizer for name in _OPTIMIZERS},
    **{f"apex.normalization.{name}": layer for name in ("FusedLayerNorm", "FusedRMSNorm")},
}
METHODS: Mapping[tuple[str, str], Row] = {
    ("optimizer", "backward"): backward,
    ("optimizer", "clip_master_grads"): clip_master_grads,
}
PURE = {"apex"}
