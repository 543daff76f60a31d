"""What is measured once training is over, on the data that it has learned from."""

from __future__ import annotations

from collections.abc import Iterator, Set
from itertools import pairwise

from loopcheck.loop import Either, Event, Frame, Region, Repeat, Role, Seq, events
from loopcheck.read.objects.passes import settle
from loopcheck.words import PREDICTING, words


def tell_measured(region: Region) -> None:
    """Which forwards of an entry measure what it has learned, on the very loader, or predict by it: in a pass that comes after
    all training, and takes numbers alone. Its name says that it trains, or predicts, and it is an evaluation like any other."""
    seen = list(events(region))
    ends = max((at for at, event in enumerate(seen) if event.verb == "backward"), default=len(seen))
    taught = {role for event in seen if event.verb == "iterate" and event.facts.get("training") for role in event.on}
    after = seen[ends + 1 :]
    read = {event for event in after if event.verb == "forward" and event.facts.get("read")}
    if read and not any(event.verb == "train" for event in after):
        for event in read.intersection(_measuring(region, taught, False)):
            settle(event, "validating", True)


def _measuring(region: Region, taught: Set[Role], trained: bool, predicts: bool = False) -> Iterator[Event]:
    """What happens in passes over these loaders that come after what trains, and are in no loop with it. predicts: in those over
    whatever else as well, for that is what the function is called."""
    match region:
        case Seq(parts):
            for before, part in pairwise((Seq(), *parts)):
                over = predicts or _begins(before, taught)
                if trained and isinstance(part, Repeat) and over and not _trains(part):
                    yield from events(part)
                else:
                    yield from _measuring(part, taught, trained, predicts)
                trained = trained or _trains(part)
        case Either(_, then, other):
            yield from _measuring(then, taught, trained, predicts)
            yield from _measuring(other, taught, trained, predicts)
        case Frame(body, of):
            yield from _measuring(body, taught, trained, predicts or bool(words(of.rpartition(".")[2]) & PREDICTING))
        case Repeat(body) if not _trains(region):
            yield from _measuring(body, taught, trained, predicts)
        case _:
            pass


def _begins(region: Region, loaders: Set[Role]) -> bool:
    """Whether a pass over one of these loaders begins with it."""
    return isinstance(region, Event) and region.verb == "iterate" and not loaders.isdisjoint(region.on)


def _trains(region: Region) -> bool:
    return any(event.verb == "backward" for event in events(region))
