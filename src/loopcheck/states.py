"""States that are taken of objects and saved, once all that happens is known: what changes them, and what is missing."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, MutableMapping, Sequence
from itertools import takewhile
from typing import cast

from loopcheck.loop import Event, Fact, Role, Site, callers, file_of

RESUMED = ("optimizer", "scheduler", "scaler")
"""What training goes on with besides the weights, in the order in which a checkpoint is asked for it."""


def tie_states(seen: Sequence[Event]) -> None:
    """What trains a model changes the states that were taken of it."""
    roles = dict.fromkeys(role for event in seen for on in event.on for role in on.sources)
    optimizers = [role for role in roles if role.kind == "optimizer"]
    for state in roles:
        if state.kind == "state":
            state.of = (*state.of, *(each for each in optimizers if _trains(each, state.of)))


def tie_weights(seen: Sequence[Event]) -> None:
    """Weights that are saved without a state of what trains them are what that has made of them."""
    optimizers = dict.fromkeys(role for event in seen for role in event.on if role.kind == "optimizer")
    for event in seen:
        if event.verb in ("save", "rename") and not optimizers.keys() & set(event.on):
            models = [role for role in event.on if role.kind == "model"]
            event.on = (*event.on, *(each for each in optimizers if _trains(each, models)))


def tell_wrapped(seen: Sequence[Event]) -> None:
    """The state of a wrapper is a mistake where the program loads files into the model itself, and none into a wrapper of it."""
    into: dict[Role, set[Fact | None]] = {}
    for event in seen:
        if event.verb == "restore" and any(role.kind == "file" for role in event.on):
            for role in event.on:
                into.setdefault(role, set()).add(event.facts.get("wrapped"))
    for event in seen:
        if event.verb == "snapshot":
            told = set[Fact | None]().union(*(into.get(model, set()) for state in event.on for model in state.of))
            if told != {False}:
                cast(MutableMapping[str, Fact], event.facts).pop("wrapped", None)


def forgetful(seen: Iterable[Event]) -> set[Role]:
    """The optimizers that keep nothing from step to step: of these it is told when they are made that none is made anew."""
    return {role for event in seen if event.verb == "build" and event.facts.get("anew") is False for role in event.on}


def tell_lacking(seen: Sequence[Event], files: Collection[Role], without: Collection[Role]) -> None:
    """A checkpoint of a model with its optimizer or scaler is there to be gone on from: the first that trains and is not saved.
    So is one of the weights that training goes on from, and then it is an optimizer that lacks.

    files: those that say where training begins. without: optimizers without a state. What is saved apart, in a file of its own,
    is saved; and so is what the keys of the checkpoint speak of.
    """
    saved = {owner for event in seen if event.verb == "snapshot" for state in event.on for owner in state.of[:1]}
    saved |= {role for event in seen if event.verb == "save" for role in event.on}
    going_on = {role for event in seen if event.verb == "restore" and not _files(event).isdisjoint(files) for role in event.on}
    missed: dict[Role, Hashable] = {}
    for event in seen:
        holds, besides = (str(event.facts.get(name, "")).split(", ") for name in ("holds", "besides"))
        whole = not {"optimizer", "scaler"}.isdisjoint(holds)
        if event.verb == "save" and "model" in holds and (whole or not going_on.isdisjoint(event.on)):
            lacking = [role for role in _in_play(seen, event.on) if not _stands_for(role, saved) and role.kind not in besides]
            if not whole and (not lacking or lacking[0].kind != "optimizer" or lacking[0] in without):
                continue
            if lacking and missed.setdefault(lacking[0], event.at.place) == event.at.place:  # several files lack the same
                _tell(event, "lacks", lacking, "lacking", seen)
                event.told = _handed_over(event, seen)


def _handed_over(save: Event, seen: Iterable[Event]) -> Site | None:
    """The call by which a helper of another file is given what it writes, in the file in which that is put together: there a
    person would add to it."""
    owners = frozenset(save.on)
    taken = [event for event in seen if event.verb == "snapshot" and not owners.isdisjoint(event.on[0].of[:1])]
    files = {file_of(event.at) for event in taken}
    return next((site for site in callers(save.at) if file_of(site) in files), None) if file_of(save.at) not in files else None


def _files(event: Event) -> set[Role]:
    return {role for role in event.on if role.kind == "file"}


def tell_dropped(
    seen: Sequence[Event],
    files: Collection[Role],
    counted: Collection[Role] = (),
    without: Collection[Role] = (),
    again: Collection[Role] = (),
) -> None:
    """What goes on from the weights in a file, and not from the rest that is saved with them: the first object that is left out.

    files: those of which it is asked how far training had come; counted: those that say where a loop begins. without: optimizers
    without a state. again: files that checkpoints are written to, too: a run that begins with what is in one goes on, whatever it
    asks for, and leaves there an optimizer that has a state. What was not made in sight may be any of its kind; and what
    is made later, where one of its kind goes on from a file for the same model, is for a later phase.
    """
    unknown = {role.kind for event in seen if event.verb == "restore" for role in event.on if role.evidence != "built"}
    restored = {role for event in seen if event.verb in ("restore", "escape") for role in event.on}
    saved = {role for event in seen if event.verb == "save" for role in event.on}
    for at, event in enumerate(seen):
        if event.verb != "restore":
            continue
        models = [role for role in event.on if role.kind == "model"]
        asked = not _files(event).isdisjoint(files)
        begins = not _files(event).isdisjoint(again) and not _has_learned(models, seen[:at])
        if models and (asked or begins):
            kept = {role.kind for role in restored if any(_trains(each, models) for each in (role, *role.of))}
            left = (role for role in _in_play(seen, event.on) if role in saved and not _in_place_of(role, restored))
            later = {role for each in seen[at:] if each.verb == "build" for role in each.on if role.kind in kept}
            dropped = [role for role in left if role.kind not in unknown and role not in later]
            dropped = [role for role in dropped if not _chosen_anew(role, seen, at)]
            if dropped and (asked or (dropped[0].kind == "optimizer" and dropped[0] not in without)):
                _tell(event, "drops", dropped, "dropped", seen)
                since = dropped[0] not in without and _first_made_since(dropped[0], models, seen, at)
                if since and not _files(event).isdisjoint(counted):
                    cast(MutableMapping[str, Fact], event.facts)["since"] = True


def _has_learned(models: Sequence[Role], seen: Iterable[Event]) -> bool:
    """Whether an optimizer of these models has stepped: what is put back then is a best state, or that of another stage."""
    return any(_trains(role, models) for event in seen if event.verb == "step" for role in event.on)


def _first_made_since(role: Role, models: Sequence[Role], seen: Sequence[Event], at: int) -> bool:
    """Whether an object is made once after a restore of these models, and none of its kind for them before, as far as is known:
    the run goes on with it. What each pass of a loop makes is for that pass."""
    kind = [(number, each) for number, each in enumerate(seen) if each.verb == "build" and each.on[0].kind == role.kind]
    made = [(number, each) for number, each in kind if any(_may_train(one, models) for one in each.on)]
    return len(made) == 1 and made[0][0] > at and role in made[0][1].on and not role.anew


def _chosen_anew(role: Role, seen: Sequence[Event], at: int) -> bool:
    """Whether a restore is followed by another schedule for an optimizer that had one, before that steps again: who goes on so
    chooses how, and has no use for how far the old one had come."""
    before_step = takewhile(lambda event: event.verb != "step", seen[at:])
    had, has = (
        {each for event in part if event.verb == "build" for each in event.on if each.kind == role.kind == "scheduler"}
        for part in (seen[:at], before_step)
    )
    mine = [{each for each in made if not set(role.of).isdisjoint(each.of)} for made in (had, has)]
    return all(mine)


def _stands_for(role: Role, saved: Collection[Role]) -> bool:
    """An object is saved, or another one that was put in its place; of schedulers, the one that goes on after a warmup."""
    alike = (each for each in saved if each.kind == role.kind)
    return any(each is role or role.kind != "optimizer" or each.name == role.name for each in alike)


def _in_place_of(role: Role, restored: Collection[Role]) -> bool:
    """Whether an object goes on, or one of its name that a run that goes on has made instead."""
    return any(each is role or (each.kind == role.kind and each.name == role.name != "") for each in restored)


def _tell(event: Event, fact: str, roles: Sequence[Role], word: str, seen: Sequence[Event]) -> None:
    """The kind of the first object, and its name under a word; under `all_` and the word, the names of all. Where they were
    made, once for each name."""
    names = [event.spelled.get(role) or role.name or f"the {role.kind}" for role in roles]
    cast(MutableMapping[str, Fact], event.facts)[fact] = roles[0].kind
    cast(MutableMapping[str, str], event.names).update({word: names[0], f"all_{word}": ", ".join(names)})
    made = {role.name: each.at for each in reversed(seen) if each.verb == "build" for role in each.on if role in roles}
    event.origins = tuple(("build", site) for site in made.values())


def _in_play(seen: Sequence[Event], on: Iterable[Role]) -> Iterator[Role]:
    """The optimizers that train what is saved, their schedulers, and the scaler that they step through.

    An optimizer that was not made in sight may be one of a group, which is saved as a whole.
    """
    models = [role for role in on if role.kind == "model"]
    steps = [event for event in seen if event.verb == "step"]
    optimizers = [role for event in steps for role in event.on if role in on or _trains(role, models)]
    found = dict.fromkeys(role for role in optimizers if role.kind == "optimizer")
    told = [event for event in seen if event.verb == "build" and event.facts.get("resumed") is not False]
    told += [event for event in seen if event.verb == "restore"]
    told = [event for event in told if any(role.kind == "scheduler" for role in event.on)]  # one of them; a warmup is over
    replayed = _replayed(seen)
    for event in seen:
        if event.verb == "schedule" and event.facts.get("epoch") is not True and not told:
            moved = (role for role in event.on if role not in replayed)
            found |= dict.fromkeys(role for role in moved if any(each in optimizers for each in role.of))
        if event.verb == "step" and event.facts.get("scaled") and not found.keys().isdisjoint(event.on):
            found |= dict.fromkeys(role for role in event.on if role.kind == "scaler")
    made = [role for role in found if role.evidence == "built" or (role.kind != "optimizer" and role.evidence != "named")]
    yield from sorted(made, key=lambda role: RESUMED.index(role.kind))


def _replayed(seen: Sequence[Event]) -> set[Role]:
    """The schedulers that are stepped to where training goes on, before the first step of an optimizer, and again in training."""
    first = next((at for at, event in enumerate(seen) if event.verb == "step"), len(seen))
    before, since = (
        {role for event in part if event.verb == "schedule" for role in event.on} for part in (seen[:first], seen[first:])
    )
    return before & since


def _may_train(role: Role, models: Sequence[Role]) -> bool:
    """Whether an optimizer may have parameters of one of these models, or a schedule an optimizer that does."""
    known = bool(role.of) and all(each.evidence == "built" for each in role.of)
    return not known or any(_trains(each, models) for each in (role, *role.of))


def _trains(optimizer: Role, models: Sequence[Role]) -> bool:
    """Whether an optimizer has parameters of one of these models, of a part of it, or of a whole that it is a part of."""
    wholes = frozenset[Role]().union(*(role.wholes for role in models))
    return optimizer.kind == "optimizer" and any(role in wholes or not role.wholes.isdisjoint(models) for role in optimizer.of)
