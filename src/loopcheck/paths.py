"""Every feasible path of a region, for one chain and one object.

A path remembers what it has assumed of tests that can be met again: the same test goes the same way until one of its names
is bound again. Paths that remember the same and have come as far are one path. A test is forgotten where it is not met any
more, and once both its outcomes have led to the same place, or paths would multiply.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache, partial
from typing import NamedTuple, TypeAlias

from loopcheck.automaton import END, Moved, Partial, advance, begin
from loopcheck.bug import Chain, lasts
from loopcheck.loop import Decision, Either, Event, Frame, Leave, Region, Repeat, Role, Seq, Test, Told, events, loops, tests

MOST_PATHS = 128
"""Paths at one place. Beyond, what counters came to is forgotten, which leaves some of what is certain only possible; and then
tests are no longer told apart, and only what holds on every path is believed."""


MOST_PARTIALS = 128
"""Ways in which a chain may be under way at one place, on one path. People's code has a few; each is asked at each event."""


class Detail(IntEnum):
    """How much of what tests came to is kept."""

    NONE = 0
    FLAGS = 1
    COUNTERS = 2


class Share(IntEnum):
    """On which of the paths that reach its last event, and on which the chain has come so far, it is met.

    CONFIGURED: not on every one, but on all that belong to one configuration, which is what comes to the same in a whole run. A
    path on which counters have not yet come to what they come to in any run speaks for no other configuration.
    """

    SOME = 0
    CONFIGURED = 1
    EVERY = 2


class Undecided(Exception):
    """More paths than are walked, even with tests not told apart, or more matches under way than are followed."""


class Way(NamedTuple):
    """What has happened on a way through the region so far.

    turns: the outcomes of counter tests, kept for good (two bits each): both happen in every run, so they are no doubt.
    partials: how far the chain has come. made: the object exists.
    broken: how far the chain had come when a gap ended it, where it has not come as far again.
    """

    turns: int
    partials: frozenset[Partial]
    made: bool
    broken: int = 0


class Path(NamedTuple):
    """A way, and what it assumes. Tests are numbered; bit n is test n.

    known, held: of which tests the outcome is assumed, and which of those hold.
    """

    known: int
    held: int
    way: Way


_path: Callable[[tuple[int, int, Way]], Path] = partial(tuple.__new__, Path)
"""Makes one. There are as many as there are ways to each place, and a name for each field costs more than the rest."""
Paths: TypeAlias = frozenset[Path]
Exits: TypeAlias = dict[str, Paths]
"""Paths by how they leave a region: `fall` through its end, or by `break`, `continue`, `return`, `raise`."""


class Telling(NamedTuple):
    """What a test comes to where others, `asked` for, came to certain `outcomes`: those of them hold."""

    asked: int
    outcomes: int
    test: int
    holds: bool


@dataclass(frozen=True)
class Round:
    """What a loop's next pass does to what is assumed. enters: tests that stay where it begins. keeps: those that stay then.
    moves: of a counter's tests, to which each hands its outcome. tells: what a pass says of the next; enters_with: what is said
    of the first. begins: those that hold on the first pass; alone: on no other; late: those that do not hold on it. ebbs: those
    that do not hold again once they did not. ends: those that hold on the last; finals: those of them without which no pass is
    the last. windows: the outcomes, as in a way's turns, with which one is not full yet. anew: it has an object of its own, and
    so has what that was made from.
    """

    enters: int
    keeps: int
    moves: tuple[tuple[int, int], ...]
    tells: tuple[Telling, ...]
    enters_with: tuple[Telling, ...]
    begins: int
    alone: int
    late: int
    ebbs: int
    ends: int
    finals: int
    windows: int
    anew: bool = False


