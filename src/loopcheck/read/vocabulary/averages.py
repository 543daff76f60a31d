"""Averages of weights (SWA, EMA): copies that follow a model, are evaluated and never trained; some hold bare parameters."""

from __future__ import annotations

from collections.abc import Mapping

from loopcheck.read.domain.values import NONE, Value
from loopcheck.read.vocabulary import Builds, Call, Does, Row, Scoped, plain, worth
from loopcheck.read.vocabulary.torch import scheduler_keeps


def copies(training: bool | None, frozen: bool = False) -> Row:
    """A constructor that copies the model. training: the copy's mode, None where it is the model's. frozen: without gradients."""

    def row(call: Call) -> Value:
        moded = call.moded(call.get(0, "model"))
        mode = call.in_train_mode(call.get(0, "model")) if training is None else training
        copy = call.build("model", (), {"training": mode}, {} if moded is None else {"moded": moded})
        if frozen:
            call.freeze(call.roles(copy, "model"), True)
        return copy

    return row


def averaged(call: Call) -> Value:
    """`AveragedModel(model)`, which averages parameters, and statistics only where it is told so."""
    made = copies(training=True)(call)
    used = worth(call.get(4, "use_buffers"), False)
    stale = call.by_batch(call.get(0, "model")) if used is False and call.complete else None
    call.keep(made, by_batch=stale)
    call.emit("average", call.roles(made, "model"), {"stale": stale})
    return made


def recalibrated(call: Call) -> Value:
    """`update_bn(loader, model)`."""
    call.emit("calibrate", call.roles(call.get(1, "model"), "model"))
    return NONE


_FOLLOWS = [
    "copy_params_from_ema_to_model", "copy_params_from_model_to_ema", "forward_eval", "set", "update", "update_model_with_ema",
]  # fmt: skip
_OF_PARAMETERS = ["copy_to", "load_state_dict", "restore", "state_dict", "step", "store", "to", "update"]

FUNCTIONS: Mapping[str, Row] = {
    "torch.optim.swa_utils.AveragedModel": averaged,
    "torch.optim.swa_utils.update_bn": recalibrated,
    "torch.optim.swa_utils.SWALR": Builds("scheduler", ((0, "optimizer"),), keeps=scheduler_keeps),
    **{f"timm.utils.{module}ModelEmaV{version}": copies(training=False) for module in ("", "model_ema.") for version in (2, 3)},
    "timm.utils.ModelEma": copies(training=False, frozen=True),
    "timm.utils.model_ema.ModelEma": copies(training=False, frozen=True),
    "ema_pytorch.EMA": copies(training=None, frozen=True),
    "torch_ema.ExponentialMovingAverage": Builds("average"),
    "torch_ema.ema.ExponentialMovingAverage": Builds("average"),
    "diffusers.training_utils.EMAModel": Builds("average"),
}
METHODS: Mapping[tuple[str, str], Row] = {
    ("model", "update_parameters"): Does("absorb"),
    **{("model", name): plain for name in _FOLLOWS},
    **{("average", name): plain for name in _OF_PARAMETERS},
    ("average", "average_parameters"): Scoped(),
}
ATTRIBUTES: Mapping[tuple[str, str], str] = {("model", "ema"): "model", ("model", "ema_model"): "model"}
PURE = {"ema_pytorch", "torch_ema"}
