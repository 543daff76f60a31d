"""Methods that are named where they should be called: `optimizer.step`, and no more."""

from __future__ import annotations

from loopcheck.api import CALLED
from loopcheck.loop import Role
from loopcheck.read.domain.parts import leaves_of, role_of
from loopcheck.read.domain.values import Bound, Tensor, Value
from loopcheck.read.front import ir
from loopcheck.read.interpret.binding import last_name
from loopcheck.read.interpret.calls import method
from loopcheck.read.interpret.machine import Machine
from loopcheck.read.vocabulary import assumed_of, methods


def tell_uncalled(m: Machine, node: ir.Expression) -> None:
    """A statement is the name of a method. What was meant happens nowhere, and is not told a second time by that."""
    if not isinstance(node, ir.Attribute) or node.name not in CALLED or not isinstance(node.base, (ir.Name, ir.Attribute)):
        return
    here = last_name(node.base)
    found = [_whose(method(m, each, node.name, here)) for each in leaves_of(m.evaluate(node.base))]
    if None in found:
        return
    roles = [role for each in found if each for role in each]
    evidence = next((role.evidence for role in roles if role.evidence != "built"), "built")
    m.state.emit("mention", [Role("method", node.name, evidence=evidence)], node)
    m.state.emit("escape", roles, node)


def _whose(found: Value) -> list[Role] | None:
    """The objects that a method of torch's would act on; None where it may be anything."""
    if not isinstance(found, Bound):
        return None
    if isinstance(found.base, Tensor):
        return list(found.base.models) if assumed_of(found.name) == "tensor" else None
    role = role_of(found.base)
    return [role] if role and (role.kind, found.name) in methods() else None
