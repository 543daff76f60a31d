"""timm: loss scalers that do a whole step, schedules that are told where they are, factories that spare norms from decay."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from loopcheck.loop import Fact
from loopcheck.read.domain.health import NORM
from loopcheck.read.domain.parts import parts_of
from loopcheck.read.domain.values import NONE, Const, Items, Params, Tensor, Value
from loopcheck.read.vocabulary import Builds, Call, Does, Row, worth
from loopcheck.read.vocabulary.layers import criterion, layer, network
from loopcheck.read.vocabulary.optimizers import optimizer, optimizer_facts
from loopcheck.read.vocabulary.torch import scaled

_OPTIMIZERS = [
    "AdaBelief", "Adadelta", "Adafactor", "AdafactorBigVision", "Adagrad", "Adahessian", "Adam", "AdamP", "AdamW", "AdamWLegacy",
    "Adamax", "Adan", "Adopt", "LaProp", "Lamb", "Lars", "Lion", "MADGRAD", "Mars", "Muon", "NAdam", "NAdamLegacy", "NAdamW",
    "NvNovoGrad", "RAdam", "RAdamLegacy", "RMSprop", "RMSpropTF", "SGD", "SGDP", "SGDW",
]  # fmt: skip


def loss_scaler(call: Call) -> Value:
    """`loss_scaler(loss, optimizer, clip_grad=…, parameters=…, need_update=…)`: a backward, and where needed all the rest."""
    optimizers = call.roles(call.get(1, "optimizer"), "optimizer")
    scalers = call.roles(call.me, "scaler")
    call.backward(scaled(call.get(0, "loss"), call.me), {})

    def limit() -> None:
        params = call.roles(call.get(4, "parameters"), "model")
        call.emit("unscale", [*optimizers, *scalers], open=not optimizers)
        call.emit("clip", params or optimizers, {"limits": True, "managed": True}, open=not params and not optimizers)

    def update() -> None:
        call.when(call.get(2, "clip_grad"), limit)
        call.emit("step", [*optimizers, *scalers], {"scaled": True, "closure": False}, open=not optimizers)
        call.emit("update", scalers)

    call.when(call.get(6, "need_update") or Const(True), update)
    return NONE


def dispatched_clip(call: Call) -> Value:
    """`dispatch_clip_grad(parameters, value, mode=…)`, `adaptive_clip_grad(parameters, clip_factor=…)`."""
    what = call.get(0, "parameters")
    mode = worth(call.get(2, "mode"), "norm")
    facts = {"limits": True, "managed": False, "by": mode if mode in ("norm", "value") else None}
    call.emit("clip", call.roles(what, "model"), facts, open=not call.roles(what, "model"))
    return Tensor(NORM)


def factory_facts(call: Call) -> Mapping[str, Fact | None]:
    """Of a whole model the factory spares what is one-dimensional; parameters it takes as they are."""
    facts = dict(optimizer_facts(call))
    name = worth(call.get(1, "opt"), "sgd")
    facts["family"] = name if isinstance(name, str) else None
    if not any(isinstance(part, Params) for part in parts_of(call.get(0, "model_or_params") or NONE)):
        facts["one_group"] = None
    return facts


def factory_of_options(call: Call) -> Value:
    """`create_optimizer(args, model)`."""
    model = call.get(1, "model")
    return call.build("optimizer", [] if model is None else [model], {}, {})


def scheduler_at(index: int) -> Row:
    """A factory of schedules, given the optimizer at this position: it hands back the schedule and the number of epochs."""

    def make(call: Call) -> Value:
        optimizer = call.get(index, "optimizer")
        made = call.build("scheduler", [] if optimizer is None else [optimizer], {}, {})
        return Items((made, call.unknown("epochs")))

    return make


def repeated(call: Call) -> Value:
    """`to_2tuple(size)`: a number twice, and what is a pair already as it is."""
    size, times = call.get(0, "x"), int(call.name[-len("2tuple")])
    return Items((size,) * times) if isinstance(size, Const) else size if isinstance(size, Items) else call.pure()


def parameters_of(call: Call) -> Params:
    """`model_parameters(model, exclude_head=…)`."""
    models = frozenset(call.roles(call.get(0, "model"), "model"))
    return Params(models, whole=worth(call.get(1, "exclude_head"), False) is False, open=not models)


def groups_of(call: Call) -> Params:
    """Parameter groups of a model, without decay for what is one-dimensional."""
    return replace(parameters_of(call), grouped=True)


FAMILIES: list[tuple[str, Row]] = [
    (r"timm\.utils\.(cuda\.)?(NativeScaler|ApexScaler)$", Builds("scaler", keeps=lambda call: {"enabled": True})),
    (
        r"timm\.utils\.(clip_grad\.dispatch_clip_grad|agc\.adaptive_clip_grad|dispatch_clip_grad|adaptive_clip_grad)$",
        dispatched_clip,
    ),
    (rf"timm\.optim\.(\w+\.)?({'|'.join(_OPTIMIZERS)})$", optimizer),
    (r"timm\.optim\.(\w+\.)?create_optimizer_v2$", Builds("optimizer", ((0, "model_or_params"),), factory_facts)),
    (r"timm\.optim\.(\w+\.)?create_optimizer$", factory_of_options),
    (r"timm\.optim\.(\w+\.)?(param_groups_\w+|add_weight_decay)$", groups_of),
    (r"timm\.models\.(\w+\.)?model_parameters$", parameters_of),
    (r"timm\.scheduler\.(\w+\.)?create_scheduler_v2$", scheduler_at(0)),
    (r"timm\.scheduler\.(\w+\.)?create_scheduler$", scheduler_at(1)),
    (r"timm\.scheduler\.(\w+\.)?\w+LRScheduler$", Builds("scheduler", ((0, "optimizer"),))),
    (r"timm\.data\.(\w+\.)?create_loader$", Builds("loader")),
    (r"timm\.loss\.(\w+\.)?[A-Z]\w+$", criterion),
    (r"timm\.(models\.)?layers\.(\w+\.)?[A-Z]\w+$", layer),
    (r"timm\.(models\.)?layers\.(helpers\.)?to_\dtuple$", repeated),
    (r"timm\.(models\.)?(\w+\.)?create_model$", network),
    (r"timm\.models\.(\w+\.)?([A-Z]\w+|[a-z]\w*\d\w*)$", network),
]
LEARNING = [r"timm\.(models|layers)\.(\w+\.)*(Attention|Block|ConvMlp|GluMlp|Mlp|PatchEmbed|SqueezeExcite|SwiGLU)$"]
CRITERIA = {
    f"timm.loss.{module}{name}()": of
    for name, module, of in (
        ("SoftTargetCrossEntropy", "cross_entropy.", "cross_entropy"),
        ("LabelSmoothingCrossEntropy", "cross_entropy.", "cross_entropy"),
        ("BinaryCrossEntropy", "binary_cross_entropy.", "binary_cross_entropy_with_logits"),
    )
    for module in ("", module)
}
METHODS: Mapping[tuple[str, str], Row] = {
    ("scaler", "__call__"): loss_scaler,
    ("scheduler", "step_update"): Does("schedule", lambda call: {"epoch": True}),
}
PURE = {"timm"}
