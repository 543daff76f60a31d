"""Every bound of the interpreter: how much is read of one program, and what is said of the rest."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from loopcheck.read.front import ir

DEEPEST_CALL = 12
"""Calls inside one another that are followed."""
DEEPEST_HOLDER = 2
"""Objects of the project inside one another that are looked into for a network: a report has a predictor, and that has it."""
DEEPEST_MAKER = 3
"""Functions of the project inside one another that are read for the layers that they make and return."""
MOST_CALLS = 2000
"""Functions interpreted for one entry of a program."""
MOST_IN_ALL = 2500
"""The same for all entries."""
MOST_FORKS = 4000
"""Tests of a program that are read both ways. Programs take some hundreds; with calls inside, forks multiply."""
MOST_FORKS_ASIDE = 2000
"""The same for functions without a word of training, such as make layers: what they spend is not there for those that train."""
MOST_UNROLLED = 8
"""A loop over so many known objects is read once for each."""
MOST_KEYS = 16
"""The same of keys, which are written out: the losses of a pass by their names, most often."""
MOST_PASSES = 64
"""Passes in all of such loops that stand inside one another; a loop further in is read as any other."""
MOST_CLAUSES = 8
"""Clauses of a comprehension that are read, each in the one before."""
MOST_MEMBERS = 8
"""Literals of a list, `name in ["mnist", "cifar"]`, of which each is compared."""
MOST_MAKERS = 16
"""Functions and classes in a table, of which each may make the network that is asked about."""
MOST_ITEMS = 32
"""Elements of a list that is filled in sight."""


class Budget:
    """What has been spent on a program, and what was not read because of it."""

    def __init__(self) -> None:
        self.calls = 0
        self._before = 0
        self._passes = 1
        self._cut: dict[str, dict[str, None]] = {}

    def entry(self) -> None:
        """Another entry begins."""
        self._before += self.calls
        self.calls = 0

    def refuses(self, code: ir.Code, depth: int, forks: int, aside: bool) -> bool:
        """Whether a function is not read because it lies too deep, or because too much was read before it.

        aside: it has no word of training.
        """
        forked = forks > (MOST_FORKS_ASIDE if aside else MOST_FORKS)
        spent = self.calls > MOST_CALLS or self.calls + self._before > MOST_IN_ALL or forked
        if depth < DEEPEST_CALL and not spent:
            return False
        self._cut.setdefault("too much was read before it" if spent else "calls lie too deep", {})[code.name] = None
        return True

    def allows(self, passes: int) -> bool:
        """Whether a loop may be read once for each of its passes, inside of those that are."""
        return self._passes * passes <= MOST_PASSES

    @contextmanager
    def unrolled(self, passes: int) -> Iterator[None]:
        """A loop that is read once for each of its passes."""
        self._passes *= passes
        try:
            yield
        finally:
            self._passes //= passes

    def told(self) -> tuple[str, ...]:
        """The causes for which functions were not read, each after some of their names."""
        return tuple(f"{_some([*names])}: {why}" for why, names in self._cut.items())


def _some(names: list[str], most: int = 4) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return f"{', '.join(names[:most])}{more}"