class Walk:
    """Walks a region.

    found: the witnesses, and on which paths each is met; only a path on which a gap has broken it speaks against the rest.
    doubtful: others may have been met, but there were too many paths to tell.
    """

    def __init__(self, chain: Chain, role: Role, sure: Callable[[Event], bool]) -> None:
        self.chain = chain
        self.role = role
        self.sure = sure
        self.found: dict[Partial, Share] = {}
        self.detail = Detail.COUNTERS
        self.doubtful = False
        self._number: dict[Hashable, int] = {}
        self._recurring = 0
        self._constant = 0
        self._rivals: dict[Hashable, int] = {}
        self._advanced: dict[tuple[Event, frozenset[Partial]], Moved] = {}
        self._rounds: dict[Repeat, Round] = {}
        self._first = Way(0, frozenset(), made=False)
        self._inside: dict[Region, int] = {}
        self._later: dict[Region, int] = {}

    def run(self, region: Region) -> None:
        """Walk a program from its start to its end, `sys.exit()` among the ways there. Raises Undecided."""
        for test in tests(region):
            self._number.setdefault(test.key, len(self._number))
        self._rivals = _rivals(_distinct(tests(region)), self._number)
        for key in _recurring(region) | set(self._rivals):
            self._recurring |= 1 << self._number[key]
        rebound = frozenset[Hashable]().union(*(loop.binds for loop in loops(region)))
        for test in tests(region):
            if not test.counter and rebound.isdisjoint(test.names):
                self._constant |= 1 << self._number[test.key]
        self._look_ahead(region, 0)
        made = not any(event.verb == "build" and self.role in event.on for event in events(region))
        self._first = Way(0, begin(self.chain), made)
        exits = self._walk(region, frozenset([Path(0, 0, self._first)]))
        self._event(END, exits.get("fall", frozenset()) | exits.get("exit", frozenset()))

    @property
    def coarse(self) -> bool:
        """Tests are not told apart."""
        return self.detail is Detail.NONE

    def _walk(self, region: Region, paths: Paths) -> Exits:
        if not paths:
            return {}
        match region:
            case Event():
                return {"fall": self._event(region, paths)}
            case Leave(how):
                return {how: paths}
            case Seq(parts):
                return self._seq(parts, paths)
            case Either():
                return self._forgetful(region, self._either(region, paths))
            case Repeat():
                return self._forgetful(region, self._repeat(region, paths))
            case Frame(body):
                exits = self._walk(body, paths)
                exits["fall"] = exits.pop("return", frozenset()) | exits.get("fall", frozenset())
                return self._forgetful(region, exits)

    def _met(self, region: Region) -> int:
        """The tests that are met in a region, and those that an outcome of theirs decides."""
        if region not in self._inside:
            match region:
                case Seq(parts):
                    met = 0
                    for part in parts:
                        met |= self._met(part)
                case Either(_, then, other):
                    met = self._met(then) | self._met(other)
                    for test in region.tests:
                        met |= 1 << self._number[test.key] | self._rivals.get(test.key, 0)
                case Repeat(body, over=over):
                    met = self._met(body) | self._met(over)
                case Frame(body):
                    met = self._met(body)
                case _:
                    return 0
            self._inside[region] = met
        return self._inside[region]

    def _look_ahead(self, region: Region, later: int) -> None:
        """Note of every region which tests may be met after it. later: of the whole."""
        self._later[region] = later
        match region:
            case Seq(parts):
                for part in reversed(parts):
                    self._look_ahead(part, later)
                    later |= self._met(part)
            case Either(_, then, other):
                self._look_ahead(then, later)
                self._look_ahead(other, later)
            case Repeat(body, over=over):
                self._look_ahead(body, later | self._met(region))  # once more on the next pass
                self._look_ahead(over, later)
            case Frame(body):
                self._look_ahead(body, later)
            case _:
                pass

    def _forgetful(self, region: Region, exits: Exits) -> Exits:
        """The ways out of a region, those through its end without the tests that are not met any more."""
        later = self._later[region]
        if any(known & ~later for known, _, _ in exits.get("fall", ())):
            exits["fall"] = frozenset([_path((known & later, held & later, way)) for known, held, way in exits["fall"]])
        return {how: self._merged(paths) for how, paths in exits.items()}

    def _event(self, event: Event, paths: Paths) -> Paths:
        after: set[Path] = set()
        found: list[Partial] = []
        met: set[Path] = set()
        unmet: set[Path] = set()
        builds = event.verb == "build" and self.role in event.on
        lasting = lasts(event)
        for path in paths:
            known, held, way = path
            if not (way.made or builds or lasting):
                after.add(path)
                continue
            moved = self._advanced.get((event, way.partials))
            if moved is None:
                moved = self._advanced[(event, way.partials)] = advance(self.chain, way.partials, event, self.sure(event))
                if len(moved.onward) > MOST_PARTIALS:
                    raise Undecided
            broken = max(way.broken, moved.broken)
            if broken and (moved.complete or any(len(partial) >= broken for partial in moved.onward)):
                broken = 0
            after.add(Path(known, held, Way(way.turns, moved.onward, way.made or builds, broken)))
            found += moved.complete
            if moved.complete:
                met.add(path)
            elif way.broken or self.coarse:
                unmet.add(path)
        self._find(found, self._share(met, unmet))
        return self._merged(after) if len(after) < len(paths) or found else frozenset(after)

    def _share(self, met: Set[Path], unmet: Set[Path]) -> Share:
        """How many of the paths to an event are those on which it was met."""
        if not {path.way.turns for path in met} <= {path.way.turns for path in unmet}:
            return Share.EVERY
        configured = any(
            all(self._of_other_runs(path, other) for other in unmet if other.way.turns == path.way.turns) for path in met
        )
        return Share.CONFIGURED if configured else Share.SOME

    def _of_other_runs(self, path: Path, other: Path) -> bool:
        """Two paths that no configuration has both."""
        return bool(path.known & other.known & (path.held ^ other.held) & self._constant)

    def _find(self, found: Iterable[Partial], share: Share) -> None:
        """Take witnesses down. Where tests are not told apart a way may be none, so what is not certain is not believed."""
        for witness in found:
            if share is Share.EVERY or not self.coarse:
                self.found[witness] = max(self.found.get(witness, Share.SOME), share)
            elif witness not in self.found:
                self.doubtful = True

    def _seq(self, parts: Sequence[Region], paths: Paths) -> Exits:
        exits: Exits = {}
        for part in parts:
            left = self._walk(part, paths)
            paths = left.pop("fall", frozenset())
            _join(exits, left)
        exits["fall"] = paths
        return exits

    def _either(self, region: Either, paths: Paths) -> Exits:
        arms = self._decided(region.tree, paths)
        exits = self._walk(region.then, arms[True])
        _join(exits, self._walk(region.other, arms[False]))
        return exits

    def _decided(self, tree: Decision, paths: Paths) -> tuple[Paths, Paths]:
        """The paths on which a decision tree leads to the other arm, and those on which it leads to the first."""
        if isinstance(tree, bool):
            return (frozenset(), paths) if tree else (paths, frozenset())
        arms = self._forked(tree.test, paths)
        led = [self._decided(each, arm) for each, arm in ((tree.then, arms[True]), (tree.other, arms[False]))]
        return led[0][False] | led[1][False], led[0][True] | led[1][True]

    def _forked(self, test: Test, paths: Paths) -> tuple[Paths, Paths]:
        """The paths on which a test does not hold, and those on which it does."""
        number = self._number[test.key]
        bit = 1 << number
        rivals = self._rivals.get(test.key, 0)
        recurs = 0 if self.coarse else bit & self._recurring
        counted = test.counter and self.detail is Detail.COUNTERS
        arms: tuple[set[Path], set[Path]] = set(), set()
        for path in paths:
            decided = path.known & bit or path.held & rivals
            for outcome in (bool(path.held & bit),) if decided else (False, True):
                held = path.held | recurs if outcome else path.held
                way = _turned(path.way, number, outcome) if counted else path.way
                arms[outcome].add(_path((path.known | recurs, held, way)))
        return frozenset(arms[False]), frozenset(arms[True])

    def _repeat(self, region: Repeat, paths: Paths) -> Exits:
        """Pass after pass until nothing new comes out: the first pass and the steady state differ. A loop may skip passes, as of
        batches that are too small, and not all of them, but where something says so that is the same on each; and each window in
        it is full once before it is over."""
        turn = self._rounds.get(region) or self._rounds.setdefault(region, self._round(region))
        begins, late = (0, 0) if self.coarse else (turn.begins, turn.late)
        enters = turn.enters
        apart = (each for path in paths for each in _told_apart(path, turn.enters_with))
        entered = (_informed(path, path.known & enters, path.held & enters, turn.enters_with) for path in apart)
        paths = frozenset(Path(known | begins | late, held | begins, way) for known, held, way in entered)
        exits: Exits = {}
        # in each pair those on which every pass so far was skipped, by `continue`, and the others
        seen = [frozenset[Path](), frozenset[Path]()]
        entering: tuple[Paths, Paths] = paths, frozenset()
        over: tuple[set[Path], set[Path]] = set(), set()
        while not all(map(frozenset.issubset, entering, seen)):
            onward: tuple[set[Path], set[Path]] = set(), set()
            for through, paths in enumerate(entering):
                if paths <= seen[through]:
                    continue
                seen[through] |= paths
                left = self._walk(region.body, paths)
                for whole, ended in ((1, left.pop("fall", frozenset())), (through, left.pop("continue", frozenset()))):
                    again = (self._renewed(path, turn) for path in ended if not path.held & turn.ends)
                    onward[whole].update(_on_next_pass(path, turn) for path in again)
                    over[whole].update(_moved(path, turn) for path in ended if not path.known & turn.finals & ~path.held)
                _join(exits, {"fall": frozenset(_moved(path, turn) for path in left.pop("break", frozenset()))})
                _join(exits, left)
            entering = self._merged(onward[0]), self._merged(onward[1])
        skipped = (path for path in over[0] if all(_differ(path, other) for other in over[1]))
        ended = frozenset(over[1]).union(skipped)
        full = frozenset(path for path in ended if not turn.windows & path.way.turns & ~(path.way.turns >> 1))
        _join(exits, self._walk(region.over, full or ended))
        return exits

    def _renewed(self, path: Path, turn: Round) -> Path:
        """Where each pass of a loop has an object of its own, nothing has happened to the next one."""
        return path._replace(way=self._first._replace(turns=path.way.turns)) if turn.anew else path

    def _round(self, region: Repeat) -> Round:
        bound = [test for test in _distinct(tests(region)) if test.names & region.binds]
        enters = ~sum(1 << self._number[test.key] for test in bound if test.names & region.given)
        keeps = ~sum(1 << self._number[test.key] for test in bound)
        pairs = [(test.key, test.following) for test in bound if test.following is not None] + [*region.brings]
        moves = [(self._number[test], self._number[other]) for test, other in pairs if {test, other} <= self._number.keys()]
        tells, enters_with = self._told(region.tells), self._told(region.begins)
        begins = sum(1 << self._number[test.key] for test in bound if test.first)
        counts = [
            test for test in bound if not test.names & region.binds - region.given
        ]  # it depends on the counter, and no more
        alone = sum(1 << self._number[test.key] for test in counts if test.alone)
        ebbs = sum(1 << self._number[test.key] for test in counts if test.ebbs)
        ends = sum(1 << self._number[test.key] for test in bound if test.last)
        finals = sum(1 << self._number[test.key] for test in bound if test.final)
        anew = all(role.anew & region.binds for role in self.role.made_from)
        late = sum(1 << self._number[test.key] for test in counts if test.late)
        begins, alone, late = begins & self._recurring, alone & self._recurring, late & self._recurring
        windows = sum(1 << 2 * self._number[test.key] for test in counts if test.window)
        return Round(enters, keeps, tuple(moves), tells, enters_with, begins, alone, late, ebbs, ends, finals, windows, anew)

    def _told(self, told: Iterable[Told]) -> tuple[Telling, ...]:
        """What a loop says of a pass, of the tests that are here."""
        found = []
        for outcomes, key, holds in told:
            if {key, *(each for each, _ in outcomes)} <= self._number.keys():
                asked = sum(1 << self._number[each] for each, _ in outcomes)
                held = sum(1 << self._number[each] for each, outcome in outcomes if outcome)
                found.append(Telling(asked, held, 1 << self._number[key], holds))
        return tuple(found)

    def _merged(self, paths: Collection[Path]) -> Paths:
        """The paths with those that are one made one; where they are too many, with less detail from here on."""
        if len(paths) < 2 and self.detail is Detail.COUNTERS:
            return frozenset(paths)
        while len(merged := _united(paths, self.detail)) > MOST_PATHS:
            if self.coarse:
                raise Undecided
            self.detail = Detail(self.detail - 1)
        return merged


