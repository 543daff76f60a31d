"""Hugging Face Accelerate: what `prepare` takes over, and the backward that divides by the accumulation steps.

Under `accumulate` a prepared optimizer's `step` and `zero_grad` and a prepared scheduler's `step` wait for the last micro-batch
of a window, on which gradients are in sync. An `Accelerator` that is told of no accumulation has windows of one.
"""

from __future__ import annotations

from collections.abc import Mapping

from loopcheck.loop import Role
from loopcheck.read.domain.values import NONE, Const, Items, Object, Scope, Symbol, Value
from loopcheck.read.vocabulary import (
    Builds,
    Call,
    Look,
    Outlasting,
    Row,
    Same,
    Scoped,
    constant,
    first,
    handed_back,
    managed_backward,
    plain,
    take_over,
    worth,
)
from loopcheck.read.vocabulary.checkpoints import taken
from loopcheck.read.vocabulary.torch import clip, scheduler_keeps


def accelerator_keeps(call: Call) -> Mapping[str, object]:
    """steps: the micro-batches of a window; None where they are out of sight. scaled: it has a GradScaler, as fp16 needs.
    scaler: that one, or None."""
    given = call.get(3, "gradient_accumulation_steps")
    plugin = call.get(99, "gradient_accumulation_plugin")
    scaled = worth(call.get(2, "mixed_precision")) == "fp16"
    own = call.unknown("scaler")
    if isinstance(own, Symbol):
        own.role = Role("scaler", "scaler", open=True)
    if given is None and plugin is not None:
        return {"steps": call.keeps(plugin, "steps"), "scaled": scaled, "scaler": own}
    return {"steps": Const(1) if given is None and call.complete else given, "scaled": scaled, "scaler": own}


def plugin_keeps(call: Call) -> Mapping[str, object]:
    return {"steps": call.get(0, "num_steps") or (Const(1) if call.complete else None)}


def steps(keeps: Mapping[str, object]) -> Value | None:
    found = keeps.get("steps")
    return found if isinstance(found, Value) else None


def scaler(keeps: Mapping[str, object]) -> Value | None:
    found = keeps.get("scaler")
    return found if isinstance(found, Symbol) else None


def sync_gradients(keeps: Mapping[str, object]) -> Value | None:
    found = keeps.get("in_sync")
    return found if isinstance(found, Value) else Const(True)


def prepare(call: Call) -> Value:
    take_over(call, "accelerate", call.args, f"{call.receiver}.backward")
    waiting = [Object(role) for role in call.objects(call.args) if role.kind in ("optimizer", "scheduler")]
    call.keep(call.me, waiting=Items((*_waiting(call), *waiting)))
    return handed_back(call)


def _waiting(call: Call) -> tuple[Value, ...]:
    """What has been prepared of what waits for gradients to be in sync."""
    found = call.keeps(call.me, "waiting")
    return found.values if isinstance(found, Items) else ()


def accumulate(call: Call) -> Value:
    take_over(call, "accelerate", call.args, f"{call.receiver}.backward")
    if not _windows_of_one(call):
        before = call.keeps(call.me, "in_sync_before")
        in_sync = call.window(_window(call), before if isinstance(before, Value) else None)
        call.keep(call.me, in_sync=in_sync)
        _wait(call, in_sync)
    return Scope(leave=lambda: _wait(call, None))


def accumulated_before(call: Call) -> None:
    """What comes ahead of `accumulate` in a pass goes by the micro-batch of the pass before: whether gradients are in sync stands
    until it is entered again."""
    if not _windows_of_one(call):
        before = call.window_before(_window(call))
        call.keep(call.me, in_sync_before=before)
        _wait(call, before)


def _windows_of_one(call: Call) -> bool:
    return call.keeps(call.me, "steps") == Const(1)


def _window(call: Call) -> str:
    return f"{call.receiver}.gradient_accumulation_steps"


def _wait(call: Call, until: Value | None) -> None:
    for each in _waiting(call):
        call.keep(each, waits=until)


