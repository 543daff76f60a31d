"""The mode that each model is in, as far as the state knows."""

from __future__ import annotations

from collections.abc import Iterable

from loopcheck.loop import Role
from loopcheck.read.domain.heap import Certain
from loopcheck.read.domain.state import GRAD, State
from loopcheck.read.domain.values import Choice, Const, Value

MODES = Certain("modes")
"""The owner of what is known of the mode that each model is in: whether it is in train mode."""
SWITCHED, WANTED = Certain("switched"), Certain("wanted")
"""The owners of the scopes of autograd in which each model was last put in a mode, and of those in which each was last put in
train mode after it had been in eval mode there."""


def switched(state: State, models: Iterable[Role], training: bool | None) -> None:
    """These models and their parts are in train mode from here on, in eval mode, or nobody knows."""
    scope = state.heap[GRAD]
    for model in models:
        again = training and known_mode(state, model) == Const(False) and state.heap.get((SWITCHED, model)) is scope
        if training is not None:
            state.heap[(SWITCHED, model)] = scope
        if again and state.records is False:
            state.heap[(WANTED, model)] = scope
        state.toggled.add(model)
        parts = {each: mode for each, mode in state.heap.of(MODES).items() if isinstance(each, Role) and model in each.wholes}
        for known in [each for each, mode in parts.items() if training is not False or mode != Const(False)]:
            state.heap.forget((MODES, known))
        if training is not None:
            state.heap[(MODES, model)] = Const(training)


def known_mode(state: State, model: Role) -> Value | None:
    """Whether a model is in train mode: it itself, or the whole that it is a part of; None where that is not known."""
    each: Role | None = model
    while each is not None:
        if (known := state.heap.get((MODES, each))) is not None:
            return known
        each = each.part_of
    return None


def in_train_mode(state: State, model: Role) -> bool | None:
    """Whether a model is in train mode: put there, or made in it and not switched since; None where that is not known."""
    known = known_mode(state, model)
    if isinstance(known, Const):
        return bool(known.value)
    born = model.built.facts.get("training") if model.built is not None and model.wholes.isdisjoint(state.toggled) else None
    return True if born is True else None


def in_eval_by_itself(state: State, part: Role) -> bool | None:
    """Whether a part of a model is in the eval mode that it was put in by itself, as networks of a library are that come with
    weights; None where it was put in a mode, and nobody knows by now which it is in, or a test decides."""
    if part in state.arms:
        return all_of(in_eval_by_itself(state, each) for each in state.arms[part])
    if state.heap.get((MODES, part)) == Const(False):
        return True
    known = known_mode(state, part)
    return None if isinstance(known, Choice) or (part in state.toggled and known is None) else False


def all_of(answers: Iterable[bool | None]) -> bool | None:
    """False where one is, and else None where one is not known."""
    given = set(answers)
    return False if False in given else None if None in given else True


def apart(state: State, models: Iterable[Role], training: bool) -> bool | None:
    """Whether one of these, put in train mode or in eval mode, is a part of a model that is in the other here; None where
    that was switched before, and nobody knows which mode it is in: on a later pass, say."""
    wholes = [whole for model in models for whole in model.wholes if whole is not model]
    known = {whole: state.heap.get((MODES, whole)) for whole in wholes}
    if Const(not training) in known.values():
        return True
    return None if any(mode is None and whole in state.toggled for whole, mode in known.items()) else False


def wants_train_mode(state: State, model: Role) -> bool:
    """Whether this code, where autograd is off, had a model in eval mode and has put it in train mode: what it computes is
    wanted in both."""
    return state.heap.get((WANTED, model)) is state.heap[GRAD] and known_mode(state, model) == Const(True)


def forget_modes(state: State) -> None:
    """What comes may have switched any model."""
    for known in list(state.heap.of(MODES)):
        state.heap.forget((MODES, known))