def _united(paths: Iterable[Path], detail: Detail) -> Paths:
    groups: dict[Way, set[tuple[int, int]]] = {}
    for known, held, way in paths:
        kept = way if detail is Detail.COUNTERS or not way.turns else way._replace(turns=0)
        groups.setdefault(kept, set()).add((known, held))
    if detail is Detail.NONE:
        return frozenset(Path(0, 0, way) for way in groups)
    return frozenset(
        [
            _path((known, held, way))
            for way, sets in groups.items()
            for known, held in (sets if len(sets) == 1 else _agreed(frozenset(sets)))
        ]
    )


def _turned(way: Way, number: int, outcome: bool) -> Way:
    return way._replace(turns=way.turns | 1 << 2 * number + outcome)


def _distinct(seen: Iterable[Test]) -> list[Test]:
    return list({test.key: test for test in seen}.values())


def _moved(path: Path, turn: Round) -> Path:
    """The path at the beginning of the next pass: a counter has moved on by one, of what else was bound nothing is known."""
    known, held = path.known & turn.keeps, path.held & turn.keeps
    for number, following in turn.moves:
        if path.known >> number & 1:
            known |= 1 << following
            held |= (path.held >> number & 1) << following
    return _informed(path, known, held, turn.tells)


def _differ(one: Path, other: Path) -> bool:
    """Two paths on which a test that is known on both has come out differently."""
    return bool(one.known & other.known & (one.held ^ other.held))


