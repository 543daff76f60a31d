"""Losses of single samples, added up in a loop over those of a batch: a sum over samples, and so over a window as well."""

from __future__ import annotations

from loopcheck.read.domain.parts import tensor_in
from loopcheck.read.domain.values import Tensor, Value
from loopcheck.read.front import ir
from loopcheck.read.interpret.machine import Machine
from loopcheck.words import SAMPLES, words


def of_samples(m: Machine, total: Value) -> Value:
    """What `total += loss` comes to: in a loop over as many as a batch has, a sum over samples."""
    turn = m.state.here.passes[-1] if m.state.here.passes else None
    if not isinstance(total, Tensor) or turn is None or turn.iterates or not isinstance(turn.node, ir.For):
        return total
    return total.made("total") if _goes_over_a_batch(m, turn.node.iterable) else total


def _goes_over_a_batch(m: Machine, iterable: ir.Expression) -> bool:
    """`enumerate(targets)`, `range(len(targets))`, `range(x.size(0))`, `range(batch_size)`: of data, not of a model's outputs."""
    match iterable:
        case ir.Call(function=ir.Name(name="enumerate"), arguments=(ir.Argument(value=data), *_)):
            return tensor_in(m.evaluate(data)) is None
        case ir.Call(function=ir.Name(name="range"), arguments=(*_, ir.Argument(value=end))):
            named = (each.name for each in ir.walk(end) if isinstance(each, (ir.Name, ir.Attribute)))
            return _is_length(m, end) or any(words(name) & SAMPLES for name in named)
        case _:
            return False


def _is_length(m: Machine, end: ir.Expression) -> bool:
    match end:
        case ir.Call(function=ir.Name(name="len"), arguments=(ir.Argument(value=data),)):
            return tensor_in(m.evaluate(data)) is None
        case ir.Call(function=ir.Attribute(name="size"), arguments=(ir.Argument(value=ir.Literal(value=0)),)):
            return True
        case ir.Subscript(base=ir.Attribute(name="shape"), index=ir.Literal(value=0)):
            return True
        case _:
            return False
