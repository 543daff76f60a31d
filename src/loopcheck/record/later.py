"""Facts that only the whole run tells: what was validation, what an accumulation window, what a loader was for."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from loopcheck.bug import concerns
from loopcheck.loop import Event, Role, in_both_modes, tell_late, tell_meant, tell_mixed, tell_outside
from loopcheck.record.site import Site
from loopcheck.record.tape import Moment
from loopcheck.words import acts, adapts, held_out, on_purpose


def settle(
    moments: list[Moment],
    passes: list[Moment],
    over: Mapping[int, Moment],
    told: Mapping[Role, list[int]],
    learned: Collection[Event],
    lengths: Mapping[Role, int],
    sets: Mapping[Role, int],
) -> None:
    """Complete the facts of a run's events, once their objects are known.

    passes, over: the `iterate` and `exhaust` events by the number of the pass. told: the epochs that samplers were given.
    learned: the forwards whose output was backpropagated. lengths: how long schedulers were told to be.
    """
    _trained_in(moments, over)
    _training(moments, passes)
    _validating(moments, passes, learned)
    _deployed(moments, learned)
    tell_outside([moment.event for moment in moments])
    tell_meant([moment.event for moment in moments])
    tell_mixed([moment.event for moment in moments])
    tell_late(moment.event for moment in moments)
    _windowed(moments, "backward", "windowed")
    _windowed(moments, "zero_grad", "micro")
    _ragged(moments)
    _varying(moments, passes, told)
    for scheduler in dict.fromkeys(role for moment in moments if moment.event.verb == "schedule" for role in moment.event.on):
        _cadence(moments, passes, scheduler, lengths.get(scheduler))
    _made_anew(moments, sets)
    _wrapped_anew(moments)
    alone = all(role.kind != "scaler" for moment in moments for role in moment.event.on)
    stepped = any(moment.event.verb == "step" for moment in moments)
    for moment in moments:
        if moment.event.verb == "backward":
            moment.facts["alone"] = alone
            if not stepped:
                moment.facts["asked"] = True
            if any(map(adapts, moment.at.functions)):
                moment.facts["adapts"] = True


def _training(moments: list[Moment], passes: list[Moment]) -> None:
    """A pass over what is trained on: its gradients are there for a step."""
    last = max((at for at, moment in enumerate(moments) if moment.event.verb == "step"), default=0)
    trained = {number for moment in moments[:last] if moment.event.verb == "backward" for number in moment.passes}
    for number, moment in enumerate(passes):
        moment.facts["training"] = number in trained


def _validating(moments: list[Moment], passes: list[Moment], learned: Collection[Event]) -> None:
    """A forward validates where its batch came from a loader never trained on, or where the code around it says so.

    Not said of a model that is not trained in this run: a teacher, say; of a forward that nobody looks at; nor by the name of
    a call in which something is trained: that adapts to what it tests. A pass that differentiates what it computes cannot do
    without graphs.
    """
    trained = {
        whole for moment in moments if moment.event.verb == "backward" for role in moment.event.on for whole in role.wholes
    }
    stacks = {moment.at.stack for moment in moments if moment.event.verb == "backward"}
    trains = {stack[depth:] for stack in stacks for depth in range(len(stack))}
    trained_on = {moment.event.on for moment in passes if moment.facts["training"]}
    differentiating = {number for moment in moments if moment.event in learned for number in moment.passes}
    meant = frozenset[Event]().union(*(in_both_modes(events) for events in _by_passes(moments).values()))
    for moment in moments:
        event = moment.event
        if event.verb != "forward" or event in meant:
            continue
        if any(map(acts, moment.at.functions)):
            moment.facts.pop("grad", None)
        if event in learned:
            moment.facts["validating"] = False
        elif any(map(on_purpose, moment.at.functions)) or trained.isdisjoint(event.on[0].wholes) or moment.at.discards:
            continue
        elif moment.passes:
            if not any(passes[number].event.on in trained_on for number in moment.passes):
                moment.facts["validating"] = True
                if not differentiating.isdisjoint(moment.passes):
                    moment.facts.pop("grad", None)
                event.during = _function(moment.at) or min(passes[number].at.place for number in moment.passes)
        elif (call := _evaluation(moment.at)) and call not in trains:
            moment.facts["validating"] = True
            event.during = _function(moment.at)


def _by_passes(moments: list[Moment]) -> dict[frozenset[int], list[Event]]:
    """The events that are in the same passes over loaders."""
    found: dict[frozenset[int], list[Event]] = {}
    for moment in moments:
        if moment.passes:
            found.setdefault(moment.passes, []).append(moment.event)
    return found


def _deployed(moments: list[Moment], learned: Collection[Event]) -> None:
    """Once a run differentiates nothing any more, it is there for the forwards of models that it loads weights into and trains
    nowhere, where somebody looks."""
    trains = [at for at, each in enumerate(moments) if each.event.verb in ("backward", "step") or each.event in learned]
    sources = {source for at in trains for role in moments[at].event.on for source in (role, *role.sources)}
    taught = {whole for source in sources for whole in source.wholes}
    last = trains[-1] if trains else -1
    loaded = set[Role]()
    for at, moment in enumerate(moments):
        event, seen = moment.event, not moment.at.discards and not any(map(on_purpose, moment.at.functions))
        if event.verb == "restore" and any(role.kind == "file" for role in event.on):
            loaded |= {role for role in event.on if role.kind == "model"}
        elif event.verb == "forward" and seen and at > last:
            wholes = {whole for role in event.on for whole in role.wholes}
            if wholes & loaded and not wholes & taught:
                moment.facts["deployed"] = True


def _evaluation(at: Site) -> tuple[tuple[str, int], ...]:
    """The outermost call around that says it evaluates, as the stack that it is made from; empty where none does."""
    for depth in reversed(range(len(at.stack))):
        if held_out(at.calls[depth], at.functions[depth - 1] if depth else ""):
            return at.stack[depth:]
    return ()


def _function(at: Site) -> tuple[str, str] | None:
    """The innermost function around that says it evaluates; None where none does."""
    for (file, _), name in zip(at.stack, at.functions, strict=True):
        if held_out("", name):
            return file, name
    return None


def _windowed(moments: list[Moment], verb: str, fact: str) -> None:
    """An event belongs to a window where its site is reached with several batches for most of the steps that it is for.

    The slices of one batch, each with a loss of its own, are none. Where batches come from no loader this is not known,
    and every repetition counts. Clearing late, when earlier batches have been backpropagated, is enough if it is the habit.
    A step with gradients that somebody put there by hand says nothing of what was cleared.
    """
    loaded = any(moment.draws for moment in moments)
    steppers = dict.fromkeys(role for moment in moments if moment.event.verb == "step" for role in moment.event.on[:1])
    counted: dict[Site, Counter[str]] = {}
    for optimizer in steppers:
        sites: dict[Site, list[int]] = {}
        late: set[Site] = set()
        first, edited = math.inf, False
        for moment in moments:
            concerned = concerns(moment.event, optimizer)
            if moment.event.verb in ("backward", "edit") and concerned:
                edited = moment.event.verb == "edit"
            if moment.event.verb == verb and concerned:
                sites.setdefault(moment.at, []).append(moment.draws)
                if verb == "zero_grad" and first < moment.draws:
                    late.add(moment.at)
            if moment.event.verb == "backward" and concerned:
                first = min(first, moment.draws)
            elif moment.event.verb == "step" and optimizer in moment.event.on:
                for at, draws in sites.items():
                    if not (moment.facts["closure"] or edited):
                        counted.setdefault(at, Counter())[_repeated(draws, loaded, at in late)] += 1
                sites, late, first = {at: [] for at in sites}, set(), math.inf
    for moment in moments:
        count = counted.get(moment.at)
        if moment.event.verb == verb and count and count["several"] >= count["unknown"]:
            inside = count["several"] + (count["late"] if count["late"] >= count["none"] else 0)
            moment.facts[fact] = inside > 0 and inside >= count["one"]


def _repeated(draws: list[int], loaded: bool, late: bool) -> str:
    """How often a site was reached for one step, by the batches that had been drawn each time."""
    if len(draws) > 1:
        return "several" if len(set(draws)) > 1 or not loaded else "unknown"
    return "none" if not draws else "late" if late else "one"


def _trained_in(moments: list[Moment], over: Mapping[int, Moment]) -> None:
    """The end of a pass concerns all that its batches were trained on."""
    for moment in moments:
        if moment.event.verb == "backward":
            for number in moment.passes & over.keys():
                event = over[number].event
                event.on = tuple(dict.fromkeys((*event.on, *moment.event.on)))


def _ragged(moments: list[Moment]) -> None:
    """Micro-batches that are left over at the end of a pass: cleared before a step, or in one that is of no window's size.

    What a later pass makes a full window of was counted through, and is not left over.
    """
    for optimizer in dict.fromkeys(role for moment in moments if moment.event.verb == "step" for role in moment.event.on[:1]):
        windows = [*_windows(moments, optimizer)]
        _too_early(windows)
        habits = {window.size for window in windows if window.stepped and not window.left}
        for window in windows:
            for moment in () if window.defeated else window.left:
                if moment.facts.get("windowed") and (not window.stepped or window.size not in habits):
                    moment.facts["ragged"] = "known"
                    moment.facts["restarts"] = window.stepped


@dataclass
class _Window:
    """What one optimizer's gradients are made of, until they are stepped or cleared.

    left: from before the end of a pass. defeated: it is cleared where every micro-batch is. end: what steps or clears them.
    """

    backwards: list[Moment] = field(default_factory=list)
    left: list[Moment] = field(default_factory=list)
    stepped: bool = False
    defeated: bool = False
    end: Moment | None = None

    @property
    def size(self) -> int:
        return len({moment.draws for moment in self.backwards})


def _windows(moments: list[Moment], optimizer: Role) -> Iterator[_Window]:
    """Every window of an optimizer's; the last one of the run is not complete, and is none."""
    window = _Window()
    for moment in moments:
        verb = moment.event.verb
        if verb in ("backward", "exhaust", "step", "zero_grad") and concerns(moment.event, optimizer):
            if verb == "backward":
                window.backwards.append(moment)
            elif verb == "exhaust":
                window.left = [*window.backwards]
            else:
                window.stepped, window.defeated, window.end = verb == "step", bool(moment.facts.get("micro")), moment
                yield window
                window = _Window()


