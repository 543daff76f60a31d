"""NVIDIA Apex: `amp.initialize`, `amp.scale_loss` and its master parameters, whose gradients are unscaled when the block ends."""

from __future__ import annotations

from collections.abc import Mapping

from loopcheck.read.values import NONE, Items, Value
from loopcheck.read.vocabulary import Call, Row, Same


def initialize(call: Call) -> Value:
    """Hands back the model, or the models and the optimizers."""
    return call.args[0] if len(call.args) == 1 and not call.keywords else Items((*call.args[:2], *call.keywords.values())[:2])


def scale_loss(call: Call) -> Value:
    return call.args[0] if call.args else NONE


FUNCTIONS: Mapping[str, Row] = {
    "apex.amp.initialize": initialize,
    "apex.amp.scale_loss": scale_loss,
    "apex.amp.master_params": Same(),
    "apex.parallel.DistributedDataParallel": Same(),
    "apex.parallel.convert_syncbn_model": Same(),
}
