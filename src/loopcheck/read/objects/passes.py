"""What a loop turned out to be once its body is read: a training pass, an evaluation pass, an accumulation window."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, MutableMapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeAlias, cast

from loopcheck.loop import (
    Either,
    Event,
    Fact,
    Frame,
    Leave,
    Region,
    Repeat,
    Role,
    Seq,
    Site,
    callers,
    events,
    in_both_modes,
    inner,
    is_left,
)
from loopcheck.read.domain.counts import number, offset, remainder, unit
from loopcheck.read.domain.here import Pass
from loopcheck.read.domain.parts import term_of
from loopcheck.read.domain.terms import Term
from loopcheck.read.domain.values import Object
from loopcheck.read.front import ir
from loopcheck.read.objects.aftermath import after_training
from loopcheck.words import EPOCHS, MICRO, acts, held_out, infers, is_test, on_purpose, words


def learn(event: Event, name: str, fact: Fact) -> None:
    """A fact about an event that only shows when more was read."""
    cast(MutableMapping[str, Fact], event.facts).setdefault(name, fact)


def settle(event: Event, name: str, fact: Fact) -> None:
    """A fact about an event that what comes later decides, whatever was thought of it."""
    cast(MutableMapping[str, Fact], event.facts)[name] = fact


def doubt(event: Event, name: str) -> None:
    """A fact about an event that is not known after all."""
    cast(MutableMapping[str, Fact], event.facts).pop(name, None)


def settle_pass(turn: Pass, body: Region, around: Sequence[Pass], apart: Set[Event]) -> dict[Event, Hashable]:
    """The forwards of which numbers may be taken yet, with their pass, after the events of a loop were told what pass it is.

    apart: forwards of data that is not trained on, whatever the loop passes over.
    """
    unread: dict[Event, Hashable] = {}
    seen = list(events(body))
    trains = any(event.verb == "backward" for event in seen)
    steps = any(event.verb == "step" for event in seen)
    if not trains or steps:
        for iterate in turn.iterates:
            if trains:  # of an iterator that a loop before has skipped some batches of, too
                cast(MutableMapping[str, Fact], iterate.facts).pop("training", None)
            learn(iterate, "training", trains)
    elif around:  # gradients that a step after the loop may read
        around[-1].iterates += turn.iterates
    holding_out = holds_out(turn, around)
    for event in turn.tallied:
        learn(event, "validating", not trains)
    _settle_graphs(turn, seen)
    meant = frozenset[Event]() if trains else in_both_modes(seen)
    for event in () if trains else turn.drawn:
        cast(MutableMapping[str, Fact], event.facts)["moded"] = False  # the mode that it is in is the one that is asked for
    aside: set[Event] = set()
    for event in turn.forwards:
        if not trains and _may_only_read(turn, event):
            if "read" in turn.fates[event] and turn.fates[event].isdisjoint({"inside", "listed"}):
                learn(event, "read", True)
                event.during = turn.node
            else:
                unread[event] = turn.node
        if trains:
            own = event.during is None or event.during == turn.node  # and was not settled by a pass inside
            if own or not event.facts.get("read"):
                learn(event, "validating", False)
            if own and any(each.verb == "backward" and each.open for each in seen):
                cast(MutableMapping[str, Fact], event.facts).pop("read", None)  # it may be what a loss out of sight is made of
            elif own and {"read"} <= turn.fates[event] <= {"read", "shown"} and _may_only_read(turn, event):
                learn(event, "read", True)  # beside what is trained, on all of the test set at once
                learn(event, "shown", "shown" in turn.fates[event])
                event.during = turn.node
                aside.add(event)
                if event in apart:
                    settle(event, "validating", True)
        elif event in meant:
            pass
        elif holding_out and not over_models(turn, event.on):
            if turn.adapted.isdisjoint(event.on):
                learn(event, "validating", True)
                if turn.adapted:  # the pass differentiates another model, and cannot do without graphs
                    cast(MutableMapping[str, Fact], event.facts).pop("grad", None)
                event.during = (turn.function, turn.arm) if held_out("", turn.inside) else turn.node
        elif around:
            around[-1].forwards.append(event)
    for name, event in _called_in(body) if aside else ():
        event.through = name if event in aside else event.through
    if around and not trains:
        around[-1].adapted |= turn.adapted
    verbs = {event.verb for event in seen}
    if not verbs.isdisjoint(_TOLD_BY_GUARDS):  # of most loops nothing is told by what stands under which test
        direct = _in_windows(turn, under_guards(body, nested=False))
        if trains and not steps:
            _micro(turn, seen)
            if not turn.copied:
                _cleared_each_pass(direct)
        if trains:
            _windows(turn, body, direct)
        if steps and "zero_grad" in verbs:
            _spared(turn, body)
            _leftover(seen)
        if trains and steps:
            _too_early(turn, direct)
        _cadence(turn, body, direct)
        _flushed(direct, seen)
    hand_out(turn, around)
    return unread


def _called_in(region: Region) -> Iterator[tuple[str, Event]]:
    """What happens in the functions that a region calls, each with the name of the outermost."""
    if isinstance(region, Frame):
        yield from ((region.of, event) for event in events(region))
    else:
        for part in inner(region):
            yield from _called_in(part)


def _settle_graphs(turn: Pass, seen: Sequence[Event]) -> None:
    """Tell what is kept of a pass whether its graphs are wanted: none is that a backward of the pass has freed.

    Of an output nobody knows that it has a graph before a backward has gone back through it.
    """
    freed = frozenset[Role]().union(*(each.on for each in seen if each.verb == "backward" and _frees_graph(each)))
    for event in turn.retained:
        if not freed.isdisjoint(event.on):
            learn(event, "learned", False)
    for outputs, event in turn.listed:
        walked = all("walked" in turn.fates[each] for each in outputs)
        learn(event, "learned", not walked or freed.isdisjoint(event.on))


def settle_call(
    direct: Sequence[Event], body: Region, inside: str, unread: MutableMapping[Event, Hashable], apart: Set[Event]
) -> None:
    """Tell the forwards that a call makes in none of its loops what it is: one batch is evaluated as well as many.

    inside: the function; empty where nobody in sight calls it: who does may have put the model in another mode.
    unread: see `State`. apart: as in `settle_pass`.
    """
    seen = list(events(body)) if direct else []
    trains = any(event.verb in ("backward", "step") for event in seen)
    over = after_training(body) if trains else {}
    meant = in_both_modes(seen)
    for event in direct:
        off = event.facts.get("grad") is False
        if event in apart and event.facts.get("read"):  # after what was trained, most often
            learn(event, "validating", True)
        elif trains and event not in over:
            spare(event, unread)
        elif event in meant or (is_test(inside) and event.facts.get("invented")):
            continue  # its code is tested, and no model
        elif (held_out("", inside) and (off or event.facts.get("read"))) or (off and infers(inside)):
            learn(event, "validating", True)


def spare(event: Event, unread: MutableMapping[Event, Hashable]) -> None:
    """Nothing says any more that numbers alone are taken of what a forward puts out."""
    unread.pop(event, None)
    cast(MutableMapping[str, Fact], event.facts).pop("read", None)


def _may_only_read(turn: Pass, event: Event) -> bool:
    """Whether a pass keeps no graph of what a model puts out where nobody sees, and asks for no gradients."""
    wanted = "held" in turn.fates[event] or turn.adapted or on_purpose(turn.inside)
    return not wanted and not over_models(turn, event.on)


def hand_out(turn: Pass, around: Sequence[Pass]) -> None:
    """What is done with gradients in a loop is done in the one around."""
    if around:
        around[-1].edited |= turn.edited
        around[-1].copied |= turn.copied
        around[-1].begun |= turn.begun


_TOLD_BY_GUARDS = frozenset({"backward", "step", "schedule", "build", "replicate"})


def over_models(turn: Pass, applied: Iterable[Role]) -> bool:
    """Whether each pass applies a model of its own: the loop is one over models, and none over data."""
    own = turn.given if turn.count is None else turn.given | {turn.count}
    return any(not role.anew.isdisjoint(own) for role in applied)


def holds_out(turn: Pass, around: Sequence[Pass]) -> bool:
    """Whether names say that a loop passes over held-out data."""
    return held_out(*_said(turn, around))


def _frees_graph(backward: Event) -> bool:
    """Whether what was computed is done with once a backward has walked it: nobody asked for the graph to be kept."""
    return not backward.open and "retain_graph" not in backward.names.get("options", "")


def _said(turn: Pass, around: Sequence[Pass]) -> tuple[str, str]:
    """What a loop runs over and stands in. One inside a pass over a loader is a part of that, unless it says otherwise itself."""
    part = not turn.exhausts and any(each.exhausts and each.function == turn.function for each in around)
    loaders = [role.name for event in turn.iterates for role in event.on]
    return (turn.over.partition("\n")[0], "") if part else ("\n".join([turn.over, *loaders]), turn.inside)


def spare_alternatives(region: Region) -> list[Event]:
    """The backwards of a region; one under the other outcome of a test than a framework's own is for when there is none."""
    match region:
        case Event(verb="backward"):
            return [region]
        case Either(_, then, other):
            arms = spare_alternatives(then), spare_alternatives(other)
            for arm, beside in (arms, reversed(arms)):
                if any(event.facts.get("managed") for event in beside):
                    for event in arm:
                        if event.facts.get("managed") is False:
                            cast(MutableMapping[str, Fact], event.facts).pop("managed")
            return [*arms[0], *arms[1]]
        case _:
            return [event for part in inner(region) for event in spare_alternatives(part)]


