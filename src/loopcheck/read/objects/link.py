"""Which optimizer trains which model, where it was not made in sight, and which models are trained at all.

In a function that is handed `model` and `optimizer`, the one optimizer that steps is that of the models whose loss is
backpropagated, or where that is out of sight, whose gradients are clipped. Of several, names must tell (`optimizer_D`, `netD`);
where they do not, it stays open, and rules are silent. What several functions are for a whole program, each with its own model
and optimizer, is told apart by the loops in which they step. A single loss that is handed in, and backpropagated at one place, is
that of every optimizer here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from itertools import pairwise

from loopcheck.bug import concerns, may_concern
from loopcheck.loop import Event, Frame, Region, Role, Seq, events, file_of, inner, loops, walk
from loopcheck.read.objects.passes import doubt, learn, settle
from loopcheck.words import CRITERION, OPTIMIZER, words


def link(region: Region) -> None:
    """Complete the open optimizers, schedulers and backwards of one entry of the program."""
    seen = list(events(region))
    optimizers = _roles(seen, "optimizer")
    unlinked = [role for role in optimizers if role.open and not role.of]
    models = _models(seen, "backward") or _models(seen, "clip")
    taken = frozenset[Role]().union(*(role.sources for role in optimizers if not role.open))
    if not models:
        seen_models = [role for role in _roles(seen, "model") if role.part_of is None]
        models = seen_models if len(seen_models) == 1 else []
    free = list(dict.fromkeys(role for role in models if role not in taken))
    stepping = _stepping(seen) or optimizers
    alone = bool(stepping) and _one_of(stepping, seen)
    if alone and set(stepping) <= set(unlinked):
        for role in stepping:
            _complete(role, free)
    elif unlinked:
        for role in unlinked:
            own = words(role.name) - OPTIMIZER
            near = [model for model in free or _roles(seen, "model") if _akin(own, words(model.name))]
            if own and len(near) == 1:
                _complete(role, near)
        _by_loops(region, [role for role in unlinked if role.open])
    for scheduler in _roles(seen, "scheduler"):
        if scheduler.open and not scheduler.of and len(optimizers) == 1:
            scheduler.of, scheduler.open = (optimizers[0],), False
    unscaled = all(role.kind != "scaler" for event in seen for role in event.on)
    steps = any(event.verb == "step" for event in seen)
    escaped = {role for event in seen if event.verb == "escape" for role in event.on}
    for event in seen:
        if event.verb == "backward":
            learn(event, "alone", unscaled)
            if not steps and not event.open and escaped.isdisjoint(event.on):
                learn(event, "asked", True)
        if event.verb == "build" and all(role.kind == "optimizer" for role in event.on):
            learn(event, "anew", False)
        if event.verb == "step":
            learn(event, "early", False)
    backwards = [event for event in seen if event.verb == "backward"]
    one_loss = all(event.open for event in backwards) and len({event.at.place for event in backwards}) == 1
    for event in () if _clears_another(seen, optimizers) else seen:
        if not event.open or event.facts.get("inputs"):
            continue
        if (alone and event.verb in ("backward", "clip")) or (one_loss and event.verb == "backward"):
            event.on, event.open = (*event.on, *optimizers), False


def _clears_another(seen: list[Event], optimizers: list[Role]) -> bool:
    """Whether gradients of a model are cleared that no optimizer here steps: a loss may be its, and its gradients copied."""
    stepped = frozenset[Role]().union(*(role.sources for role in optimizers))
    cleared = [role for event in seen if event.verb == "zero_grad" for role in event.on if role.kind == "model"]
    return not any(role.open for role in optimizers) and any(stepped.isdisjoint(role.wholes) for role in cleared)


def _by_loops(region: Region, unlinked: list[Role]) -> None:
    """The one optimizer that steps in a loop is that of the one model that is trained there; of several, names must tell."""
    found: dict[Role, dict[Role, None]] = {}
    for loop in loops(region) if unlinked else ():
        seen = list(events(loop))
        stepping, models = _stepping(seen), dict.fromkeys(_models(seen, "backward"))
        if stepping and len(models) == 1 and set(stepping) <= set(unlinked) and _one_of(stepping, seen):
            for role in stepping:
                found.setdefault(role, {}).update(models)
    for role, trained in found.items():
        _complete(role, list(trained))


def _one_of(optimizers: list[Role], seen: list[Event]) -> bool:
    """Whether these are alternatives, of which one is made: a step is that of one or another of them."""
    steps = [event for event in seen if event.verb == "step"]
    sites = [{event.at for event in steps if role in event.on} for role in optimizers]
    together, apart = sites[0], sites[1:]
    while near := [each for each in apart if not together.isdisjoint(each)]:
        together = together.union(*near)
        apart = [each for each in apart if each not in near]
    return not apart


def _models(seen: list[Event], verb: str) -> list[Role]:
    """The models that this is done to."""
    return [role for event in seen if event.verb == verb for role in event.on if role.kind == "model"]


def _stepping(seen: list[Event]) -> list[Role]:
    """The optimizers that step here; others are only handed around."""
    return _roles([event for event in seen if event.verb == "step"], "optimizer")


def _complete(optimizer: Role, models: list[Role]) -> None:
    if models:
        optimizer.of, optimizer.open = tuple(models), False


def _akin(own: frozenset[str], other: frozenset[str]) -> bool:
    return any(a == b or (min(len(a), len(b)) == 1 and a[0] == b[0]) for a in own for b in other)


def tell_bypassed(seen: Sequence[Event]) -> None:
    """Where nothing that records is applied through a wrapper, a part of its model that is applied by itself stands for the
    whole: the first of each, told once for all parts."""
    left = {role for event in seen if event.verb == "replicate" for role in event.on}
    recording = [event for event in seen if event.verb == "forward" and event.facts.get("grad") is not False]
    for event in recording:
        if not event.facts.get("bypasses"):
            left -= {whole for role in event.on for whole in role.wholes}
    for event in recording:
        around = [whole for role in event.on for whole in role.wholes if whole in left and whole not in event.on]
        if around and event.facts.get("grad"):
            event.also = (*event.also, *around)
            left -= {*around}


def tell_let_go(seen: Iterable[Event]) -> None:
    """Which forwards go past a wrapper that has no name where they are: it is mended where it was let go, for a whole file."""
    for event in seen:
        if event.facts.get("bypasses") and event.during is None and "wrapper" not in event.names:
            event.during = "past", file_of(event.at)


def tell_apart(region: Region) -> None:
    """Which networks are put in eval mode by what makes the network that they are parts of, which is in train mode once made:
    `self.backbone = load(path).eval()` in its constructor."""
    for made, constructor in _made(region):
        for event in events(constructor):
            if event.verb == "evaluate" and event.on and all(role.is_part_of(made) for role in event.on):
                settle(event, "apart", True)


def _made(region: Region) -> Iterator[tuple[Role, Region]]:
    """The objects of the project's classes that are made, each with what its constructor does."""
    for each in walk(region):
        for before, part in pairwise(inner(each)) if isinstance(each, Seq) else ():
            if isinstance(before, Event) and before.verb == "build" and isinstance(part, Frame) and part.at == before.at:
                yield from ((role, part) for role in before.on)


