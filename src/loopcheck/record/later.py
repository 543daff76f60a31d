"""Facts that only the whole run tells: what was validation, what an accumulation window, what a loader was for."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping

from loopcheck.loop import Event, Role
from loopcheck.record.site import Site
from loopcheck.record.tape import Moment

_EVALUATION = re.compile(r"(?:^|[^a-z])(?:eval|evaluate|evaluation|val|valid|validate|validation|test|testing|held_?out)(?:[^a-z]|$)")


def settle(
    moments: list[Moment], passes: list[Moment], told: Mapping[Role, list[int]], learned: Collection[Event]
) -> None:
    """Complete the facts of a run's events, once their objects are known.

    passes: the `iterate` events by the number of the pass. told: the epochs that samplers were given. learned: the
    forwards whose output was backpropagated.
    """
    _training(moments, passes)
    _validating(moments, passes, learned)
    _windowed(moments)
    _varying(moments, passes, told)


def _training(moments: list[Moment], passes: list[Moment]) -> None:
    trained = {number for moment in moments if moment.event.verb == "backward" for number in moment.passes}
    for number, moment in enumerate(passes):
        moment.facts["training"] = number in trained


def _validating(moments: list[Moment], passes: list[Moment], learned: Collection[Event]) -> None:
    """A forward validates where its batch came from a loader never trained on, or where the code around it says so.

    Not said of a model that is not trained in this run: a teacher, say.
    """
    trained = {whole for moment in moments if moment.event.verb == "backward" for role in moment.event.on for whole in role.wholes}
    trained_on = {moment.event.on for moment in passes if moment.facts["training"]}
    for moment in moments:
        event = moment.event
        if event.verb != "forward":
            continue
        if event in learned:
            moment.facts["validating"] = False
        elif trained.isdisjoint(event.on[0].wholes):
            continue
        elif moment.passes:
            if not any(passes[number].event.on in trained_on for number in moment.passes):
                moment.facts["validating"] = True
        elif isinstance(event.at, Site) and any(_EVALUATION.search(word) for word in (event.at.text, *event.at.functions)):
            moment.facts["validating"] = True


def _windowed(moments: list[Moment]) -> None:
    """A backward accumulates where its site is reached with several batches for most of the steps that read it.

    The slices of one batch, each with a loss of its own, are none. Where batches come from no loader this is not known,
    and every repetition counts.
    """
    loaded = any(moment.draws for moment in moments)
    windows: dict[Role, dict[Site, list[int]]] = {}
    several: Counter[object] = Counter()
    for moment in moments:
        for role in moment.event.on:
            if moment.event.verb == "backward":
                windows.setdefault(role, {}).setdefault(moment.event.at, []).append(moment.draws)
            elif moment.event.verb == "step":
                for at, draws in windows.pop(role, {}).items():
                    if moment.facts["closure"]:
                        continue
                    if len(draws) == 1:
                        several[at, "one"] += 1
                    elif len(set(draws)) > 1 or not loaded:
                        several[at, "many"] += 1
                    else:
                        several[at, "unknown"] += 1
    for moment in moments:
        at = moment.event.at
        if moment.event.verb != "backward" or several[at, "unknown"]:
            continue
        if several[at, "many"]:
            moment.facts["windowed"] = several[at, "many"] >= several[at, "one"]
        elif several[at, "one"]:
            moment.facts["windowed"] = False


def _varying(moments: list[Moment], passes: list[Moment], told: Mapping[Role, list[int]]) -> None:
    """The epochs given differ, or there was one pass and nothing to differ from."""
    rounds = Counter(role for moment in passes for loader in moment.event.on for role in loader.of)
    for moment in moments:
        if moment.event.verb == "set_epoch":
            (sampler,) = moment.event.on
            moment.facts["varying"] = len(set(told[sampler])) > 1 or rounds[sampler] < 2
