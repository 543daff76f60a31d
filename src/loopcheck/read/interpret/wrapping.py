"""Which names stand for a wrapper around a model, as `ddp` does in `ddp = DistributedDataParallel(model)`, and not for itself."""

from __future__ import annotations

from loopcheck.api import WRAPPER_NAMES, WRAPPING
from loopcheck.read.domain.heap import Key
from loopcheck.read.domain.values import Api, Const, Frame, Instance, Object, Symbol
from loopcheck.read.front import ir
from loopcheck.read.interpret.machine import Machine
from loopcheck.read.vocabulary import Same, methods


class _Wrappers:
    """The owner of what is known of names that stand for wrappers."""


WRAPPERS = _Wrappers()


class _Apart:
    """The owner of what is known of names that stand for a model as a framework hands it out."""


APART = _Apart()


def note_wrapper(m: Machine, target: ir.Expression, value: ir.Expression) -> None:
    """A name is bound, to a wrapper or to something else."""
    known = m.state.heap.of(WRAPPERS)
    held = wrapper(m, value) if m.state.inert is None else ""
    key = _key(m, target) if held or known else None
    if key is not None and (held or key in known or _unwraps(value)):
        m.state.heap[(WRAPPERS, key)] = Const(held)  # after a branch, too, whatever it was before
    apart = is_apart(m, value)
    if (apart or m.state.heap.of(APART)) and (key := _key(m, target)):
        m.state.heap[(APART, key)] = Const(apart)


def is_apart(m: Machine, node: ir.Expression) -> bool:
    """Whether an expression is a model that goes past its framework on purpose, `accelerator.unwrap_model(model)`."""
    match node:
        case ir.Call(function=ir.Attribute(name="unwrap_model")):
            return True
        case ir.Name() | ir.Attribute() if m.state.heap.of(APART):
            key = _key(m, node)
            return key is not None and m.state.heap.get((APART, key)) == Const(True)
        case _:
            return False


def given_wrappers(m: Machine, call: ir.Place, names: tuple[str, ...]) -> dict[str, str]:
    """The parameters of a function, by their names in order, that a call gives wrappers."""
    if not isinstance(call, ir.Call) or not m.state.heap.of(WRAPPERS):
        return {}
    named = [(each.keyword or (names[at] if at < len(names) else ""), each.value) for at, each in enumerate(call.arguments)]
    return {name: held for name, value in named if name and (held := wrapper(m, value))}


def hand_over(m: Machine, frame: Frame, given: dict[str, str]) -> None:
    """A function has these parameters."""
    for name, held in given.items():
        m.state.heap[(WRAPPERS, (frame, name))] = Const(held)


def wrapper(m: Machine, node: ir.Expression) -> str:
    """The attribute under which what an expression is worth has the model, `module`; empty where it is no wrapper."""
    match node:
        case ir.Call(function=ir.Attribute(base=base, name=name)) if isinstance(methods().get(("model", name)), Same):
            return wrapper(m, base)
        case ir.Call(function=ir.Name() | ir.Attribute() as function) if function.name in WRAPPER_NAMES:
            callee = m.evaluate(function)
            return WRAPPING.get(callee.name, "") if isinstance(callee, Api) and node.arguments else ""
        case ir.Conditional(then=then, other=other) if not (_unwraps(then) or _unwraps(other)):
            return wrapper(m, then) or wrapper(m, other)
        case ir.Name() | ir.Attribute() if m.state.heap.of(WRAPPERS):
            key = _key(m, node)
            held = None if key is None else m.state.heap.get((WRAPPERS, key))
            return str(held.value) if isinstance(held, Const) else ""
        case _:
            return ""


def _unwraps(node: ir.Expression) -> bool:
    """Whether an expression is the model in a wrapper: `ddp.module`."""
    return isinstance(node, ir.Attribute) and node.name in WRAPPING.values()


def _key(m: Machine, node: ir.Expression) -> Key | None:
    """The variable or the attribute that an expression names."""
    match node:
        case ir.Name(name=name):
            frames = (frame for frame in m.state.frame.home(name).around() if (frame, name) in m.state.heap)
            return next(((frame, name) for frame in frames), None)
        case ir.Attribute(base=ir.Name() as base, name=name):
            owner = m.evaluate(base)
            return (
                (owner, name)
                if isinstance(owner, (Instance, Symbol))
                else (owner.role, name)
                if isinstance(owner, Object)
                else None
            )
        case _:
            return None
