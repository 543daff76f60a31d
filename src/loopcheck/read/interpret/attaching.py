"""Layers that a model gets when an optimizer has taken its parameters."""

from __future__ import annotations

from loopcheck.loop import Role
from loopcheck.read.domain.values import Object, Value
from loopcheck.read.front import ir
from loopcheck.read.interpret.machine import Machine


def tell_attached(m: Machine, whole: Role | None, value: Value, node: ir.Expression) -> None:
    """`model.head = nn.Linear(…)`: an optimizer of the whole model that is there already knows nothing of this one."""
    state = m.state
    if m.active and m.active[-1].code.name == "__init__":
        return  # no optimizer has what is only being made
    if whole is None or whole.kind != "model" or not isinstance(value, Object) or not value.facts.get("learned"):
        return
    owners = [role for role in state.kept if role.kind == "optimizer" and not whole.wholes.isdisjoint(role.of)]
    if owners:
        state.emit("attach", owners, node)