def tell_taught(seen: Sequence[Event], blank: Collection[Role]) -> None:
    """Which evaluations are of models that the program trains or loads weights into, or may: all but those that it leaves blank.

    blank: models of the program's own classes, which are made with random weights.
    """
    changing = [event for event in seen if event.verb in ("backward", "escape", "restore")]
    everything = any(event.verb == "backward" and event.open for event in changing)
    taught = frozenset[Role]().union(*(role.sources for event in changing for role in event.on))
    learns = _trains(seen)
    for event in seen:
        if event.facts.get("insisted") and learns:
            settle(event, "insisted", False)
        if event.verb == "forward" and event.facts.get("validating"):
            around = frozenset[Role]().union(*(role.sources for role in event.on))
            if everything or not around <= set(blank) or not taught.isdisjoint(around):
                learn(event, "taught", True)


def tell_partial(seen: Sequence[Event], given: Mapping[Role, Collection[Role]]) -> None:
    """Which clearings are of a part of what is updated: each optimizer that they concern has a model that stays uncleared.

    given: what models out of sight were made with, which they may hold. A model of which no optimizer is known may hold any.
    """
    optimizers = _roles(list(seen), "optimizer")
    found: dict[Event, list[Role]] = {}
    for event in seen:
        if event.verb == "zero_grad" and not event.open and all(role.kind == "model" for role in event.on):
            found[event] = [role for role in optimizers if concerns(event, role) or may_concern(event, role)]
    for event, concerned in found.items() if all(found.values()) else ():
        if all(not role.open and any(_stays(each, role, seen, given) for each in role.of) for role in concerned):
            learn(event, "partly", True)