def spare_told(seen: Sequence[Event], handed_on: Iterable[Event]) -> None:
    """Of passes that generators begin nobody knows that they train where a sampler is told the epoch: that may be done between
    two of their batches."""
    if any(event.verb == "set_epoch" for event in seen):
        for event in handed_on:
            doubt(event, "training")


def spare_names(seen: Sequence[Event]) -> None:
    """What is only called like a model, and is not trained here, may be none: nothing that is applied to data is evaluated so."""
    trained = {whole for event in seen if event.verb == "backward" for role in event.on for whole in role.wholes}
    for event in seen:
        if event.verb == "forward" and all(role.evidence == "named" and trained.isdisjoint(role.wholes) for role in event.on):
            cast(MutableMapping[str, Fact], event.facts).pop("validating", None)


def _micro(turn: Pass, seen: Sequence[Event]) -> None:
    """`for micro in range(k)`, and the step after it: a loop over micro-batches, when its bound says so."""
    if words(turn.bound) & MICRO:
        for event in seen:
            if event.verb == "backward":
                learn(event, "windowed", True)
                cast(MutableMapping[str, str], event.names).setdefault("window", turn.bound)


def _cleared_each_pass(direct: Guarded) -> None:
    """A loop that clears and goes backward on every pass, and does not step: of its passes, a step after it sees the last.

    Unless the numbers are taken on each of them, which is what they are computed for.
    """
    for event, guards in direct:
        cleared = [
            other
            for other, others_guards in direct
            if other.verb == "zero_grad" and set(others_guards) <= set(guards) and _may_share(event, other)
        ]
        if event.verb == "backward" and cleared:
            learn(event, "windowed", True)
            for zero_grad in cleared:
                learn(zero_grad, "micro", True)


