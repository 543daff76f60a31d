"""What is done to a model's parameters and their gradients by hand: frozen, cleared, edited, overwritten."""

from __future__ import annotations

from collections.abc import Iterable

from loopcheck.loop import Role
from loopcheck.read.domain.state import State
from loopcheck.read.domain.values import Params
from loopcheck.read.front import ir
from loopcheck.read.front.source import Site
from loopcheck.read.interpret.machine import Machine
from loopcheck.words import clips


def freeze(state: State, models: Iterable[Role], frozen: bool | None = True) -> None:
    """All parameters of these models stop needing a gradient, or need it again; None where that is the user's choice. Of what an
    element of a container is frozen with, nobody knows what is left: another expression may mean the same element."""
    models = frozenset(models)
    state.stilled.update(() if frozen is False else models)
    state.frozen = state.frozen | models if frozen else state.frozen - models
    state.unsettled = state.unsettled | models if frozen is None else state.unsettled - models
    if frozen is not False:
        state.unsettled |= {each.part_of for each in models if each.part_of and state.kept.get(each, {}).get("element")}
    state.renewed = frozenset(each for each in state.renewed if each.wholes.isdisjoint(models))
    for turn in state.here.passes[-1:] if frozen is not True else ():
        turn.begun |= models
    if frozen is False:  # a part of what is frozen learns
        state.renewed |= {whole for model in models for whole in model.wholes if whole in state.frozen}


def take(state: State, params: Params) -> None:
    """An optimizer is made of parameters: of a network of which it takes those that need a gradient some do, else that fails."""
    if params.trainable and not params.open and len(params.models) == 1:
        state.renewed |= params.models - state.frozen


def may_be_frozen(state: State, model: Role) -> bool:
    """Whether there may be no parameter of a model that needs a gradient."""
    models = (model, *state.arms.get(model, ()))
    return any(not each.wholes.isdisjoint(state.frozen | state.unsettled) for each in models) and model not in state.renewed


def under_condition(m: Machine) -> bool:
    """Whether what is done to each parameter here is done to some of them: a test asks for more than that there is a gradient."""
    guards = m.state.here.guards
    return any(
        not any("grad" in name for name in ir.identifiers(guard)) or any(map(_asks_values, ir.walk(guard))) for guard in guards
    )


def _asks_values(node: ir.Node) -> bool:
    """`p.grad.isnan().any()`, `p.grad != p.grad`: what is asked of a gradient is what it came to, not whether there is one."""
    match node:
        case ir.Compare(operators=("is" | "is not",)) | ir.Compare(others=(ir.Literal(value=None),)):
            return False
        case ir.Call(function=ir.Name(name="isinstance" | "type")):
            return False
        case ir.Call() | ir.Compare():
            return any(isinstance(each, ir.Attribute) and each.name == "grad" for each in ir.walk(node))
        case _:
            return False


def cleared(m: Machine, params: Params, node: ir.Place) -> None:
    """The gradients of parameters are cleared by hand; under a condition, only of some."""
    some = under_condition(m)
    m.state.emit("zero_grad", () if some else params.models, node, {"leftover": False}, open=some or params.open)


def edited_gradients(m: Machine, params: Params, node: ir.Place, by: str | None = None, added: bool | None = None) -> None:
    """The gradients of parameters are changed by hand.

    by: what that goes by, if it may limit them: each number does by its value, and a factor in a function that says so. added:
    something is added to them.
    """
    if by and params.once and any(turn.empty for turn in m.state.here.passes[-1:]):
        m.state.emit("clip", params.models, node, {"limits": True, "managed": False, "by": by, "spent": True}, open=params.open)
        return
    told = bool(m.active) and clips(m.active[-1].code.name)
    if by == "value" or (by and told):
        event = m.state.emit("clip", params.models, node, {"limits": True, "managed": False, "by": by}, open=params.open)
        if told and isinstance(event.at, Site):
            event.at = event.at.caller or event.at  # the call is the clip
        return
    m.state.emit("edit", params.models, node, {"added": added}, open=params.open)
    for turn in m.state.here.passes[-1:]:
        turn.edited = True


def overwritten(m: Machine, params: Params, node: ir.Place) -> None:
    """Weights are written through `.data`; under a condition, who knows which."""
    some = under_condition(m)
    m.state.emit("overwrite", () if some else params.models, node, open=some or params.open)
