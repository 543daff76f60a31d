"""The two judges: where does a chain meet a loop read from source, or a recorded run?

Both move the same chain on by the same function, `automaton.advance`. `over_trace` feeds it the events of a run; `over_loop`
feeds it every feasible path of a region. Each chain is judged once for each object, over the events that concern it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import filterfalse

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
            if _relevant(chain, role, event):
                partials, complete = advance(chain, partials, event, _sure(role, event))
                verdicts += [Verdict(Witness(found, role)) for found in complete]
    return _ordered(_once(verdicts), trace)


def over_loop(chain: Chain, per: str, region: Region) -> tuple[list[Verdict], list[Role]]:
    """The chain in a loop read from source, and the objects for which there were too many paths to tell."""
    verdicts: list[Verdict] = []
    undecided = []
    seen = _seen(region)
    if not any(event.verb in chain.verbs for event in seen):
        return [], []
    roles = _objects(per, filterfalse(_makes_part, seen))
    common = _kept(region, partial(_of_any, chain, frozenset(roles)))
    mattering = [event for event in seen if _of_any(chain, frozenset(roles), event)]
    matches = _matches(chain, mattering)
    walked = set()
    for role in sorted(roles, key=lambda role: not role.name):
        if not all(any(_relevant(chain, role, event) for event in match) for match in matches):
            continue
        own = {event: _sure(role, event) for event in mattering if _relevant(chain, role, event)}
        history = frozenset(own.items())
        if history in walked:
            continue  # another object has had the same done to it
        walked.add(history)
        part = _kept(common, own.__contains__) if common else None
        if part is None:
            continue
        walk = Walk(chain, role, partial(_sure, role))
        try:
            walk.run(Seq((part, END)))
        except Undecided:
            undecided.append(role)
            continue
        verdicts += [Verdict(Witness(witness, role), certain) for witness, certain in walk.found.items()]
    return _ordered(_once(verdicts), seen), sorted(undecided, key=lambda role: role.name)


def _objects(per: str, seen: Iterable[Event]) -> list[Role]:
    """Every object of a kind that an event touches, or that something it touches was built from."""
    found: dict[Role, None] = {}
    for event in seen:
        for role in event.on:
            for source in role.sources:
                if source.kind == per:
                    found[source] = None
    return list(found)


@lru_cache(maxsize=64)
def _seen(region: Region) -> tuple[Event, ...]:
    return tuple(events(region))


def _makes_part(event: Event) -> bool:
    """A layer is made; what happens to it happens to the whole, unless it is spoken of again."""
    return event.verb == "build" and all(role.part_of for role in event.on)


def _of_any(chain: Chain, roles: frozenset[Role], event: Event) -> bool:
    """Whether an event can matter to one of the objects, told quickly."""
    if event.verb == "build":
        return not roles.isdisjoint(event.on)
    return event.verb == "escape" or event.verb in chain.verbs


def _relevant(chain: Chain, role: Role, event: Event) -> bool:
    if event.verb in ("start", "end"):
        return event.verb in chain.verbs
    if event.verb == "build" and role in event.on:
        return True
    return (event.verb == "escape" or event.verb in chain.verbs) and (concerns(event, role) or may_concern(event, role))


def _matches(chain: Chain, seen: Sequence[Event]) -> list[list[Event]]:
    """For each link of the chain the events that could be it, the rarest first: for most objects one has none."""
    links = [link.match for link in chain.links if not isinstance(link.match, Again)]
    return sorted(([event for event in (*seen, START, END) if match.certain(event)] for match in links), key=len)


def _sure(role: Role, event: Event) -> bool:
    return event.verb in ("start", "end") or concerns(event, role)


def _kept(region: Region, matters: Callable[[Event], bool]) -> Region | None:
    """The region with nothing in it but the events that matter; None where none is left."""
    match region:
        case Event():
            return region if matters(region) else None
        case Leave():
            return region
        case Seq(parts):
            kept = tuple(part for part in (_kept(part, matters) for part in parts) if part is not None)
            return Seq(kept) if kept else None
        case Either(test, then, other):
            arms = _kept(then, matters), _kept(other, matters)
            return Either(test, arms[0] or Seq(), arms[1] or Seq()) if any(arms) else None
        case Repeat(body, binds):
            part = _kept(body, matters)
            return Repeat(_trimmed(part), binds) if part and _eventful(part) else None
        case Frame(body):
            part = _kept(body, matters)
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
