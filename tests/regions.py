"""Small regions for the tests of the judges, made by hand and by chance."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from loopcheck import again, backward, clip, end, start, step, zero_grad
from loopcheck.bug import Chain, Gap, Link, Match
from loopcheck.judge import Verdict, over_loop
from loopcheck.loop import Decision, Either, Event, Fact, Fork, Frame, Leave, Region, Repeat, Role, Seq, tests
from loopcheck.loop import Test as Condition
from loopcheck.survey import Survey

MODEL = Role("model", "model")
OPTIMIZER = Role("optimizer", "optimizer", of=(MODEL,))
LEAVES = ("break", "continue", "return", "raise")
WORDS = (backward, clip, step, zero_grad)


@dataclass(frozen=True)
class Place:
    """Where an event of a test happens."""

    text: str
    row: int = 0

    @property
    def place(self) -> str:
        return self.text


def event(verb: str, *on: Role, at: str = "", **facts: Fact) -> Event:
    """It happens to the optimizer where nothing else is said, at a place that is called as it is."""
    return Event(verb, on or (OPTIMIZER,), Place(at or verb), facts)


def seq(*parts: Region | str) -> Region:
    """One after the other; a word is an event, or a way out."""
    return Seq(tuple(_region(part) for part in parts))


def either(test: Condition | Fork | str, then: Region | str, other: Region | str = "") -> Region:
    return Either(Condition(test) if isinstance(test, str) else test, _region(then), _region(other))


def loop(*parts: Region | str, binds: str = "") -> Region:
    return Repeat(seq(*parts), frozenset(binds.split()))


def call(*parts: Region | str) -> Region:
    return Frame(seq(*parts))


def _region(part: Region | str) -> Region:
    if not isinstance(part, str):
        return part
    if part in LEAVES:
        return Leave(part)
    return event(part) if part else Seq()


def judged(chain: Chain, region: Region, per: str = "optimizer") -> tuple[list[Verdict], list[Role]]:
    """What is said of a region, and of whom nothing is."""
    return over_loop(chain, per, Survey(region))


def random_chain(chance: Random) -> Chain:
    """A chain of two to four links, with gaps and facts and an `again` here and there."""
    links = [Link(_match(chance)) if chance.random() < 0.9 else Link(start | _match(chance))]
    for _ in range(chance.randint(1, 3)):
        gap = Gap(_match(chance)) if chance.random() < 0.6 else None
        links.append(Link(again if chance.random() < 0.2 else _match(chance), gap))
    if chance.random() < 0.1:
        links.append(Link(end, Gap(_match(chance))))
    return Chain(tuple(links))


def _match(chance: Random) -> Match:
    first, second = (word(limits=True) if word is clip and chance.random() < 0.5 else word for word in chance.sample(WORDS, 2))
    return first | second if chance.random() < 0.3 else first


def random_region(chance: Random) -> Region:
    """A region in which most things happen to the optimizer, some to another of the same model, and some out of sight."""
    return call(_made(chance) if chance.random() < 0.3 else Seq(), _random(chance, 3), _random(chance, 3))


def _made(chance: Random) -> Region:
    return either("a", event("build", OPTIMIZER)) if chance.random() < 0.5 else event("build", OPTIMIZER)


def _random(chance: Random, depth: int) -> Region:
    kind = chance.randrange(7 if depth else 2)
    parts = [_random(chance, depth - 1) for _ in range(chance.randint(1, 3))] if depth else []
    match kind:
        case 0 | 1:
            return _random_event(chance)
        case 2 | 3:
            return seq(*parts)
        case 4:
            return either(
                _decision(chance),
                seq(*parts),
                chance.choice(["break", "continue", "return", "raise", seq(), _random_event(chance)]),
            )
        case 5:
            return loop(*parts, binds=chance.choice(["", "i", "x y"]))
        case _:
            return call(*parts)


def _decision(chance: Random) -> Condition | Fork:
    """A test, or a condition of two."""
    one, other = chance.sample(TESTS, 2)
    forms: list[Condition | Fork] = [
        one,
        one,
        Fork(one, Fork(other, True, False), False),
        Fork(one, True, Fork(other, False, True)),
    ]
    return chance.choice(forms)


def _random_event(chance: Random) -> Region:
    verb = chance.choice(["backward", "clip", "step", "zero_grad", "clip", "escape"])
    on = chance.choice([(OPTIMIZER,), (OPTIMIZER,), (OPTIMIZER,), (MODEL,), (OTHER,)])
    facts: dict[str, Fact] = {"limits": chance.random() < 0.7} if verb == "clip" and chance.random() < 0.8 else {}
    return event(verb, *on, at=f"{verb} {chance.randrange(3)}", **facts)


OTHER = Role("optimizer", "other", of=(MODEL,))
TESTS = (
    Condition("a"),
    Condition("b"),
    Condition("x", frozenset(["x"])),
    Condition(("x", "is", 1), frozenset(["x"]), subject="x", equals=1),
    Condition(("x", "is", 2), frozenset(["x"]), subject="x", equals=2),
    Condition("i", frozenset(["i"]), counter=True),
    Condition("i + 1", frozenset(["i"]), counter=True, following="i"),
    Condition("first", frozenset(["i"]), counter=True, first=True),
    Condition("last", frozenset(["i"]), counter=True, last=True),
)
"""Flags, a value and what it is, a counter and where it stands."""


@dataclass
class Play:
    """One run of a region, as chance has it: what happens, and how it ends. A test keeps its outcome until a name is bound."""

    chance: Random
    passes: int = 3

    def __post_init__(self) -> None:
        self.happened: list[Event] = []
        self._known: dict[Condition, bool] = {}

    def run(self, region: Region) -> str:
        match region:
            case Event():
                self.happened.append(region)
            case Leave(how):
                return how
            case Seq(parts):
                for part in parts:
                    if (how := self.run(part)) != "fall":
                        return how
            case Either(test, then, other):
                return self.run(then if self._decides(test) else other)
            case Frame(body):
                how = self.run(body)
                return "fall" if how == "return" else how
            case Repeat(body, binds):
                return self._repeat(body, [test for test in set(tests(body)) if test.names & binds])
        return "fall"

    def _repeat(self, body: Region, bound: list[Condition]) -> str:
        self._known |= dict.fromkeys((test for test in bound if test.first), True)
        for _ in range(self.chance.randint(1, self.passes)):
            how = self.run(body)
            over = how not in ("fall", "continue") or any(test.last and self._known.get(test) for test in bound)
            self._turn(bound)
            if over:
                break
        return "fall" if how in ("fall", "continue", "break") else how

    def _turn(self, bound: list[Condition]) -> None:
        before = {test: self._known.pop(test) for test in bound if test in self._known}
        self._known |= {test: before[each] for each in before for test in TESTS if test.key == each.following}

    def _decides(self, tree: Condition | Decision) -> bool:
        if isinstance(tree, bool):
            return tree
        if isinstance(tree, Condition):
            return self._holds(tree)
        return self._decides(tree.then if self._holds(tree.test) else tree.other)

    def _holds(self, test: Condition) -> bool:
        excluded = any(holds and test.excludes(other) for other, holds in self._known.items())
        return self._known.setdefault(test, not excluded and self.chance.random() < 0.5)