def _too_early(windows: list[_Window]) -> None:
    """The first step came after one micro-batch, and those after it each after several, as many every time."""
    full = [window for window in windows if window.stepped and window.backwards]
    sizes = [window.size for window in full if not window.left]
    if len(sizes) > 2 and sizes[0] == 1 and min(sizes[1:3]) > 1 and sizes[1] == sizes[2] and full[0].end:
        full[0].end.facts["early"] = True


def _varying(moments: list[Moment], passes: list[Moment], told: Mapping[Role, list[int]]) -> None:
    """The epochs given differ, or there was one pass and nothing to differ from."""
    rounds = Counter(role for moment in passes for loader in moment.event.on for role in loader.of)
    for moment in moments:
        if moment.event.verb == "set_epoch":
            (sampler,) = moment.event.on
            moment.facts["varying"] = len(set(told[sampler])) > 1 or rounds[sampler] < 2


def _cadence(moments: list[Moment], passes: list[Moment], scheduler: Role, length: int | None) -> None:
    """What a schedule comes after each time, by what happens between it and the next, and what its length is a number of."""
    done = [each for each in moments if each.event.verb in ("backward", "step") and concerns(each.event, scheduler)]
    own = [*done, *(each for each in passes if each.facts.get("training"))]
    schedules = [moment for moment in moments if moment.event.verb == "schedule" and scheduler in moment.event.on]
    places = {id(moment): place for place, moment in enumerate(moments)}
    between = [
        Counter(each.event.verb for each in own if places[id(one)] < places[id(each)] < places[id(other)])
        for one, other in itertools.pairwise(schedules)
    ]
    after = None
    if between and len({moment.at for moment in schedules}) == 1:
        if all(count["iterate"] == 1 and count["backward"] > 1 for count in between):
            after = "epoch"
        elif all(count["backward"] == 1 for count in between):
            after = "batch"
        elif all(count["step"] == 1 for count in between):
            after = "step"
    whole = Counter(each.event.verb for each in own)
    epochs, batches, steps = whole["iterate"], whole["backward"], whole["step"]
    numbers = {"epochs": epochs, "batches": batches}
    if steps != batches:
        numbers["steps"] = steps
    units = [unit for unit, found in numbers.items() if found == length and (unit != "epochs" or found > _BY_CHANCE)]
    for moment in schedules:
        if after:
            moment.facts["after"] = after
    for moment in moments:
        if moment.event.verb == "build" and scheduler in moment.event.on and len(units) == 1:
            moment.facts["length"] = units[0]


