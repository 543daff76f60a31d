"""The two judges: where does a chain meet a loop read from source, or a recorded run?

Both move the same chain on by the same function, `advance`. `over_trace` feeds it the events of a run; `over_loop` feeds it
every feasible path of a region. Each chain is judged once for each object, over the events that concern it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from loopcheck.bug import Again, Chain, Match, concerns, may_concern
from loopcheck.loop import Either, Event, Frame, Leave, Region, Repeat, Role, Seq, Test, events, tests
from loopcheck.rule import Witness

Partial: TypeAlias = tuple[Event, ...]
"""How far a chain has come: the events that its first links have matched."""

MOST_PATHS = 400
"""Paths that differ for one object at one place; beyond, the chain is not judged for it."""


@dataclass(frozen=True)
class Edge:
    """The site of the run's beginning and end."""

    text: str

    @property
    def place(self) -> str:
        return self.text


_START = Event("start", (), Edge("the start of the run"))
_END = Event("end", (), Edge("the end of the run"))


@dataclass(frozen=True)
class Verdict:
    """A chain met. `certain`: on every path that reaches its last event."""

    witness: Witness
    certain: bool = True


class Undecided(Exception):
    """More paths than are walked."""


def over_trace(chain: Chain, per: str, trace: Sequence[Event]) -> list[Verdict]:
    """The chain in a recorded run, once for each place and object."""
    verdicts = []
    for role in _objects(per, trace):
        partials = _begin(chain)
        for event in [*trace, _END]:
            if _relevant(chain, event, role):
                partials, complete = advance(chain, partials, event, _sure(event, role))
                verdicts += [Verdict(Witness(found, role)) for found in complete]
    return _ordered(_once(verdicts), trace)


def over_loop(chain: Chain, per: str, region: Region) -> tuple[list[Verdict], list[Role]]:
    """The chain in a loop read from source, and the objects for which there were too many paths to tell."""
    verdicts: list[Verdict] = []
    undecided = []
    for role in _objects(per, list(events(region))):
        part = _slice(chain, role, region)
        if part is None:
            continue
        walk = _Walk(chain, role)
        try:
            walk.run(Seq((part, _END)))
        except Undecided:
            undecided.append(role)
            continue
        verdicts += walk.verdicts()
    return _ordered(_once(verdicts), events(region)), sorted(undecided, key=lambda role: role.name)


def advance(
    chain: Chain, partials: frozenset[Partial], event: Event, sure: bool
) -> tuple[frozenset[Partial], list[Partial]]:
    """Move every partial match over one event: what is under way now, and what this event completed.

    sure: the event concerns the object. One that only may concern it completes nothing, but can be what a gap excludes.
    """
    onward: set[Partial] = set()
    complete: list[Partial] = []
    for partial in {*partials, ()}:
        link = chain.links[len(partial)]
        if isinstance(link.match, Again):
            meets = event.at == _named(partial, link.match).at
        else:
            meets = link.match.certain(event)
        if meets and sure:
            longer = (*partial, event)
            if len(longer) == len(chain.links):
                complete.append(longer)
            else:
                onward.add(longer)
        if partial and not (link.gap and link.gap.match.possible(event)):
            onward.add(partial)
    return frozenset(onward), complete


def _named(partial: Partial, again: Again) -> Event:
    return partial[-1] if again.of is None else next(event for event in partial if event.verb == again.of)


def _begin(chain: Chain) -> frozenset[Partial]:
    return frozenset({(_START,)}) if "start" in _first(chain) else frozenset()


def _first(chain: Chain) -> frozenset[str]:
    match = chain.links[0].match
    return match.verbs if isinstance(match, Match) else frozenset()


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


def _sure(event: Event, role: Role) -> bool:
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
            return Repeat(part, binds) if part and _eventful(part) else None
        case Frame(body):
            part = _slice(chain, role, body)
            return Frame(part) if part and _eventful(part) else None


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


@dataclass(frozen=True)
class _Path:
    """One way through the region so far.

    assumed: the outcomes of tests on this way, until one of their names is bound again.
    turns: the outcomes of counter tests, kept for good: they are no doubt, both happen in every run.
    made: the object exists on this way; where one is built only under a flag, nothing happens to it without the flag.
    """

    assumed: frozenset[tuple[Test, bool]]
    turns: frozenset[tuple[str, bool]]
    partials: frozenset[Partial]
    made: bool = True


_Paths: TypeAlias = frozenset[_Path]
_Exits: TypeAlias = dict[str, _Paths]
"""Paths by how they leave a region: `fall` through its end, or by `break`, `continue`, `return`, `raise`."""


