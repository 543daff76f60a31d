"""DeepSpeed: the engine that `initialize` makes of a model. The engine is the model, for all that is done to it.

It runs the backward, and its `step` clips, steps, clears and schedules where a window ends. A loop is written as if each
batch were a step, and so it is read.
"""

from __future__ import annotations

from collections.abc import Mapping

from loopcheck.loop import Role
from loopcheck.read.domain.values import NONE, Const, Items, Object, Value
from loopcheck.read.vocabulary import Call, Row, Same, managed_backward, plain, take_over


def initialize(call: Call) -> Value:
    """Hands back the engine, the optimizer, the loader and the scheduler."""
    model = call.get(1, "model") or NONE
    optimizer = call.get(2, "optimizer") or NONE
    if optimizer == NONE:
        optimizer = call.build("optimizer", [call.get(3, "model_parameters") or model], {}, {})
    scheduler = call.get(5, "lr_scheduler") or call.unknown("lr_scheduler")
    config = call.get(10, "config") or call.get(10, "config_params") or NONE
    take_over(call, "deepspeed", [model, optimizer])
    joins_group(call)
    call.keep(model, optimizer=optimizer, scheduler=scheduler, steps=_configured(config), joined=call.in_group)
    return Items((model, optimizer, call.unknown("training_dataloader"), scheduler))


def joins_group(call: Call) -> Value:
    """`init_distributed(dist_backend="nccl")`: its launcher has started several processes."""
    call.join_group(None)
    return NONE


def _configured(config: Value) -> Value | None:
    """The micro-batches of a window, where the configuration is in sight and says so."""
    known = dict(zip(config.keys or (), config.values, strict=False)) if isinstance(config, Items) else {}
    return known.get("gradient_accumulation_steps")


def backward(call: Call) -> Value:
    if call.keeps(call.me, "optimizer") is None:  # handed in, with an optimizer that is out of sight
        call.keep(call.me, optimizer=Object(Role("optimizer", "", of=tuple(call.roles(call.me, "model")))))
    known = call.keeps(call.me, "steps") is not None
    return managed_backward(call, call.get(0, "loss"), accumulation_steps(call), known)


def step(call: Call) -> Value:
    """Of a model that is no engine, a method of its own."""
    optimizer, scheduler = (call.keeps(call.me, name) for name in ("optimizer", "scheduler"))
    if not isinstance(optimizer, Value):
        return call.pure()
    stepped = call.roles(optimizer, "optimizer")
    call.emit("step", stepped, {"closure": False})
    call.emit("zero_grad", stepped)
    if isinstance(scheduler, Object):
        call.emit("schedule", [scheduler.role], {"epoch": False})
    return NONE


def accumulation_steps(call: Call) -> Value:
    given = call.keeps(call.me, "steps")
    return given if isinstance(given, Value) else call.attribute(call.me or NONE, "gradient_accumulation_steps")


_HOUSEKEEPING = [
    "get_global_grad_norm", "get_lr", "load_checkpoint", "save_16bit_model", "save_checkpoint",
    "set_gradient_accumulation_boundary", "set_train_batch_size", "train_batch_size", "train_micro_batch_size_per_gpu",
]  # fmt: skip

FUNCTIONS: Mapping[str, Row] = {
    "deepspeed.initialize": initialize,
    "msamp.deepspeed.initialize": initialize,
    **dict.fromkeys(("deepspeed.init_distributed", "deepspeed.comm.init_distributed"), joins_group),
    "deepspeed.utils.zero_to_fp32.load_state_dict_from_zero_checkpoint": Same(),
}
METHODS: Mapping[tuple[str, str], Row] = {
    ("model", "backward"): backward,
    ("model", "step"): step,
    ("model", "gradient_accumulation_steps"): accumulation_steps,
    ("model", "is_gradient_accumulation_boundary"): lambda call: Const(True),
    **{("model", name): plain for name in _HOUSEKEEPING},
}
USED: Mapping[frozenset[str], str] = {frozenset({"backward", "step"}): "model"}