_BY_CHANCE = 2
"""So many epochs are as many as any other small number, one by which a rate falls, say."""


def overrun(moments: list[Moment], last: Mapping[Role, int | None]) -> None:
    """A schedule of several parts that comes as often as its last part alone is long, never gets to the end of that."""
    for scheduler, length in last.items():
        own = [each for each in moments if each.event.verb == "schedule" and scheduler in each.event.on]
        for moment in own:
            moment.facts["overrun"] = len(own) == length


def _made_anew(moments: list[Moment], sets: Mapping[Role, int]) -> None:
    """Optimizers of one model that are made at one place, with a pass over data from one to the next, or a single batch. Where
    each is for other data, `datasets[task]`, it begins a run.

    sets: the number of the data set that each loader is of.
    """
    builds: dict[tuple[Site, tuple[Role, ...]], list[int]] = {}
    for place, moment in enumerate(moments):
        if moment.event.verb == "build" and all(role.kind == "optimizer" for role in moment.event.on):
            builds.setdefault((moment.at, moment.event.on[0].of), []).append(place)
    for (_, of), places in builds.items():
        counts = [Counter(moment.event.verb for moment in moments[one:other]) for one, other in itertools.pairwise(places)]
        pruned = any(count["attach"] for count in counts)  # a network with other layers has other parameters
        if of and not pruned and counts and all(count["step"] and count["backward"] for count in counts):
            each = "epoch" if all(count["exhaust"] for count in counts) else "batch"
            taken = [_taken(moments[one:other], sets) for one, other in itertools.pairwise(places)]
            if len(taken) > 1 and all(taken) and all(one.isdisjoint(other) for one, other in itertools.pairwise(taken)):
                continue
            for place in places if each == "epoch" or all(count["backward"] == 1 for count in counts) else ():
                moments[place].facts.setdefault("anew", each)


def _wrapped_anew(moments: list[Moment]) -> None:
    """Wrappers around one model that are made at one place, with a pass over data from one to the next, or a single batch."""
    made: dict[tuple[Site, tuple[Role, ...]], list[int]] = {}
    for place, moment in enumerate(moments):
        if moment.event.verb == "replicate":
            made.setdefault((moment.at, moment.event.on), []).append(place)
    for places in made.values():
        counts = [Counter(moment.event.verb for moment in moments[one:other]) for one, other in itertools.pairwise(places)]
        if counts and all(count["step"] and count["backward"] for count in counts):
            each = "epoch" if all(count["exhaust"] for count in counts) else "batch"
            for place in places if each == "epoch" or all(count["backward"] == 1 for count in counts) else ():
                moments[place].facts["anew"] = each


def _taken(moments: list[Moment], sets: Mapping[Role, int]) -> set[int]:
    """The data sets that are passed over meanwhile."""
    return {sets[role] for moment in moments if moment.event.verb == "iterate" for role in moment.event.on if role in sets}