def _may_share(event: Event, other: Event) -> bool:
    """Whether two events may be of the same parameters."""
    mine, others = (frozenset[Role]().union(*(role.sources for role in each.on)) for each in (event, other))
    return event.open or any(role.open for role in others) or not mine.isdisjoint(others)


def _windows(turn: Pass, body: Region, direct: Guarded) -> None:
    """Backwards that run several times for one step: the step stands under a test of a counter, the backward does not."""
    steps = [(event, guards) for event, guards in _in_windows(turn, under_guards(body)) if event.verb == "step"]
    measured = _looked_at(direct) if turn.copied else frozenset()
    for event, guards in direct:
        if event.verb != "backward" or event in measured:
            continue
        own = _whichever_arm(event, guards, direct)
        guarded = [(step, step_guards) for step, step_guards in steps if _together(own, step_guards)]
        outer = [guard for _, step_guards in guarded for guard in step_guards if guard.counter and guard not in own]
        windows = [guard for guard in outer if guard.window]
        if turn.edited or any(_of_episodes(turn, guard) for guard in windows):
            cast(MutableMapping[str, Fact], event.facts).pop("averaged", None)
        beside = [step_guards for _, step_guards in guarded if any(each.window for each in step_guards if each not in own)]
        ways = [{each.key: each.holds for each in step_guards if each not in own} for _, step_guards in guarded]
        if windows and not _every_pass(ways) and all(_waits(step_guards, own, beside) for _, step_guards in guarded):
            learn(event, "windowed", True)
            for other, other_guards in direct:
                if other.verb == "zero_grad":
                    ahead = direct.index((other, other_guards)) < direct.index((event, guards)) and _together(own, other_guards)
                    late = ahead and any(guard in windows for guard in other_guards)
                    once = any(guard.window and guard.holds for guard in other_guards)  # as a window begins, or ends
                    learn(other, "micro", (set(other_guards) <= own and not once) or late)
            cast(MutableMapping[str, str], event.names).setdefault("window", windows[0].window)
            if not any(other.facts.get("micro") for other, _ in direct):
                _last_window(turn, event, own, guarded)
        elif guarded and not outer:
            learn(event, "windowed", False)


