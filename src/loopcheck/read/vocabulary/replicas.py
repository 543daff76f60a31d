"""A model on several devices of one process, by the functions that `DataParallel` is made of: replicas are the model itself."""

from __future__ import annotations

from collections.abc import Mapping

from loopcheck.api import APPLIES
from loopcheck.read.domain.parts import parts_of, tensor_in
from loopcheck.read.domain.values import NONE, Items, Tensor, Value
from loopcheck.read.vocabulary import Call, Row, Same
from loopcheck.read.vocabulary.torch import gathered


def replicated(call: Call) -> Value:
    """`replicate(network, devices)`: the network several times, whose gradients are its own."""
    network = call.get(0, "network") or NONE
    return Items((network, network))


def applied(call: Call) -> Value:
    """`parallel_apply(modules, inputs)`: each is applied, replicas of one as that one; what they put out is in a list."""
    modules, inputs = call.get(0, "modules") or NONE, call.get(1, "inputs") or NONE
    each = {id(part): part for part in parts_of(modules) if not isinstance(part, Items)}
    outputs = Items(tuple(call.invoke(module, (inputs,)) for module in each.values()))
    return tensor_in(outputs) or outputs


def applied_in_parallel(call: Call) -> Value:
    """`data_parallel(module, inputs)`."""
    inputs = call.get(1, "inputs")
    given = inputs.values if isinstance(inputs, Items) else () if inputs is None else (inputs,)
    return call.invoke(call.get(0, "module") or NONE, given)


def gathered_outputs(call: Call) -> Value:
    """`gather(outputs, device)`: those of one model are its outputs."""
    outputs = call.get(0, "outputs")
    return outputs if isinstance(outputs, Tensor) else gathered(call)


def scattered(call: Call) -> Value:
    """`scatter_kwargs(inputs, kwargs, devices)`: both, in parts."""
    return Items((call.get(0, "inputs") or NONE, call.get(1, "kwargs") or NONE))


_ROWS: Mapping[str, tuple[str, Row]] = {
    "replicate": ("replicate", replicated),
    "parallel_apply": ("parallel_apply", applied),
    **{name: (name, applied_in_parallel) for name in APPLIES},
    "gather": ("scatter_gather", gathered_outputs),
    "scatter": ("scatter_gather", Same()),
    "scatter_kwargs": ("scatter_gather", scattered),
}
FUNCTIONS: Mapping[str, Row] = {
    f"torch.nn.parallel.{path}": row for name, (module, row) in _ROWS.items() for path in (name, f"{module}.{name}")
}
