"""When something happened in a run, as a person counts: by the steps of an optimizer and the epochs."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from loopcheck.loop import Event, Role


class Clock:
    """Steps and epochs of a run, from 1. A step begins with what is computed for it; what comes before that is after the last."""

    def __init__(self, trace: Sequence[Event]) -> None:
        self._place = {event: place for place, event in enumerate(trace)}
        self._steps: dict[Role, list[int]] = {}
        self._epochs: list[int] = []
        self._work = [place for place, event in enumerate(trace) if event.verb in ("forward", "backward") and not _aside(event)]
        loaders: dict[tuple[Role, ...], int] = {}
        for place, event in enumerate(trace):
            if event.verb == "step":
                self._steps.setdefault(event.on[0], []).append(place)
            elif event.verb == "iterate" and event.facts.get("training"):
                loaders[event.on] = loaders.get(event.on, 0) + 1
                if loaders[event.on] == max(loaders.values()):  # several loaders are passed over side by side
                    self._epochs.append(place)

    def when(self, event: Event, role: Role | None = None) -> str:
        """`step 3, epoch 1`. role: what it is about; an optimizer counts its own steps."""
        place = self._place.get(event)
        if place is None:
            return ""
        own = self._own(event, role)
        taken = bisect_left(own, place)
        since = own[taken - 1] if taken else -1
        begun = not _aside(event) and (event.verb == "step" or bisect_right(self._work, place) > bisect_right(self._work, since))
        epoch = bisect_right(self._epochs, place)
        if begun:
            parts = [f"step {taken + 1}"]
        else:
            parts = [f"after step {taken}" if taken else "before step 1"]
        return ", ".join([*parts, f"epoch {epoch}"] if epoch else parts)

    def _own(self, event: Event, role: Role | None) -> Sequence[int]:
        """The steps to count by: those of the optimizer that it is about, or of the one that has taken most."""
        wanted = [each for each in (*event.on, *([role] if role else [])) if each in self._steps]
        behind = [each for each in (role.made_from if role else ()) if each in self._steps]
        for each in (*wanted, *behind):
            return self._steps[each]
        return max(self._steps.values(), key=len, default=[])


def _aside(event: Event) -> bool:
    """It is no part of a step: nothing is learned in it."""
    if event.verb == "forward":
        return bool(event.facts.get("validating"))
    return event.verb in (
        "build",
        "prepare",
        "shard",
        "evaluate",
        "train",
        "iterate",
        "exhaust",
        "set_epoch",
        "schedule",
        "update",
    )


def timed(verb: str, when: str) -> str:
    """What a note says of an event: `backward, step 3, epoch 1`."""
    return when if verb == "step" and when.startswith("step") else ", ".join(filter(None, [verb, when]))


def at(when: str) -> str:
    """`at step 3`, `after step 3`: as a sentence goes on."""
    return when if when.startswith(("after", "before")) else f"at {when}"