def _in_windows(turn: Pass, guarded: Guarded) -> Guarded:
    """The same events, where a guard under which a count of passes begins again says what window that is."""
    if not turn.refilled:
        return guarded
    return [
        (event, tuple(replace(each, window=each.window or turn.refilled.get((each.key, each.holds), "")) for each in guards))
        for event, guards in guarded
    ]


def _looked_at(direct: Guarded) -> Set[Event]:
    """The backwards of calls that have no step and clear what they have computed: where the numbers are taken, that is what they
    are for."""
    inside: dict[tuple[Site, ...], list[Event]] = {}
    for event, _ in direct:
        inside.setdefault(tuple(callers(event.at))[1:], []).append(event)
    outermost = min(map(len, inside), default=0)
    found: set[Event] = set()
    for calls, beside in inside.items():
        if len(calls) > outermost and all(event.verb != "step" for event in beside):
            last = max((at for at, event in enumerate(beside) if event.verb == "zero_grad"), default=0)
            found.update(event for event in beside[:last] if event.verb == "backward")
    return found


def _of_episodes(turn: Pass, guard: Guard) -> bool:
    """Whether a window is one of episodes, `episode % k == 0`: what a policy learns of those is a sum on purpose."""
    if (guard.key, guard.holds) in turn.refilled and acts(f"{turn.counter} {turn.number} {turn.over}"):
        return True
    told = remainder(guard.key) if isinstance(guard.key, Term) else None
    return told is not None and acts(offset(told[0])[0].name)


def _whichever_arm(event: Event, guards: Sequence[Guard], direct: Guarded) -> set[Guard]:
    """The guards of a backward, without the window's where micro-batches under its other outcome go backward as well: the last of
    a window, and the others under `no_sync`."""
    counters = [guard for guard in guards if guard.counter]
    if not counters:
        return set(guards)
    ways = {each.key: each.holds for each in guards}
    beside = [
        {each.key: each.holds for each in others}
        for other, others in direct
        if other.verb == "backward" and len(others) == len(guards) and other is not event and _may_share(event, other)
    ]
    return {guard for guard in guards if not (guard.counter and {**ways, guard.key: not guard.holds} in beside)}


def _spared(turn: Pass, region: Region, used: bool = False) -> None:
    """Gradients that are cleared on some passes, by what a test of each makes of it, and used by the step on the others.

    used: a step follows.
    """
    match region:
        case Seq(parts):
            for part in reversed(parts):
                _spared(turn, part, used)
                used = used or any(event.verb == "step" for event in events(part))
        case Either(_, then, other):
            varies = any(not test.counter and not test.names.isdisjoint(turn.binds) for test in region.tests)
            for arm in (then, other):
                inside = list(events(arm))
                if not (used and varies) or is_left(arm) or any(event.verb == "step" for event in inside):
                    _spared(turn, arm, used)
                    continue
                for event in inside:
                    if event.verb == "zero_grad":
                        learn(event, "spares", True)
        case Frame(body):
            _spared(turn, body, used)
        case _:
            pass


