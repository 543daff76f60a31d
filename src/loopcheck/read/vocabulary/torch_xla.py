"""PyTorch on XLA devices: the step that also reduces gradients, loaders that wrap loaders, and functions run on every device."""

from __future__ import annotations

from collections.abc import Mapping

from loopcheck.read.domain.values import NONE, Items, Value
from loopcheck.read.vocabulary import Builds, Call, Row, Same, Scoped
from loopcheck.read.vocabulary.optimizers import optimizer
from loopcheck.read.vocabulary.torch import scaler, spawn


def optimizer_step(call: Call) -> Value:
    """A step on such a device, where no scaler of CUDA is: what one would have to be told is nobody's question."""
    on = call.roles(call.get(0, "optimizer"), "optimizer")
    call.emit("step", on, {"scaled": False, "closure": False}, open=not on)
    call.emit("update", (), open=True)
    return NONE


def replicate(call: Call) -> Value:
    """`DataParallel(network, device_ids=…)`: a module, or what makes one."""
    network = call.get(0, "network") or NONE
    module = network if call.roles(network, "model") else call.invoke(network, ())
    return call.build("replicas", [], {}, {"module": module})


def on_every_device(call: Call) -> Value:
    """`parallel(function, loader)`: what it returns is a list of what the function does."""
    module = call.keeps(call.me, "module")
    context = call.build("context", [], {}, {})
    given = (module if isinstance(module, Value) else NONE, call.get(1, "loader") or NONE, call.unknown("device"), context)
    return Items((call.invoke(call.args[0], given),)) if call.args else NONE


def made_once(call: Call) -> Value:
    """`context.getattr_or(name, make)`: what one pass makes, the next ones find."""
    if len(call.args) != 2:
        return call.unknown("kept")
    made = call.invoke(call.args[1], ())
    for role in call.roles(made, "optimizer"):
        role.anew = frozenset()
    return made


_CORE = ["torch_xla.core.xla_model", "torch_xla_py.xla_model"]
_DISTRIBUTED = ["torch_xla.distributed", "torch_xla_py"]
_UTILS = ["torch_xla.utils.utils", "torch_xla_py.utils"]

FUNCTIONS: Mapping[str, Row] = {
    **{f"{core}.optimizer_step": optimizer_step for core in _CORE},
    **{f"{package}.parallel_loader.{name}": Same() for package in _DISTRIBUTED for name in ("MpDeviceLoader", "ParallelLoader")},
    **{f"{package}.data_parallel.DataParallel": replicate for package in _DISTRIBUTED},
    **{f"{package}.SampleGenerator": Builds("loader") for package in _UTILS},
    "torch_xla.distributed.xla_multiprocessing.MpModelWrapper": Same(),
    "torch_xla.distributed.xla_multiprocessing.spawn": spawn,
    "torch_xla.launch": spawn,
    "torch_xla.step": Scoped(),
    "torch_xla.amp.autocast": Scoped(),
    "torch_xla.amp.GradScaler": scaler,
    **{f"torch_xla.amp.syncfree.{name}": optimizer for name in ("Adam", "AdamW", "SGD")},
}
METHODS: Mapping[tuple[str, str], Row] = {
    ("loader", "per_device_loader"): Same(),
    ("replicas", "__call__"): on_every_device,
    ("context", "getattr_or"): made_once,
}
DIFFERENTIABLE = {"torch_xla", "torch_xla_py"}