def _told_apart(path: Path, tells: Iterable[Telling]) -> list[Path]:
    """A path where a loop begins, by the tests that say what its flags are: `first = scaler is not None`."""
    paths = [path]
    for test in {each.asked for each in tells if each.asked.bit_count() == 1 and not path.known & each.asked}:
        paths = [Path(known | test, found, way) for known, held, way in paths for found in (held, held | test)]
    return paths


def _informed(path: Path, known: int, held: int, tells: Iterable[Telling]) -> Path:
    """A path where a pass begins, with what follows from what it came to before that.

    known, held: what it is on that pass already.
    """
    for asked, outcomes, test, holds in tells:
        if path.known & asked == asked and path.held & asked == outcomes:
            known |= test
            held = held | test if holds else held & ~test
    return Path(known, held, path.way)


def _on_next_pass(path: Path, turn: Round) -> Path:
    """The path at the beginning of the next pass, where a counter that goes up has left behind what it is compared with."""
    moved = _moved(path, turn)
    over = turn.alone | turn.ebbs & path.known & ~path.held
    return moved._replace(known=moved.known | over, held=moved.held & ~over)


def _join(exits: Exits, more: Exits) -> None:
    for how, paths in more.items():
        exits[how] = exits[how] | paths if how in exits else paths


@lru_cache(maxsize=1 << 14)
def _agreed(sets: frozenset[tuple[int, int]]) -> Set[tuple[int, int]]:
    """The same assumptions with every test forgotten of which both outcomes are there. Kept, for at most places of a region, and
    on its next pass, the same assumptions meet again."""
    telling = _telling(sets)
    work = sorted(sets, reverse=True)
    kept = set(sets)
    while work:
        known, held = work.pop()
        if (known, held) not in kept:
            continue
        rest = known & telling
        while rest:
            bit = rest & -rest
            rest ^= bit
            without = known ^ bit, held & ~bit
            twin = known, held ^ bit
            if without in kept:
                kept.discard((known, held))
                break
            if twin in kept:
                kept -= {(known, held), twin}
                kept.add(without)
                work.append(without)
                break
    return kept