def _leftover(seen: Sequence[Event]) -> None:
    """Gradients that are cleared after another optimizer has stepped with the loss that they came of, before another backward: a
    generator's loss leaves them in a discriminator, whose own block then applies another one."""
    walked, used = dict[Role, Event](), dict[Role, Event]()
    cleared = dict[Event, Set[Role]]()
    for event in seen:
        models = dict.fromkeys(model for role in event.on for model in role.made_from).keys()
        match event.verb:
            case "backward":
                for earlier in cleared:
                    settle(earlier, "leftover", True)
                cleared.clear()
                walked.update(dict.fromkeys(event.on, event))
            case "step":
                losses = [walked[model] for model in models if model in walked]
                used.update((model, loss) for loss in losses for model in loss.on if model not in models)
                cleared = {earlier: own for earlier, own in cleared.items() if own.isdisjoint(models)}
            case "zero_grad":
                own = models & walked.keys()
                if own and all(used.get(model) is walked[model] for model in own):
                    cleared[event] = own


def _too_early(turn: Pass, direct: Guarded) -> None:
    """`i % k == 0` holds for the first micro-batch: a step under it, and under no other count, has one in its first window."""
    for event, guards in direct:
        counted = [guard for guard in guards if guard.counter]
        if event.verb == "step" and counted and all(guard.first and _only_full(guard) for guard in counted):
            before = [other for other, _ in direct[: direct.index((event, guards))] if other.verb == "backward"]
            if any(other.facts.get("windowed") for other in before):
                learn(event, "early", True)
                cast(MutableMapping[str, str], event.names).setdefault("counter", turn.number)


def _cadence(turn: Pass, body: Region, direct: Guarded) -> None:
    """What schedules of this loop come after, and what optimizers are made in it for: a step on every pass or once a window, or a
    pass over data that it holds.

    What waits for something else is not known to come after either. A loop that is broken off first has had its passes, and what
    a setting asks for is done on each; it may ask for an optimizer to be made anew, unless that is used then and not kept, or is
    made in each epoch after some. On full batches, what is given some of the parameters alone may be for one of several parts.
    """
    written = direct
    direct = [(event, tuple(each for each in guards if each.varies(turn) and not each.ends)) for event, guards in direct]
    steps = [set(guards) for event, guards in direct if event.verb == "step"]
    backwards = [guards for event, guards in direct if event.verb == "backward"]
    epoch = not steps and any(event.verb == "iterate" and event.facts.get("training") for event, _ in direct)
    batch = steps and backwards and turn.iterates
    by_name = not steps and _is_of_epochs(turn) and any(event.verb == "backward" for event in events(body))
    data = epoch or batch or by_name
    full_batch = steps and backwards and _counts_steps(turn, body)
    whole = not turn.iterates and "epochs" in words(turn.bound)  # `for epoch in range(max_epochs)`, of one update each
    for (event, guards), (_, asked) in zip(direct, written, strict=True):
        if event.verb == "schedule" and event.facts.get("managed") is not None:
            if epoch and all(guard.counter for guard in guards):
                learn(event, "after", "epoch")
            elif steps and not guards and not any(backwards) and not whole:
                if backwards or _of_several_batches(turn, body):
                    learn(event, "after", "batch" if backwards else "step")
            elif any(guard.window for guard in guards) and set(guards) in steps:
                learn(event, "after", "step")
        elif (
            (not asked or _for_good(turn, asked) or _used_up(event, asked, written))
            and (data or (full_batch and event.facts.get("one_group")))
            and _made_over(turn, event, body, written)
        ):
            learn(event, "anew", "epoch" if epoch or by_name else "batch")


def _is_of_epochs(turn: Pass) -> bool:
    """Whether a loop counts epochs, by what its counter is called: a pass takes all of the data, however it comes by that."""
    return bool(words(turn.counter) & EPOCHS) and not turn.given


def _counts_steps(turn: Pass, body: Region) -> bool:
    """Whether a loop counts the steps that it takes, `for step in range(500)`, or takes them until something has come about,
    `while not done`, each from where the one before has ended.

    What goes back to weights that were kept begins another run, and what steps by a closure may have come to its end in one.
    """
    seen = list(events(body))
    back = any(event.verb == "restore" for event in seen)
    until = isinstance(turn.node, ir.While) and not any(event.verb == "step" and event.facts.get("closure") for event in seen)
    return (turn.count is not None or until) and not turn.given and not back


