"""The smallest form of a training loop: objects, events on them, and the regions that order the events.

Nothing here knows Python source or torch. `read` makes a region from source, `record` makes a plain list of events from
a run, and `judge` looks for bugs in either.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, MutableMapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import Protocol, TypeAlias, cast

Fact: TypeAlias = bool | int | float | str
UNWRITABLE = "__"
"""What an event has among its words in place of what nobody here can write."""


class Site(Protocol):
    """Where an event happens. Two events of one site are one statement reached again; sites are hashable and comparable."""

    @property
    def text(self) -> str:
        """What stands there, short enough for a sentence: `optimizer.step()`."""

    @property
    def place(self) -> Hashable:
        """Where it stands in the text, whichever way it was reached: what a person calls one place."""

    @property
    def row(self) -> int:
        """Its line in the file, from 1."""


@dataclass(eq=False)
class Role:
    """An object of the training program and what it was made from.

    kind: `model`, `optimizer`, `scheduler`, `scaler`, `loader`, `sampler`, …
    name: how the program spells it.
    of: what it was built from (scheduler → optimizer → model; loader → sampler). Complete before it is judged.
    part_of: for a submodule, the module that holds it. others: more that do, this one or that.
    open: it may have been built from other things as well, out of sight.
    evidence: how sure the kind is: `built` by a known constructor, `annotated`, `used` like one, or only `named` like one.
    anew: what it was made of; a loop that binds one of these makes another object on every pass.
    built: the event of its making, where that was in sight. under: the path condition there, the outcome of each test.
    one_of: of an object in place of many, those, where a run makes no two of them: it is the one that was made.
    """

    kind: str
    name: str
    of: tuple[Role, ...] = ()
    part_of: Role | None = None
    open: bool = False
    evidence: str = "built"
    anew: frozenset[Hashable] = frozenset()
    others: tuple[Role, ...] = ()
    built: Event | None = field(default=None, repr=False)
    under: Mapping[Hashable, bool] = field(default_factory=dict, repr=False)
    one_of: tuple[Role, ...] = field(default=(), repr=False)

    def beside(self, other: Role) -> bool:
        """Whether there may be both in one run: of two that a test chooses from, there is one."""
        return all(other.under.get(test, outcome) is outcome for test, outcome in self.under.items())

    def join(self, whole: Role) -> None:
        """A module holds this one from here on, besides those that do."""
        if self.part_of is None and self not in whole.wholes:
            self.part_of = whole
        elif self not in whole.wholes and whole not in self.wholes:
            self.others = (*self.others, whole)

    def is_part_of(self, whole: Role) -> bool:
        """Whether a module holds this one, by itself or within another."""
        return self is not whole and whole in self.wholes

    @property
    def made_from(self) -> Set[Role]:
        """This object and all it was built from, without the wholes of its parts; in an order, so that chance chooses nothing."""
        if not self.of:
            return {self: None}.keys()
        return dict.fromkeys(chain([self], *(role.made_from for role in self.of))).keys()

    @property
    def wholes(self) -> Set[Role]:
        """This object and every module around it."""
        if not self.part_of:
            return {self: None}.keys()
        return dict.fromkeys(chain([self], *(whole.wholes for whole in (self.part_of, *self.others)))).keys()

    @property
    def sources(self) -> Set[Role]:
        """Everything whose change is a change to this object: what it was built from, and the wholes of that."""
        if not self.of:
            return self.wholes
        return dict.fromkeys(chain.from_iterable(role.wholes for role in self.made_from)).keys()


@dataclass(eq=False)
class Event:
    """Something that happens to objects.

    verb: a word of the glossary (`loopcheck.verbs`).
    on: the objects it happens to; a step through a GradScaler is on the optimizer and on the scaler.
    facts: what is known about it. An absent fact is unknown.
    names: words for sentences and fixes at this site, by kind: the loss, the window, the object where it is the only one.
    spelled: how each object that is in scope at this site is written there.
    told: where a person would mend it, if that is not where it happens but a call that leads there.
    origins: where else a fact comes from, each with what stands there: the `softmax` of the probabilities that a loss is given,
    the `build` of what a checkpoint leaves out.
    during: the pass that it is a part of, where one repair serves all of that.
    through: of an evaluation in a pass that trains as well, the function called there that it is in: no repair serves that pass.
    open: it may happen to other objects as well, as a backward through a loss of unknown origin does.
    unsure: objects whose name here stands for something else in some runs, though no `if` around says so, and for what:
    `None`, `another` object, or nothing, `unbound`.
    also: of an object in place of many, those: the one of them that was made is it.
    supposed: it is a user who has it happen that nobody has seen, in the order that the methods of a class are there for.
    beside: of an evaluation, where the code around it applies what is learned from.
    """

    verb: str
    on: tuple[Role, ...]
    at: Site
    facts: Mapping[str, Fact] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    spelled: Mapping[Role, str] = field(default_factory=dict)
    open: bool = False
    unsure: Mapping[Role, str] = field(default_factory=dict)
    told: Site | None = None
    origins: tuple[tuple[str, Site], ...] = ()
    during: Hashable = None
    through: str = ""
    also: tuple[Role, ...] = ()
    supposed: bool = False
    beside: tuple[Site, ...] = ()

    @property
    def place(self) -> Site:
        """Where a person is told of it."""
        return self.told or self.at

    @property
    def evaluates(self) -> bool:
        """Whether nothing is learned from what a model is applied to here, as far as its names or its use tell."""
        return bool(self.facts.get("validating") or self.facts.get("read"))

    def __repr__(self) -> str:
        facts = ", ".join(f"{name}={value!r}" for name, value in sorted(self.facts.items()))
        return f"{self.verb}({facts}) on {', '.join(role.name for role in self.on)}"


@dataclass(frozen=True)
class Test:
    """A condition of the program, in normal form: `x is None`, `not x` and `x` are one test.

    key: what tells it from others; nobody looks into it.
    names: the values it depends on; what was assumed of it is forgotten when one of them is bound again.
    counter: it tests a loop's counter, so both outcomes happen in every run.
    window: of a counter, how many passes lie between two hits, as written: `k` of `(i + 1) % k == 0`.
    following: the key of the test that has this one's outcome on the next pass: `i % k == 0`.
    first: it holds on a loop's first pass; alone: on no other. late: it does not on the first, unless a window is one pass. ebbs:
    once it does not hold, it does on no later pass.
    last: a loop ends with the pass on which it holds; final: nor does it end with any other.
    subject, equals: it says that this value is equal to that constant.
    at: where it is written; inverted: what is written there is its opposite. text: its words where it is written nowhere.
    """

    key: Hashable
    names: frozenset[Hashable] = frozenset()
    counter: bool = False
    window: str = field(default="", compare=False)
    following: Hashable | None = field(default=None, compare=False)
    first: bool = field(default=False, compare=False)
    alone: bool = field(default=False, compare=False)
    late: bool = field(default=False, compare=False)
    ebbs: bool = field(default=False, compare=False)
    last: bool = field(default=False, compare=False)
    final: bool = field(default=False, compare=False)
    subject: Hashable | None = field(default=None, compare=False)
    equals: Hashable | None = field(default=None, compare=False)
    at: Site | None = field(default=None, compare=False)
    inverted: bool = field(default=False, compare=False)
    text: str = field(default="", compare=False)

    def written(self, at: Site, inverted: bool) -> Test:
        """The test with where it is written. A copy without a constructor, for each condition of a program has its own."""
        test = object.__new__(Test)
        test.__dict__.update(self.__dict__, at=at, inverted=inverted)
        return test

    def excludes(self, other: Test) -> bool:
        """Whether the two cannot both hold: one value is not equal to two constants."""
        return self.subject is not None and self.subject == other.subject and self.equals != other.equals


@dataclass(frozen=True, eq=False)
class Seq:
    """One region after the other."""

    parts: tuple[Region, ...] = ()


@dataclass(frozen=True)
class Fork:
    """A node of a decision tree: a test, and where its outcomes lead, to one arm or the other or to a further test.

    No test comes twice on a way.
    """

    test: Test
    then: Decision
    other: Decision

    @cached_property
    def keys(self) -> frozenset[Hashable]:
        """The keys of all its tests."""
        return frozenset([self.test.key]).union(*(each.keys for each in (self.then, self.other) if isinstance(each, Fork)))

    def tests(self) -> Iterator[Test]:
        """Every test of the tree, as often as it is there."""
        yield self.test
        for each in (self.then, self.other):
            if isinstance(each, Fork):
                yield from each.tests()

    def ways(self, outcome: bool) -> Iterator[dict[Test, bool]]:
        """The outcomes of tests on each way that leads to an arm."""
        for holds, each in ((True, self.then), (False, self.other)):
            if isinstance(each, Fork):
                yield from ({self.test: holds, **way} for way in each.ways(outcome))
            elif each is outcome:
                yield {self.test: holds}


Decision: TypeAlias = bool | Fork


@dataclass(frozen=True, eq=False)
class Either:
    """`then` where the test holds, `other` where it does not; of a condition of several tests, where its tree leads there."""

    test: Test | Fork
    then: Region
    other: Region = Seq()

    @cached_property
    def tree(self) -> Fork:
        """What decides, as a tree."""
        return self.test if isinstance(self.test, Fork) else Fork(self.test, True, False)

    @cached_property
    def tests(self) -> tuple[Test, ...]:
        """The tests that decide, each once."""
        return tuple(dict.fromkeys(self.tree.tests()))

    def ways(self, outcome: bool) -> list[dict[Test, bool]]:
        """The outcomes of tests on each way that leads to an arm."""
        return list(self.tree.ways(outcome))

    def guards(self, outcome: bool) -> dict[Test, bool]:
        """The tests without whose outcomes an arm is not reached."""
        first, *others = self.ways(outcome)
        return {test: holds for test, holds in first.items() if all(way.get(test) is holds for way in others)}


Told: TypeAlias = tuple[tuple[tuple[Hashable, bool], ...], Hashable, bool]
"""The outcomes of some tests, by their keys, and what the test of another key then comes to."""


@dataclass(frozen=True, eq=False)
class Repeat:
    """A loop. It runs at least once; `binds` are the names that get a new value on every pass; it is written `at`.

    over: what happens when it has come to its end by itself, and not by a `break`. given: the names that it hands out itself,
    and anew where it begins again. brings: of pairs of tests the first has the outcome that the second has on the next pass.
    tells: outcomes of tests, with what another test comes to on the next pass where a pass came to them all; begins: the same of
    the first pass, by what came before the loop.
    """

    body: Region
    binds: frozenset[Hashable] = frozenset()
    at: Site | None = None
    over: Region = Seq()
    given: frozenset[Hashable] = frozenset()
    brings: tuple[tuple[Hashable, Hashable], ...] = ()
    tells: tuple[Told, ...] = ()
    begins: tuple[Told, ...] = ()


@dataclass(frozen=True, eq=False)
class Frame:
    """A call read in place: a `return` inside ends here.

    of: the function's name; nothing for the code of a module. at: the call; where nobody calls, the definition.
    """

    body: Region
    of: str = ""
    at: Site | None = None


@dataclass(frozen=True)
class Leave:
    """`break`, `continue`, `return`, `raise`, or the `exit` of the whole program; out of a loop that is an `abort`."""

    how: str


Region: TypeAlias = Event | Seq | Either | Repeat | Frame | Leave


def is_left(region: Region) -> bool:
    """Whether no way through a region goes on behind it."""
    match region:
        case Seq(parts):
            return any(map(is_left, parts))
        case Either(_, then, other):
            return is_left(then) and is_left(other)
        case _:
            return isinstance(region, Leave)


def inner(region: Region) -> tuple[Region, ...]:
    """The regions that one consists of, in the order of the source."""
    match region:
        case Seq(parts):
            return parts
        case Either(_, then, other):
            return then, other
        case Repeat(body, over=over):
            return body, over
        case Frame(body):
            return (body,)
        case _:
            return ()


def walk(region: Region) -> Iterator[Region]:
    """A region and all inside it, in the order of the source, the outer ones first."""
    left = [region]
    while left:
        region = left.pop()
        yield region
        if type(region) is not Event:  # as most are
            left += inner(region)[::-1]


def tests(region: Region) -> Iterator[Test]:
    """Every test of a region."""
    for each in walk(region):
        if isinstance(each, Either):
            yield from each.tests


def alike(one: Region, other: Region) -> bool:
    """Whether the same happens in both regions, at the same places."""
    match one, other:
        case Event(verb, on, at, facts), Event():
            return (verb, on, at, facts) == (other.verb, other.on, other.at, other.facts)
        case Seq(), Seq():
            left, right = ([part for part in each.parts if not _quiet(part)] for each in (one, other))
            return len(left) == len(right) and all(map(alike, left, right))
        case Either(test, then, otherwise), Either():
            return test == other.test and alike(then, other.then) and alike(otherwise, other.other)
        case Repeat(mine), Repeat(theirs):
            return alike(mine, theirs) and alike(one.over, other.over)
        case Frame(mine), Frame(theirs):
            return alike(mine, theirs)
        case _:
            return one == other


def _quiet(region: Region) -> bool:
    """Nothing happens in it, and it is left through its end."""
    match region:
        case Seq(parts):
            return all(map(_quiet, parts))
        case Either(_, then, other):
            return _quiet(then) and _quiet(other)
        case Repeat(body, over=over) if not _quiet(over):
            return False
        case Repeat(body):
            return _quiet(body) or (next(events(body), None) is None and set(leaves(body)) <= {"break", "continue"})
        case Frame(body):
            return _quiet(body)
        case _:
            return False


def leaves(region: Region) -> Iterator[str]:
    """How control leaves a region anywhere but through its end."""
    return (each.how for each in walk(region) if isinstance(each, Leave))


def tell_outside(seen: Sequence[Event]) -> None:
    """What an evaluation has in common with training is no place to mend it: it is told at the call that only the one makes; of
    another, what stands beside it."""
    learned, taught = _learned(seen), taught_at(seen)
    for event in seen:
        if event.verb == "forward" and event.evaluates:
            tell_at_own_call(event, taught)
            if event.at.place not in taught:
                event.beside = tuple(each.at for each in learned if _caller(each.at) == _caller(event.at))


def taught_at(seen: Iterable[Event]) -> set[Hashable]:
    """Where models are applied that learn from it, and the calls that lead there."""
    return {site.place for event in _learned(seen) for site in callers(event.at)}


def _learned(seen: Iterable[Event]) -> list[Event]:
    return [each for each in seen if each.verb == "forward" and each.facts.get("validating") is False and not each.evaluates]


def tell_at_own_call(event: Event, taught: Collection[Hashable]) -> None:
    """An evaluation that stands where training comes to as well is told at the innermost call that this does not make."""
    own = (site for site in callers(event.at) if site.place not in taught)
    event.told = next(own, None) if event.at.place in taught else None


def tell_meant(seen: Sequence[Event]) -> None:
    """Where a context manager is made and not entered, the forwards further down in that function, and in what it calls, were
    meant to be under it: that they record is its fault, and not known of them."""
    left: set[Site | None] = set()
    for event in seen:
        if event.verb == "discard":
            left.add(_caller(event.at))
        elif left and event.verb == "forward" and any(_caller(site) in left for site in callers(event.at)):
            cast(MutableMapping[str, Fact], event.facts).pop("grad", None)


def tell_mixed(seen: Sequence[Event]) -> None:
    """Which models are put in eval mode that have parts which were put there by themselves, and may be meant to stay in it."""
    switched = [event for event in seen if event.verb == "evaluate"]
    parts = {role for event in switched if not event.facts.get("loaded") for role in event.on if role.part_of}
    for event in switched:
        mixed = any(role is not part and role in part.wholes for part in parts for role in event.on)
        cast(MutableMapping[str, Fact], event.facts)["mixed"] = mixed


def tell_late(seen: Iterable[Event]) -> None:
    """Which clips and steps come behind a step, of whichever optimizer, with no backward since, of whichever model."""
    stepped = False
    for event in seen:
        if stepped and event.verb in ("clip", "step"):
            cast(MutableMapping[str, Fact], event.facts)["late"] = True
        if event.verb in ("backward", "step"):
            stepped = event.verb == "step"


def tell_single(region: Region) -> None:
    """A model that is applied in no loop, of the function around or of those that call it, or in one that ends with its first
    pass, is applied once: what that costs is gone when it is done."""
    left = [region]
    while left:
        match left.pop():
            case Event(verb="forward") as event if event.facts.get("grad"):
                cast(MutableMapping[str, Fact], event.facts).setdefault("single", True)
            case Seq(parts) | Repeat(Seq((*parts, Leave("break" | "return")))):
                left.extend(parts)
            case Either(_, then, other):
                left += (then, other)
            case Frame(body):
                left.append(body)
            case _:
                pass


def in_both_modes(seen: Sequence[Event]) -> frozenset[Event]:
    """The forwards that a pass puts its model in train mode for, and in eval mode again for what comes then: detectors tell their
    losses in the one, and what they have found in the other. Not one whose batch norms learn of the held-out data there."""
    trained: dict[Role, list[Event]] = {}
    found: set[Event] = set()
    for event in seen:
        wholes = frozenset[Role]().union(*(role.wholes for role in event.on))
        if event.verb == "train":
            trained.update((role, []) for role in event.on)
            continue
        for role in [each for each in trained if not each.wholes.isdisjoint(wholes)]:
            if event.verb == "forward" and not event.facts.get("normalizes"):
                trained[role].append(event)
            elif event.verb == "evaluate":
                found.update(trained.pop(role))
    return frozenset(found)


def above(one: Site, other: Site) -> bool:
    """Whether a place stands above another in the text: itself, or the call that leads there in the innermost code with both.

    Of two places in the body of a loop, that is the one that each pass comes to first.
    """
    ways = (reversed(list(callers(site))) for site in (one, other))
    return next((mine.row < theirs.row for mine, theirs in zip(*ways, strict=False) if mine != theirs), False)


def callers(site: Site | None) -> Iterator[Site]:
    """A place, and the calls that lead there from the inside out."""
    while site is not None:
        yield site
        site = _caller(site)


def file_of(site: Site) -> Hashable:
    """The file that a place is in, as a reader or a run knows it."""
    known: Hashable = getattr(site, "source", None) or getattr(site, "file", None)
    return known


def _caller(site: Site) -> Site | None:
    """The call that leads to a place, of one that lies in a function that was called; a place of a run knows of none."""
    caller: Site | None = getattr(site, "caller", None)
    return caller


def loops(region: Region) -> Iterator[Repeat]:
    """Every loop of a region, the outer ones first."""
    return (each for each in walk(region) if isinstance(each, Repeat))


def only(verb: str, region: Region) -> Region:
    """A region in which nothing else happens than events of one verb."""
    match region:
        case Seq(parts):
            return Seq(tuple(only(verb, part) for part in parts))
        case Either(test, then, other):
            return Either(test, only(verb, then), only(verb, other))
        case Repeat(body, over=over):
            return replace(region, body=only(verb, body), over=only(verb, over))
        case Frame(body):
            return replace(region, body=only(verb, body))
        case Event() if region.verb != verb:
            return Seq()
        case _:
            return region


def events(region: Region) -> Iterator[Event]:
    """Every event of a region, in the order of the source."""
    return (each for each in walk(region) if isinstance(each, Event))