def _telling(sets: Iterable[tuple[int, int]]) -> int:
    """The tests that come to one thing here and to another there, or are known here alone: no other can be forgotten."""
    known_anywhere, held_anywhere = known_everywhere, held_everywhere = next(iter(sets))
    for known, held in sets:
        known_anywhere |= known
        held_anywhere |= held
        known_everywhere &= known
        held_everywhere &= held
    return known_anywhere ^ known_everywhere | held_anywhere ^ held_everywhere


def _rivals(seen: Iterable[Test], numbers: Mapping[Hashable, int]) -> dict[Hashable, int]:
    """Of each test, those that cannot hold with it."""
    compared: dict[Hashable, list[Test]] = {}
    for test in seen:
        if test.subject is not None:
            compared.setdefault(test.subject, []).append(test)
    groups = [group for group in compared.values() if len(group) > 1]
    return {
        test.key: sum(1 << numbers[other.key] for other in group if test.excludes(other)) for group in groups for test in group
    }


def _recurring(region: Region) -> frozenset[Hashable]:
    """The keys of the tests that can be met again under the same values; what any other came to need not be remembered."""
    met: set[Hashable] = set()
    again: set[Hashable] = set()

    def visit(part: Region, loops: tuple[frozenset[Hashable], ...]) -> None:
        match part:
            case Seq(parts):
                for each in parts:
                    visit(each, loops)
            case Either(_, then, other):
                for test in part.tests:
                    if test.key in met or test.last or any(not test.names & binds for binds in loops):
                        again.add(test.key)
                    met.add(test.key)
                visit(then, loops)
                visit(other, loops)
            case Repeat(body, binds, over=over):
                visit(body, (*loops, binds))
                visit(over, loops)
            case Frame(body):
                visit(body, loops)
            case Event() | Leave():
                pass

    visit(region, ())
    for each in loops(region):
        again.update(*(pair for pair in each.brings if met.issuperset(pair)))
        asked = ({key, *(test for test, _ in outcomes)} for outcomes, key, _ in (*each.tells, *each.begins))
        again.update(*(tests for tests in asked if met.issuperset(tests)))
    for test in tests(region):
        if test.following is not None and test.following in met:
            again |= {test.key, test.following}
    return frozenset(again | {test.key for test in tests(region) if test.first or test.late or test.ebbs})