def _for_good(turn: Pass, asked: Iterable[Guard]) -> bool:
    """Whether tests hold on each pass once they hold, `epoch > 30`: what is done under them is done over and over."""
    return all(_is_past(turn, guard) for guard in asked)


def _is_past(turn: Pass, guard: Guard) -> bool:
    """Whether a test holds from some number of the pass on, which the loop does not change."""
    match guard.key:
        case Term(head=(">" | ">=" | "<" | "<=") as head, operands=(Term() as count, Term() as limit)):
            counts = turn.count is not None and offset(count)[0] is turn.count
            return counts and guard.holds is head.startswith(">") and turn.binds.isdisjoint(limit.parts())
        case _:
            return False


def _used_up(made: Event, asked: Sequence[Guard], written: Guarded) -> bool:
    """Whether an optimizer steps under the very tests under which it is made, in the same pass: none is there from before."""
    own = set(asked)
    return any(event.verb == "step" and set(guards) == own and not set(made.on).isdisjoint(event.on) for event, guards in written)


def _of_several_batches(turn: Pass, body: Region) -> bool:
    """Whether a pass goes backward on micro-batches of its own, and not several times on one batch, under several masks say."""
    windows = any(event.verb == "backward" and event.facts.get("windowed") for event in events(body))
    return windows or any(inner.iterates for inner in turn.inner)


def _made_over(turn: Pass, event: Event, body: Region, direct: Guarded) -> bool:
    """An optimizer or a wrapper of models that are there before the loop is, for data that is the same on each of its passes. A
    pass that draws weights anew begins a run."""
    older = event.verb == "build" and _for_one_model(event, turn.binds)
    wrapped = event.verb == "replicate" and all(
        role.evidence == "built" and role.anew.isdisjoint(turn.binds) for role in event.on
    )
    again = _begins_again(turn, event, direct)
    return (older or wrapped) and not again and not _data_of_each_pass(turn, body) and not _is_rebuilt(event, body)


def _begins_again(turn: Pass, made: Event, direct: Guarded) -> bool:
    """Whether the models that something is made of begin a run with each pass: their weights are drawn anew, or go back to what
    was kept, or others of them learn than before."""
    back = (role for event, guards in direct if event.verb == "restore" and not guards for role in event.on)
    models = {source for role in made.on for source in role.made_from if source.kind == "model"}
    return any(role in model.wholes or model in role.wholes for role in (*turn.begun, *back) for model in models)


def _data_of_each_pass(turn: Pass, body: Region) -> bool:
    """Whether what is trained on in a pass is the pass's own, `datasets[task]`: that is a run, and no epoch of one."""
    own = turn.given if turn.count is None else turn.given | {turn.count}
    loaders = [role for event in events(body) if event.verb == "iterate" for role in event.on]
    return any(not role.anew.isdisjoint(own) for role in loaders)


def _is_rebuilt(made: Event, body: Region) -> bool:
    """Whether the models that something is made of get new layers in a pass: a network that is pruned has other parameters."""
    models = {source for role in made.on for source in role.made_from if source.kind == "model"}
    parts = (role for event in events(body) if event.verb == "build" for role in event.on)
    return any(part.is_part_of(model) for part in parts for model in models)


def comes_to(around: Sequence[Pass], number: Term) -> bool:
    """Whether a number is that of all passes through the loops around: of the one, or of the outer one times the batches of the
    inner one."""
    if not around or around[-1].times is not None:
        return bool(around) and around[-1].times is number and all(turn.times is None for turn in around[:-1])
    if len(around) < 2 or not around[-1].iterates or number.head != "*":
        return False
    outer = around[-2].times
    batches = [each for each in number.operands if isinstance(each, Term) and each is not outer]
    own = [Term("call", "builtins.len", Term("items", term_of(Object(role)))) for each in around[-1].iterates for role in each.on]
    counted = len(batches) == 1 and (batches[0] in own or unit(Term("*", _EPOCHS, batches[0])) == "batches")
    return outer in number.operands and counted


_EPOCHS = Term("name", "", "epochs")


def _for_one_model(event: Event, anew: frozenset[Term]) -> bool:
    """An optimizer of models that are there before the loop is."""
    return all(
        role.kind == "optimizer"
        and not role.open
        and role.of
        and not role.anew.isdisjoint(anew)
        and all(model.anew.isdisjoint(anew) for model in role.made_from - {role})
        for role in event.on
    )