def backward(call: Call) -> Value:
    by = call.attribute(call.me or NONE, "gradient_accumulation_steps")
    known, scaled = call.keeps(call.me, "steps") is not None, call.keeps(call.me, "scaled") is True
    synced = True if by == Const(1) else None  # it knows of no window, whose end it could wait for
    return managed_backward(call, call.get(0, "loss"), by, known, scaled, synced)


def unscale_gradients(call: Call) -> Value:
    on = call.roles(call.get(0, "optimizer"), "optimizer")
    call.emit("unscale", on, open=not on)
    return NONE


def clip_unscaled(call: Call) -> Value:
    """`accelerator.clip_grad_norm_(parameters, …)` unscales the gradients first."""
    call.emit("unscale", [], open=True)
    return clip(call)


def state_of(call: Call) -> Value:
    """`accelerator.get_state_dict(model)`: the model's own, of whatever it was wrapped in."""
    return taken(call.on(call.get(0, "model") or NONE))


def launch(call: Call) -> Value:
    """`notebook_launcher(function, args)`."""
    args = call.get(1, "args")
    return call.invoke(call.get(0, "function") or NONE, args.values if isinstance(args, Items) else ())


_ACCELERATORS = ["accelerate.Accelerator", "accelerate.accelerator.Accelerator"]
_PLUGINS = ["accelerate.utils.GradientAccumulationPlugin", "accelerate.utils.dataclasses.GradientAccumulationPlugin"]
_SCOPES = [
    "autocast", "join_uneven_inputs", "local_main_process_first", "main_process_first", "no_sync", "profile",
    "split_between_processes",
]  # fmt: skip
_CONSTANT = ["device", "is_last_process", "is_local_main_process", "is_main_process", "num_processes", "process_index"]

FUNCTIONS: Mapping[str, Row] = {
    **{name: Builds("accelerator", keeps=accelerator_keeps) for name in _ACCELERATORS},
    **{name: Builds("accumulation plugin", keeps=plugin_keeps) for name in _PLUGINS},
    "accelerate.optimizer.AcceleratedOptimizer": Same(),
    "accelerate.scheduler.AcceleratedScheduler": Same(),
    "accelerate.utils.DummyOptim": Builds("optimizer", ((0, "params"),)),
    "accelerate.utils.DummyScheduler": Builds("scheduler", ((0, "optimizer"),), keeps=scheduler_keeps),
    "accelerate.local_sgd.LocalSGD": Builds("local sgd"),
    "accelerate.skip_first_batches": first,
    "accelerate.data_loader.skip_first_batches": first,
    "accelerate.notebook_launcher": launch,
    "accelerate.debug_launcher": launch,
}
METHODS: Mapping[tuple[str, str], Row] = {
    **{("accelerator", f"prepare{what}"): prepare for what in ("", "_model", "_optimizer", "_scheduler", "_data_loader")},
    **{("accelerator", name): Scoped() for name in _SCOPES},
    ("accelerator", "accumulate"): Outlasting(accumulate, accumulated_before),
    ("accelerator", "backward"): backward,
    ("accelerator", "clip_grad_norm_"): clip_unscaled,
    ("accelerator", "clip_grad_value_"): clip_unscaled,
    ("accelerator", "unscale_gradients"): unscale_gradients,
    ("accelerator", "get_state_dict"): state_of,
    ("accelerator", "unwrap_model"): first,
    ("accelerator", "skip_first_batches"): first,
    **{("accelerator", name): plain for name in ("gather", "gather_for_metrics", "print", "reduce", "wait_for_everyone")},
}
ATTRIBUTES: Mapping[tuple[str, str], str | Look] = {
    ("accelerator", "gradient_accumulation_steps"): steps,
    ("accelerator", "scaler"): scaler,
    ("accelerator", "sync_gradients"): sync_gradients,
    **{("accelerator", name): constant for name in _CONSTANT},
}
BASES: Mapping[str, str] = dict.fromkeys(_ACCELERATORS, "accelerator")
NAMED: Mapping[str, str] = {"accelerator": "accelerator"}
