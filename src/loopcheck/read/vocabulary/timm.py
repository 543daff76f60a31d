"""timm: the loss scalers that do a whole step, schedules that are told where they are, and factories that split decay by themselves."""

from __future__ import annotations

from collections.abc import Mapping

from loopcheck.loop import Fact
from loopcheck.read.values import NONE, Const, Items, Object, Params, Value, parts_of
from loopcheck.read.vocabulary import Builds, Call, Does, Row, Same
from loopcheck.read.vocabulary.layers import criterion, network, plain
from loopcheck.read.vocabulary.torch import clip, optimizer_facts, parameters, scaler_keeps, scaler_scale

_OPTIMIZERS = [
    "AdaBelief", "Adafactor", "AdafactorBigVision", "Adahessian", "AdamP", "AdamWLegacy", "Adan", "Adopt", "Lamb", "LaProp",
    "Lars", "Lion", "MADGRAD", "Mars", "Muon", "NAdamLegacy", "NAdamW", "NvNovoGrad", "RAdamLegacy", "RMSpropTF", "SGDP", "SGDW",
    "Adadelta", "Adagrad", "Adamax", "Adam", "AdamW", "RMSprop", "SGD", "NAdam", "RAdam",
]  # fmt: skip
_SCHEDULERS = {
    "Cosine": "cosine_lr", "MultiStep": "multistep_lr", "Plateau": "plateau_lr", "Poly": "poly_lr", "Step": "step_lr",
    "Tanh": "tanh_lr",
}  # fmt: skip


def scale_and_step(call: Call) -> Value:
    """`loss_scaler(loss, optimizer, clip_grad=…, parameters=…, need_update=…)`: backward, and with `need_update` all the rest."""
    optimizers = call.roles(call.get(1, "optimizer"), "optimizer")
    scalers = call.roles(call.me, "scaler")
    call.backward(scaler_scale(call), call.text(0, "loss"))

    def limit() -> None:
        params = call.roles(call.get(4, "parameters"), "model")
        call.emit("unscale", [*optimizers, *scalers], open=not optimizers)
        call.emit("clip", params or optimizers, {"limits": True}, open=not params and not optimizers)

    def update() -> None:
        call.when(call.get(2, "clip_grad"), limit)
        call.emit("step", [*optimizers, *scalers], {"scaled": True, "closure": False}, open=not optimizers)
        call.emit("update", scalers)

    call.when(call.get(6, "need_update") or Const(True), update)
    return NONE


def factory_facts(call: Call) -> Mapping[str, Fact | None]:
    """Of a whole model the factory spares what is one-dimensional; parameters it takes as they are."""
    facts = dict(optimizer_facts(call))
    family = call.get(1, "opt")
    facts["family"] = str(family.value) if isinstance(family, Const) else None
    if not any(isinstance(part, Params) for part in parts_of(call.get(0, "model_or_params") or NONE)):
        facts["one_group"] = None
    return facts


def factory_of_options(call: Call) -> Value:
    """`create_optimizer(args, model)`."""
    model = call.get(1, "model")
    return call.build("optimizer", [model] if model else [], {}, {})


def scheduled(at: int) -> Row:
    """A factory of schedules: it hands back the schedule and the number of epochs."""

    def make(call: Call) -> Value:
        optimizer = call.get(at, "optimizer")
        made = call.build("scheduler", [optimizer] if optimizer else [], {}, {})
        return Items((made, call.unknown("epochs")))

    return make


def average(call: Call) -> Value:
    """A copy whose weights follow the model's: evaluated, never trained."""
    copy = call.build("model", (), {"training": True}, {"moded": None})
    call.freeze(call.roles(copy, "model"), True)
    return copy


FUNCTIONS: Mapping[str, Row] = {
    **{
        f"timm.{module}.NativeScaler": Builds("scaler", keeps=scaler_keeps)
        for module in ("utils", "utils.cuda")
    },
}