def _flushed(direct: Guarded, seen: Sequence[Event]) -> None:
    """A step after a pass, under whatever test, takes up what the pass has left over."""
    if any(event.verb == "exhaust" for event in seen) and any(event.verb == "step" for event, _ in direct):
        for event in seen:
            if event.verb == "backward":
                for fact in ("ragged", "restarts"):
                    cast(MutableMapping[str, Fact], event.facts).pop(fact, None)


def _last_window(turn: Pass, backward: Event, own: set[Guard], steps: Sequence[tuple[Event, tuple[Guard, ...]]]) -> None:
    """What becomes of the micro-batches that are left over when the loader has no more.

    Where something else than the window decides as well, whether the backward runs or whether a step is taken, that may be
    what takes care of them.
    """
    full = {guard for _, guards in steps for guard in guards if guard not in own and _only_full(guard)}
    beside = [guards for _, guards in steps if full.intersection(guards)]
    skipped = any(guard.counter and not guard.window for guard in own)
    if any((each.key, not each.holds) in {(guard.key, guard.holds) for guard in full} for _, guards in steps for each in guards):
        learn(backward, "ragged", False)
        return
    if skipped or not full or not all(_waits(guards, own, beside, full) for _, guards in steps):
        return
    counts = [_count(turn, guard) for guard in full]
    left = {None if count is None else count.left_over for count in counts}
    learn(backward, "ragged", False if left == {False} else "known" if left == {True} else "possible")
    if left != {False}:
        learn(backward, "restarts", all(count is not None and count.uneven is not False for count in counts))


def _only_full(guard: Guard) -> bool:
    """It holds for full windows alone, by what a program computes of a counter; a framework knows the last batch, too."""
    return bool(guard.window) and guard.holds and isinstance(guard.key, Term) and guard.key.head != "new"


class _Count(NamedTuple):
    """How the passes of a loop fill windows. Either is None where that cannot be told.

    left_over: the last batch does not end a window. uneven: the batches are no whole number of windows.
    """

    left_over: bool | None
    uneven: bool | None


def _count(turn: Pass, guard: Guard) -> _Count | None:
    """Of a window that is counted by the loop itself, which begins anew each time; None of any other."""
    told = remainder(cast(Term, guard.key))
    if told is None or turn.count is None or offset(told[0])[0] is not turn.count:
        return None
    divisor, rest = number(told[1]), number(told[2])
    if turn.batches is None or turn.start is None or not divisor or rest is None:
        return _Count(None, None)
    last = turn.start + turn.batches - 1 + offset(told[0])[1]
    return _Count((last - rest) % divisor != 0, turn.batches % divisor != 0)


def _together(own: Iterable[Guard], others: Iterable[Guard]) -> bool:
    """Whether two sets of guards may hold in one pass. What counts may come to another outcome within it."""
    against = {(guard.key, not guard.holds) for guard in own if not guard.counter}
    return all((guard.key, guard.holds) not in against for guard in others)


def _every_pass(ways: Sequence[Mapping[Hashable, bool]]) -> bool:
    """Whether a step is taken on every pass, by the outcomes of tests that lead to one: by turns, `if i % k == 0: … else: …`."""
    if not ways or not all(ways):
        return bool(ways)
    key = next(iter(ways[0]))
    led = ([way for way in ways if way.get(key, outcome) is outcome] for outcome in (True, False))
    return all(_every_pass([{each: way[each] for each in way if each != key} for way in arm]) for arm in led)


def _waits(guards: Sequence[Guard], own: set[Guard], beside: Sequence[Sequence[Guard]], full: Set[Guard] | None = None) -> bool:
    """A step waits for a window, or belongs to a program without one: under a flag that no step which waits is under.

    beside: the guards of each of those. full: the guards of windows that count, where not any will do.
    """
    if any(guard.window if full is None else guard in full for guard in guards if guard not in own):
        return True
    flags = {(guard.key, guard.holds) for guard in guards if guard not in own and not guard.counter}
    waiting = [{(each.key, each.holds) for each in those} for those in beside]
    return any(all((key, not holds) in those for those in waiting) for key, holds in flags)