def _stays(model: Role, optimizer: Role, seen: Iterable[Event], given: Mapping[Role, Collection[Role]]) -> bool:
    """Whether a loss goes back to a model whose gradients nothing clears, as far as is in sight. A criterion may have no
    parameters, whatever it is asked for, and what was frozen may have none that learns."""
    reached = False
    for event in seen:
        match event.verb:
            case "zero_grad" | "escape" if any(_touches(role, model, given) for role in (*event.on, *event.also)):
                return False
            case "step" if optimizer in event.on and event.facts.get("frozen") is not False:
                return False
            case "backward":
                reached = reached or (model in event.on and event.facts.get("cut") is False)
    return reached and not words(model.name) & CRITERION


def _touches(role: Role, model: Role, given: Mapping[Role, Collection[Role]]) -> bool:
    """Whether what happens to an object may happen to a model: it is of that, is or has that, or may have it."""
    around = model.wholes
    return any(each in around or model in given.get(each, ()) for each in role.sources)


def tell_deployed(
    seen: Sequence[Event],
    filled: Mapping[Role, str],
    later: Callable[[], Mapping[Event, bool]] = dict[Event, bool],
    inside: Set[Event] = frozenset(),
) -> None:
    """Which forwards a program is there for that trains nothing: of a model whose weights are of a file, for the numbers alone.

    Such a program may call nothing an evaluation; that the weights are somebody's says that they are to be used. So it is of a
    model that is not trained, once a program has trained others. filled: models that have such weights, each with the verb of
    what gives it them: it is loaded, or made with them; `read` of one that is read whole from a file. later: what comes after
    all training. inside: calls of methods that take numbers themselves and keep graphs in lists of their own, as a beam search
    does with states: where nothing trains, nobody walks those.
    """
    trains = _trains(seen)
    after = later() if trains else {}
    taught = {model for event in seen if after and event.verb in ("backward", "step") for model in _taught_by(event)}
    loaded = {role for role, given_by in filled.items() if given_by == "read"}
    for event in seen:
        if event.verb in ("restore", "build"):
            loaded |= {role for role in event.on if role.kind == "model" and filled.get(role) == event.verb}
        elif event.verb == "forward":
            learns = trains and after.get(event, True) and (event not in after or any(_has(role, taught) for role in event.on))
            if not learns and any(_has(role, loaded) for role in event.on) and (_is_used(event) or event in inside):
                learn(event, "deployed", True)
                learn(event, "taught", True)
            elif trains:
                learn(event, "deployed", False)
                finished = bool(after.get(event)) and all(_has(role, taught) for role in event.on) and _is_used(event)
                learn(event, "finished", finished)
                if finished:
                    learn(event, "taught", True)


def _taught_by(event: Event) -> Set[Role]:
    """The models that a backward, or a step, may be of."""
    return {source for role in event.on for source in (role, *role.sources) if source.kind == "model"}


def tell_acting(acting: Mapping[Event, bool | None]) -> None:
    """Which policies act in a program that is there for them: nobody learns from the graphs that they keep."""
    for event, kept in acting.items():
        if not event.facts.get("deployed"):
            _spare(event)
        elif kept:
            learn(event, "grad", True)


def _spare(policy: Event) -> None:
    """Nothing says that a policy without modes is evaluated."""
    for fact in ("read", "validating") if not policy.facts.get("moded") else ():
        doubt(policy, fact)


def _has(model: Role, loaded: Set[Role]) -> bool:
    """Whether a model has one of these, or is a part of one."""
    return not loaded.isdisjoint(model.wholes) or any(model in each.wholes for each in loaded)


def _trains(seen: Sequence[Event]) -> bool:
    """Whether a program trains anything."""
    return any(event.verb in ("backward", "step") for event in seen)


def _is_used(forward: Event) -> bool:
    """Whether numbers alone are taken of what a model puts out."""
    return bool(forward.facts.get("read")) or forward.facts.get("grad") is False


def _roles(seen: list[Event], kind: str) -> list[Role]:
    met = dict.fromkeys(role for event in seen for role in event.on)
    return list(dict.fromkeys(role for each in met for role in each.sources if role.kind == kind))
