"""What comes once all training is over."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from loopcheck.loop import Either, Event, Frame, Region, Seq, Test, events, is_left


def after_training(region: Region) -> Mapping[Event, bool]:
    """What an entry does where nothing trains any more, and in no loop that does: once all training is over, or in a run that
    comes by none, as an option decides. Each with whether anything may have trained before."""
    return dict(_after_training(region, ()))


_Guards: TypeAlias = Mapping[Test, bool]
"""The outcomes of tests without which something does not happen."""


def _after_training(region: Region, trained: Sequence[_Guards]) -> Iterator[tuple[Event, bool]]:
    """trained: under which tests what comes before trains."""
    if not _learns(region):
        yield from ((event, bool(trained)) for event in events(region))
        return
    match region:
        case Seq(parts):
            last = max(at for at, part in enumerate(parts) if _learns(part))
            before = [*trained]
            for part in parts[:last]:
                yield from _left_early(part, before)
                before += _training(part)
            yield from _after_training(parts[last], before)
            before += _training(parts[last])
            for part in parts[last + 1 :]:
                yield from _apart(part, before)
        case Either(_, then, other):
            for arm, outcome in ((then, True), (other, False)):
                yield from _after_training(arm, _together(trained, region.guards(outcome)))
        case Frame(body):
            yield from _after_training(body, trained)
        case _:
            pass


def _left_early(region: Region, trained: Sequence[_Guards]) -> Iterator[tuple[Event, bool]]:
    """What happens on ways that are left before what trains last, `if args.test: evaluate(net); return`."""
    if isinstance(region, Either):
        for arm, outcome in ((region.then, True), (region.other, False)):
            within = _together(trained, region.guards(outcome))
            yield from _after_training(arm, within) if is_left(arm) else _left_early(arm, within)


def _apart(region: Region, trained: Sequence[_Guards]) -> Iterator[tuple[Event, bool]]:
    """What happens in a region that trains nothing, with whether anything may have trained before on the way there."""
    match region:
        case Either(_, then, other):
            for arm, outcome in ((then, True), (other, False)):
                yield from _apart(arm, _together(trained, region.guards(outcome)))
        case _:
            yield from ((event, bool(trained)) for event in events(region))


def _training(region: Region) -> list[_Guards]:
    """Under which tests a region trains, as far as one arm alone of it does."""
    match region:
        case Either(_, then, other) if _learns(then) is not _learns(other):
            return [region.guards(_learns(then))]
        case _:
            return [{}] if _learns(region) else []


def _together(trained: Sequence[_Guards], guards: _Guards) -> list[_Guards]:
    """Of what trains that of which the tests may come out so, too."""
    against = {(test.key, not holds) for test, holds in guards.items()}
    return [each for each in trained if all((test.key, holds) not in against for test, holds in each.items())]


def _learns(region: Region) -> bool:
    return any(event.verb in ("backward", "step") for event in events(region))
