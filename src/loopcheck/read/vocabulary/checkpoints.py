"""Checkpoints: what objects hold, taken, written and loaded."""

from __future__ import annotations

from collections.abc import Mapping

from loopcheck.loop import Role
from loopcheck.read.domain.values import NONE, Object, Value, parts_of, role_of
from loopcheck.read.vocabulary import Call, Row, Same

_OWNERS = ("model", "optimizer", "scheduler", "scaler")


def taken(call: Call) -> Value:
    """`model.state_dict()`: a dictionary of the tensors that the object itself has."""
    (owner,) = call.roles(call.me, "") or [None]
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


def recalled(call: Call, given: Value | None) -> None:
    """States that were taken are used, such as they are by now."""
    states = [role for part in parts_of(given or NONE) if (role := role_of(part)) is not None and role.kind == "state"]
    if states:
        call.emit("recall", states)


FUNCTIONS: Mapping[str, Row] = {"torch.save": saved}
METHODS: Mapping[tuple[str, str], Row] = {
    **{(owner, "state_dict"): taken for owner in _OWNERS},
    **{(owner, "load_state_dict"): loaded for owner in _OWNERS},
    ("state", "copy"): Same(),
}
