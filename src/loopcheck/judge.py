"""The two judges: where does a chain meet a loop read from source, or a recorded run?

Both move the same chain on by the same function, `automaton.advance`. `over_trace` feeds it the events of a run; `over_loop`
feeds it every feasible path of a region. Each chain is judged once for each object, over the events that concern it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from loopcheck.automaton import END, START, advance, begin
from loopcheck.bug import Again, Chain, concerns, may_concern
from loopcheck.loop import Either, Event, Frame, Leave, Region, Repeat, Role, Seq, events
from loopcheck.paths import Undecided, Walk
from loopcheck.rule import Witness


@dataclass(frozen=True)
class Verdict:
    """A chain met. `certain`: on every path that reaches its last event."""

    witness: Witness
    certain: bool = True


def over_trace(chain: Chain, per: str, trace: Sequence[Event]) -> list[Verdict]:
    """The chain in a recorded run, once for each place and object."""
    verdicts = []
    for role in _objects(per, trace):
        partials = begin(chain)
        for event in [*trace, END]:
            if _relevant(chain, event, role):
                partials, complete = advance(chain, partials, event, _sure(role, event))
                verdicts += [Verdict(Witness(found, role)) for found in complete]
    return _ordered(_once(verdicts), trace)


def over_loop(chain: Chain, per: str, region: Region) -> tuple[list[Verdict], list[Role]]:
    """The chain in a loop read from source, and the objects for which there were too many paths to tell."""
    verdicts: list[Verdict] = []
    undecided = []
    seen = list(events(region))
    if not any(chain.verbs & {event.verb} for event in seen):
        return [], []
    for role in _objects(per, seen):
        part = _slice(chain, role, region)
        if part is None or not _can_complete(chain, part):
            continue
        walk = Walk(chain, role, partial(_sure, role))
        try:
            walk.run(Seq((part, END)))
        except Undecided:
            undecided.append(role)
            continue
        verdicts += [Verdict(Witness(witness, role), certain) for witness, certain in walk.found.items()]
    return _ordered(_once(verdicts), events(region)), sorted(undecided, key=lambda role: role.name)


def _objects(per: str, seen: Iterable[Event]) -> list[Role]:
    """Every object of a kind that an event touches, or that something it touches was built from."""
    found: dict[Role, None] = {}
    for event in seen:
        for role in event.on:
            for source in role.sources:
                if source.kind == per:
                    found[source] = None
    return list(found)


def _relevant(chain: Chain, event: Event, role: Role) -> bool:
    if event.verb in ("start", "end"):
        return event.verb in chain.verbs
    if event.verb == "build" and role in event.on:
        return True
    return (event.verb == "escape" or event.verb in chain.verbs) and (concerns(event, role) or may_concern(event, role))


def _can_complete(chain: Chain, region: Region) -> bool:
    """Every link of the chain has an event that could be it: most chains end here, and cheaply."""
    seen = [*events(region), START, END]
    return all(isinstance(link.match, Again) or any(map(link.match.certain, seen)) for link in chain.links)


def _sure(role: Role, event: Event) -> bool:
    return event.verb in ("start", "end") or concerns(event, role)


def _slice(chain: Chain, role: Role, region: Region) -> Region | None:
    """The region with nothing in it but what can matter to this chain and object; None where no event is left."""
    match region:
        case Event():
            return region if _relevant(chain, region, role) else None
        case Leave():
            return region
        case Seq(parts):
            kept = tuple(part for part in (_slice(chain, role, part) for part in parts) if part is not None)
            return Seq(kept) if kept else None
        case Either(test, then, other):
            arms = _slice(chain, role, then), _slice(chain, role, other)
            return Either(test, arms[0] or Seq(), arms[1] or Seq()) if any(arms) else None
        case Repeat(body, binds):
            part = _slice(chain, role, body)
            return Repeat(_trimmed(part), binds) if part and _eventful(part) else None
        case Frame(body):
            part = _slice(chain, role, body)
            return Frame(_trimmed(part)) if part and _eventful(part) else None


def _trimmed(region: Region) -> Region:
    """A loop's or a call's body without what comes after its last event: there is nothing left to be skipped."""
    if not isinstance(region, Seq):
        return region
    parts = list(region.parts)
    while parts and not _eventful(parts[-1]):
        parts.pop()
    return Seq((*parts[:-1], _trimmed(parts[-1]))) if parts else region


def _eventful(region: Region) -> bool:
    return next(events(region), None) is not None


def _once(verdicts: Iterable[Verdict]) -> list[Verdict]:
    """One verdict for each last place and object kind; a certain one before a possible one, the shortest way first."""
    best: dict[object, Verdict] = {}
    for verdict in verdicts:
        key = (tuple(event.at for event in verdict.witness.events), verdict.witness.role)
        if key not in best or verdict.certain > best[key].certain:
            best[key] = verdict
    return list(best.values())


def _ordered(verdicts: Iterable[Verdict], seen: Iterable[Event]) -> list[Verdict]:
    """The nearest events first, and of objects those with a name: which witness is told must not be left to chance."""
    order = {event: number for number, event in enumerate(seen)}

    def rank(verdict: Verdict) -> tuple[bool, list[int], str]:
        role = verdict.witness.role
        return not role.name, [-order.get(event, -1) for event in verdict.witness.events], role.name

    return sorted(verdicts, key=rank)
