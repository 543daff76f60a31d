"""Checkpoints: what objects hold, taken, written and loaded."""

from __future__ import annotations

from collections.abc import Mapping

from loopcheck.loop import Role
from loopcheck.read.domain.values import NONE, Choice, Items, Object, Value
from loopcheck.read.vocabulary import Call, Row, Same

_OWNERS = ("model", "optimizer", "scheduler", "scaler")


def taken(call: Call) -> Value:
    """`model.state_dict()`: a dictionary of the tensors that the object itself has."""
    owner = next(iter(call.roles(call.me, "")), None)
    if owner is None or call.keeps(call.me, "flat"):  # of shards a whole is put together, which is a copy
        return call.pure()
    state = Role("state", "", of=(owner,))
    call.emit("snapshot", [state], {"of": owner.kind})
    return Object(state)


def loaded(call: Call) -> Value:
    """`model.load_state_dict(state)`."""
    recalled(call, call.get(0, "state_dict"))
    call.emit("restore", call.roles(call.me, ""))
    return call.pure()


def saved(call: Call) -> Value:
    """`torch.save({"model": state, "epoch": epoch}, path)`."""
    recalled(call, call.get(0, "obj"))
    return NONE


def recalled(call: Call, given: Value | None) -> Value:
    """States that were taken are used, such as they are by now."""
    match given:
        case Object(Role(kind="state") as state):
            call.emit("recall", [state])
        case Choice():
            call.each(given, lambda one: recalled(call, one))
        case Items(values):
            for each in values:
                recalled(call, each)
    return NONE


FUNCTIONS: Mapping[str, Row] = {"torch.save": saved}
METHODS: Mapping[tuple[str, str], Row] = {
    **{(owner, "state_dict"): taken for owner in _OWNERS},
    **{(owner, "load_state_dict"): loaded for owner in _OWNERS},
    ("state", "copy"): Same(),
}