@dataclass(frozen=True)
class Guard:
    """A test's outcome without which something is not reached. window: of a counter, the passes between two hits. first: it
    comes about on the first pass. ends: with the other outcome the loop ends. names: the values that the test depends on."""

    key: Hashable
    holds: bool
    counter: bool
    window: str
    first: bool = False
    ends: bool = field(default=False, compare=False)
    names: frozenset[Hashable] = field(default=frozenset(), compare=False)

    def varies(self, turn: Pass) -> bool:
        """Whether it may have another outcome on another pass: a setting is the same on all of them."""
        return self.counter or not self.names.isdisjoint(turn.binds)


def _is_once(guard: Guard) -> bool:
    """Whether a test holds on one pass alone, `epoch == 135`: what is done under it is done beside what the other arm does."""
    return guard.counter and guard.holds and not guard.window and isinstance(guard.key, Term) and guard.key.head == "=="


def _guards(region: Either, outcome: bool) -> list[tuple[Guard, ...]]:
    """The guards of an arm; where a counter is among the tests, or the arm leaves the pass, those of each way there."""
    apart = any(test.counter for test in region.tests) or is_left(region.then if outcome else region.other)
    ways = region.ways(outcome) if apart else [region.guards(outcome)]
    return [
        tuple(
            Guard(test.key, holds, test.counter, test.window, test.first and holds, names=test.names)
            for test, holds in way.items()
        )
        for way in ways
    ]


Guarded: TypeAlias = list[tuple[Event, tuple[Guard, ...]]]


def under_guards(region: Region, nested: bool = True) -> Guarded:
    """Every event with the tests that decide whether it is reached; `nested`, those of inner loops as well."""
    match region:
        case Event():
            return [(region, ())]
        case Seq(parts):
            found: Guarded = []
            ways: list[tuple[Guard, ...]] = [()]
            for part in parts:
                found += _under(ways, under_guards(part, nested))
                if isinstance(part, Either) and any(is_left(arm) and not _fails(arm) for arm in (part.then, part.other)):
                    goes_on = is_left(part.other)
                    ends = _ends(part.other if goes_on else part.then)
                    owns = [tuple(replace(each, ends=ends) for each in own) for own in _guards(part, goes_on)]
                    ways = [(*way, *own) for way in ways for own in owns]
            return found
        case Either(_, then, other):
            arms = [(under_guards(arm, nested), outcome) for arm, outcome in ((then, True), (other, False))]
            first, second = ({_done(event) for event, guards in inside if not any(map(_is_once, guards))} for inside, _ in arms)
            sure = {True: first if _fails(other) else first & second, False: second if _fails(then) else first & second}
            return [
                each for inside, outcome in arms if inside for each in _under(_guards(region, outcome), inside, sure[outcome])
            ]
        case Repeat(body, over=over):
            return [*(under_guards(body) if nested else ()), *under_guards(over, nested)]
        case Frame(body):
            return under_guards(body, nested)
        case Leave():
            return []


def _done(event: Event) -> Hashable:
    """What one statement does, to whichever object; an object of a kind is made, by whichever statement."""
    return event.verb, tuple(role.kind for role in event.on) if event.verb == "build" else event.at.place


def _under(ways: Sequence[tuple[Guard, ...]], inside: Guarded, sure: Set[Hashable] = frozenset()) -> Guarded:
    """What is reached on each of these ways. sure: what is done on all others, too, or these end in an error."""
    if ways == [()]:
        return inside
    found: Guarded = []
    for way in ways:
        for event, guards in inside:
            if _done(event) not in sure:
                found.append((event, (*way, *guards)))
            elif way is ways[0]:
                found.append((event, guards))
    return found


def _fails(region: Region) -> bool:
    """Whether a way ends in an error: what is done on the other is done wherever nothing goes wrong."""
    match region:
        case Leave(how):
            return how in ("raise", "exit", "abort")
        case Seq(parts):
            return any(map(_fails, parts))
        case _:
            return False


def _ends(region: Region) -> bool:
    """Whether a way out of a pass is one out of the loop."""
    match region:
        case Leave(how):
            return how in ("break", "return")
        case Seq(parts):
            return any(map(_ends, parts))
        case _:
            return False
