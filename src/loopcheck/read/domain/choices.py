"""What tests have chosen: of several models those that something was computed of, of several activations the last."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest
from math import isqrt, prod
from typing import cast

from loopcheck.loop import Role, Test
from loopcheck.read.domain.terms import Term
from loopcheck.read.front import ir
from loopcheck.read.front.source import Site

NUMBER = "number"
"""What an output was put through that is no tensor: `loss.item()`, `0`."""


class Activation(str):
    """What values were put through last: `softmax`. Where that stands is told to people, and no part of what it is.

    twice: of probabilities, the activation that made them of logits, and where this one stands.
    """

    site: Site | None
    twice: tuple[Activation, Site] | None

    def __new__(cls, how: str, site: Site | None = None, twice: tuple[Activation, Site] | None = None) -> Activation:
        made = super().__new__(cls, how)
        made.site, made.twice = site, twice
        return made


def put_through(given: str | tuple[str, ...], how: str, site: Site) -> Activation:
    """The activation that values are put through here, with that of the same kind which has made probabilities of them before."""
    made = Activation(how, site)
    if not isinstance(given, str) or given != _OF.get(how) or _differ(_dimension(given), _dimension(made)):
        return made
    return Activation(how, site, (given if isinstance(given, Activation) else Activation(given), site))


_OF = {"softmax": "softmax", "log_softmax": "softmax", "sigmoid": "sigmoid"}
"""The activations that take what made probabilities for logits, by what that is."""


def _dimension(how: str) -> object:
    """Along which dimension a function is applied, where the call says so as a number."""
    node = how.site.node if isinstance(how, Activation) and how.site else None
    match node:
        case ir.Call(arguments=(*_, ir.Argument(value=ir.Literal(value=int(dim))))):
            return dim
        case ir.Call(arguments=(*_, ir.Argument(value=ir.Unary(operator="-", operand=ir.Literal(value=int(dim)))))):
            return -dim
        case _:
            return None


def _differ(one: object, other: object) -> bool:
    """Whether two dimensions are others: that of the classes is the second of all, and the last of two."""
    return None not in (one, other) and one != other and {one, other} != {1, -1}


class Limited(Activation):
    """What values were put through last but for limits that they are kept within since, which nothing else would be: where it
    stands is not told."""


class Entries(str):
    """What the entries of a dictionary were put through last, by their keys. As a whole it equals no activation."""

    by_key: Mapping[str, str]

    def __new__(cls, by_key: Mapping[str, str]) -> Entries:
        made = super().__new__(cls, ", ".join(f"{key}: {how}" for key, how in sorted(by_key.items())))
        made.by_key = by_key
        return made


class Each(str):
    """What each of several outputs was put through last, however many there are; of rows of several, each of these. As a whole it
    equals no activation."""

    how: str | tuple[str, ...]

    def __new__(cls, how: str | tuple[str, ...]) -> Each:
        made = super().__new__(cls, f"each {how}")
        made.how = how
        return made


class Perhaps(Activation):
    """What values were put through last where a path condition holds: one of two networks ends in it. It equals no activation.

    how: that activation. under: the path condition, the outcome of each test.
    """

    how: Activation
    under: Mapping[Term, bool]

    def __new__(cls, how: Activation, under: Mapping[Term, bool]) -> Perhaps:
        tests = sorted(f"{test.text}: {holds}" for test, holds in under.items())
        made = cast(Perhaps, super().__new__(cls, f"{how} if {', '.join(tests)}", how.site))
        made.how, made.under = how, under
        return made


def chosen_activation(test: Term, then: str | tuple[str, ...], other: str | tuple[str, ...]) -> str | tuple[str, ...]:
    """What values were put through last that are one where a test holds and another where it does not; the last of two that
    are the same, where one of them holds on some ways."""
    known = agreed((then, other))
    ways = [(way, outcome) for way, outcome in ((then, True), (other, False)) if isinstance(way, Activation) and way != NUMBER]
    inner = [(way if isinstance(way, Perhaps) else Perhaps(way, {}), outcome) for way, outcome in ways]
    if known or len({each.how for each, _ in inner}) != 1:
        return known
    last, outcome = inner[-1]
    return Perhaps(last.how, {**last.under, test: outcome})


def agreed(ways: Sequence[str | tuple[str, ...]]) -> str | tuple[str, ...]:
    """What values were put through last on each of several ways, empty where these differ; where, if that is one place. Of
    several outputs, of each."""
    first, *others = ways
    several = [each for each in ways if isinstance(each, tuple)]
    if len(several) == len(ways):
        columns = [agreed(column) for column in zip_longest(*several, fillvalue="")]
        return tuple(each for each in columns if isinstance(each, str)) if any(columns) else ""
    entries = [each.by_key for each in ways if isinstance(each, Entries)]
    if len(entries) == len(ways):
        keys = frozenset[str]().union(*entries)
        return entries_put_through({key: agreed([each.get(key, "") for each in entries]) for key in keys})
    if any(each != first for each in others):
        return ""
    places = {each.site and each.site.place for each in ways if isinstance(each, Activation)}
    return first if len(places) < 2 else str(first)


def entries_put_through(by_key: Mapping[str, str | tuple[str, ...]]) -> str:
    """What the entries of a dictionary were put through last, as one; empty where that is known of none."""
    known = {key: how for key, how in by_key.items() if isinstance(how, str) and how and how != NUMBER}
    return Entries(known) if known else ""


@dataclass(frozen=True)
class Chosen:
    """The models of which something was computed, by the outcome of a test: those, or what another test has chosen."""

    test: Test
    then: Chosen | frozenset[Role]
    other: Chosen | frozenset[Role]

    @cached_property
    def ways(self) -> tuple[frozenset[Role], ...]:
        """The models of each way through the tests."""
        return tuple(way for arm in (self.then, self.other) for way in (arm.ways if isinstance(arm, Chosen) else (arm,)))

    @property
    def matters(self) -> bool:
        """Whether one network may be told another thing than the next: an outcome may change from pass to pass, or each was made
        in sight, with modes and an optimizer of its own."""
        varies = bool(self.test.names) or any(arm.matters for arm in (self.then, self.other) if isinstance(arm, Chosen))
        return varies or all(role.evidence == "built" for way in self.ways for role in way)


MOST_WAYS = 16
"""Ways through the tests that have chosen models. Beyond, what the innermost tests chose from is taken to be there at once."""


def flattened(models: Chosen | frozenset[Role], most: int = MOST_WAYS) -> Chosen | frozenset[Role]:
    """The models by no more than so many ways, the outermost tests kept."""
    if not isinstance(models, Chosen) or len(models.ways) <= most:
        return models
    if most < 2:
        return frozenset[Role]().union(*models.ways)
    then, other = flattened(models.then, most // 2), flattened(models.other, most // 2)
    return then if then == other else Chosen(models.test, then, other)


def together(one: Chosen | frozenset[Role], other: Chosen | frozenset[Role]) -> Chosen | None:
    """The models of what is computed of both, by the tests that have chosen those of either; None where no test has."""
    if prod(len(each.ways) for each in (one, other) if isinstance(each, Chosen)) > MOST_WAYS:
        one, other = flattened(one, isqrt(MOST_WAYS)), flattened(other, isqrt(MOST_WAYS))
    found = _of_both(one, other)
    return found if isinstance(found, Chosen) else None


def _of_both(one: Chosen | frozenset[Role], other: Chosen | frozenset[Role]) -> Chosen | frozenset[Role]:
    """The models of one and of the other, on each way through the tests of both."""
    if isinstance(one, Chosen):
        then = _of_both(one.then, _where(other, one.test, True))
        rest = _of_both(one.other, _where(other, one.test, False))
        return then if then == rest else Chosen(one.test, then, rest)
    return _of_both(other, one) if isinstance(other, Chosen) else one | other


def _where(models: Chosen | frozenset[Role], test: Test, holds: bool) -> Chosen | frozenset[Role]:
    """The models where a test has come to this."""
    if not isinstance(models, Chosen):
        return models
    if models.test.key == test.key:
        return _where(models.then if holds else models.other, test, holds)
    return Chosen(models.test, _where(models.then, test, holds), _where(models.other, test, holds))