class _Walk:
    """All feasible paths of one region for one chain and object."""

    def __init__(self, chain: Chain, role: Role) -> None:
        self.chain = chain
        self.role = role
        self.found: dict[Partial, bool] = {}
        self.recurring: frozenset[str] = frozenset()

    def run(self, region: Region) -> None:
        self.recurring = _recurring(region)
        made = not any(event.verb == "build" and self.role in event.on for event in events(region))
        self.walk(region, frozenset([_Path(frozenset(), frozenset(), _begin(self.chain), made)]))

    def verdicts(self) -> Iterator[Verdict]:
        for witness, certain in self.found.items():
            yield Verdict(Witness(witness, self.role), certain)

    def walk(self, region: Region, paths: _Paths) -> _Exits:
        if not paths:
            return {}
        match region:
            case Event():
                return {"fall": self.event(region, paths)}
            case Leave(how):
                return {how: paths}
            case Seq(parts):
                return self.seq(parts, paths)
            case Either():
                return self.either(region, paths)
            case Repeat():
                return self.repeat(region, paths)
            case Frame(body):
                exits = self.walk(body, paths)
                exits["fall"] = _merge(exits.pop("return", frozenset()) | exits.get("fall", frozenset()))
                return exits

    def event(self, event: Event, paths: _Paths) -> _Paths:
        after: set[_Path] = set()
        reached: dict[frozenset[tuple[str, bool]], list[bool]] = {}
        found: list[Partial] = []
        sure = _sure(event, self.role)
        builds = event.verb == "build" and self.role in event.on
        for path in paths:
            if not path.made and not builds:
                after.add(path)
                continue
            partials, complete = advance(self.chain, path.partials, event, sure)
            after.add(replace(path, partials=partials, made=True))
            found += complete
            reached.setdefault(path.turns, []).append(bool(complete))
        certain = any(all(outcome) for outcome in reached.values())
        for witness in found:
            self.found[witness] = self.found.get(witness, False) or certain
        return _merge(frozenset(after))

    def seq(self, parts: Sequence[Region], paths: _Paths) -> _Exits:
        exits: _Exits = {}
        for part in parts:
            left = self.walk(part, paths)
            paths = left.pop("fall", frozenset())
            exits = _join(exits, left)
        exits["fall"] = paths
        return exits

    def either(self, region: Either, paths: _Paths) -> _Exits:
        test = region.test
        arms: dict[bool, set[_Path]] = {True: set(), False: set()}
        for path in paths:
            known = {outcome for seen, outcome in path.assumed if seen.key == test.key}
            for outcome in known or (True, False):
                turns = path.turns | {(test.key, outcome)} if test.counter else path.turns
                assumed = path.assumed | {(test, outcome)} if test.key in self.recurring else path.assumed
                arms[outcome].add(replace(path, assumed=assumed, turns=turns))
        exits = _join(self.walk(region.then, frozenset(arms[True])), self.walk(region.other, frozenset(arms[False])))
        return {how: _merge(left) for how, left in exits.items()}

    def repeat(self, region: Repeat, paths: _Paths) -> _Exits:
        """Pass after pass until nothing new comes out: the first pass and the steady state differ."""
        exits: _Exits = {}
        begins = frozenset((test, True) for test in tests(region.body) if test.first and test.names & region.binds)
        paths = frozenset(replace(path, assumed=path.assumed | begins) for path in paths)
        seen: _Paths = frozenset()
        while not paths <= seen:
            seen |= paths
            left = self.walk(region.body, paths)
            ended = left.pop("fall", frozenset()) | left.pop("continue", frozenset())
            broken = left.pop("break", frozenset())
            over = frozenset(_forget(path, region.binds) for path in ended | broken)
            paths = _merge(frozenset(_forget(path, region.binds) for path in ended if not _ends(path, region.binds)))
            exits = _join(exits, left, {"fall": over})
        return {how: _merge(left) for how, left in exits.items()}


def _recurring(region: Region) -> frozenset[str]:
    """The keys of the tests that can be met again under the same values; what any other came to need not be remembered."""
    met: set[str] = set()
    again: set[str] = set()

    def visit(part: Region, loops: tuple[frozenset[str], ...]) -> None:
        match part:
            case Seq(parts):
                for each in parts:
                    visit(each, loops)
            case Either(test, then, other):
                if test.key in met or test.last or any(not test.names & binds for binds in loops):
                    again.add(test.key)
                met.add(test.key)
                visit(then, loops)
                visit(other, loops)
            case Repeat(body, binds):
                visit(body, (*loops, binds))
            case Frame(body):
                visit(body, loops)
            case Event() | Leave():
                pass

    visit(region, ())
    shifted = {test.key for test in tests(region) if test.following in met}
    return frozenset(again | shifted)


def _ends(path: _Path, binds: frozenset[str]) -> bool:
    """This pass was the loop's last."""
    return any(test.last and was and test.names & binds for test, was in path.assumed)


def _forget(path: _Path, binds: frozenset[str]) -> _Path:
    """The path at the beginning of the next pass: a counter has moved on by one, of the rest nothing is known."""
    kept = [(test, was) for test, was in path.assumed if not test.names & binds]
    moved = [(replace(test, key=test.following, following=""), was) for test, was in path.assumed if test.names & binds and test.following]
    return replace(path, assumed=frozenset(kept + moved))


def _join(*exits: _Exits) -> _Exits:
    joined: _Exits = {}
    for each in exits:
        for how, paths in each.items():
            joined[how] = joined.get(how, frozenset()) | paths
    return joined


def _merge(paths: _Paths) -> _Paths:
    """Forget a test once both its outcomes have led to the same place, or paths multiply."""
    groups: dict[_Path, set[frozenset[tuple[Test, bool]]]] = {}
    for path in paths:
        groups.setdefault(replace(path, assumed=frozenset()), set()).add(path.assumed)
    merged = {replace(path, assumed=assumed) for path, sets in groups.items() for assumed in _agreed(sets)}
    if len(merged) > MOST_PATHS:
        raise Undecided
    return frozenset(merged)


def _agreed(sets: set[frozenset[tuple[Test, bool]]]) -> set[frozenset[tuple[Test, bool]]]:
    work = sorted(sets, key=len, reverse=True)
    kept = set(sets)
    while work:
        assumed = work.pop()
        if assumed not in kept:
            continue
        for test, outcome in assumed:
            rest = assumed - {(test, outcome)}
            if rest in kept or rest | {(test, not outcome)} in kept:
                kept -= {assumed, rest | {(test, not outcome)}}
                if rest not in kept:
                    kept.add(rest)
                    work.append(rest)
                break
    return kept
