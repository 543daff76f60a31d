"""What a model has to be trained when an optimizer has taken its parameters: new layers, and those that were frozen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from loopcheck.loop import Role
from loopcheck.read.domain.parts import leaves_of, roles_in
from loopcheck.read.domain.values import Instance, Object, Params, Value
from loopcheck.read.front import ir
from loopcheck.read.interpret.machine import Machine
from loopcheck.read.interpret.moded import layerless


def tell_attached(m: Machine, whole: Role | None, value: Value, node: ir.Place) -> None:
    """`model.head = nn.Linear(…)`: an optimizer of the whole model that is there already knows nothing of this one."""
    state = m.state
    if whole is None or whole.kind != "model" or not all(learns(m, each) for each in leaves_of(value)):
        return
    owners = [role for role in state.kept if role.kind == "optimizer" and not whole.wholes.isdisjoint(role.of)]
    given = {around for part in roles_in(value) for around in part.wholes}
    # not those that have the part already, by itself or within another
    owners = [role for role in owners if given.isdisjoint(role.of)]
    if owners:
        state.emit("attach", owners, node)


def learns(m: Machine, value: Value) -> bool:
    """Whether a part that a model is given has parameters of its own."""
    match value:
        case Object():
            return value.facts.get("learned") is True
        case Instance(cls, role=Role(kind="model")):
            return not layerless(m, cls)
        case _:
            return False


def left_out(m: Machine, params: Params) -> frozenset[Role]:
    """The frozen models that parameters are not of, though these are of a part of one, or of a part beside one, or were taken by
    whether they need a gradient."""
    if params.open:
        return frozenset()
    around = {whole for model in params.models for whole in model.wholes - {model}}
    inside = {each for each in m.state.frozen if not each.wholes.isdisjoint(params.models)}
    beside = {each for each in m.state.frozen - inside if not each.wholes.isdisjoint(around)}
    return frozenset(beside | inside if params.trainable else beside)


def tell_thawed(m: Machine, models: Iterable[Role], node: ir.Place, names: Mapping[str, str] | None = None) -> None:
    """Frozen models need gradients from here on: the one optimizer that there is of them was not given their parameters."""
    models = list(models)
    for optimizer in [role for role in m.state.kept if role.kind == "optimizer"]:
        without = m.state.kept[optimizer].get("without")
        if not isinstance(without, frozenset) or not any(_related(each, out) for each in models for out in without):
            continue
        others = [role for role in m.state.kept if role.kind == "optimizer" and role is not optimizer]
        if not any(_related(each, model) for other in others for each in other.of for model in models):
            m.state.emit("thaw", [optimizer], node, None, names)


def _related(one: Role, other: Role) -> bool:
    return one in other.wholes or other in one.wholes
