"""What the rules see in the runs of all ranks, told once for each place."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TypeAlias

from loopcheck import excerpt
from loopcheck.auditing.clock import Clock
from loopcheck.judge import Verdict
from loopcheck.layout import Rows, layout
from loopcheck.record.run import Run
from loopcheck.record.site import Site
from loopcheck.record.verdicts import judge, judge_so_far
from loopcheck.rule import Rule

Key = tuple[str, str, Rows]
"""A rule's code and a statement: the file, and its rows."""


@dataclass(frozen=True)
class Sighting:
    """A rule met in a run. whens: of each event of the witness, in its order. ranks: those on which it was, of so many.

    cut: recording stopped before the end of the run, and the rule asks for that: the source may be agreed with, and no more.
    """

    rule: Rule
    verdict: Verdict
    whens: tuple[str, ...]
    ranks: tuple[int, ...] = (0,)
    of: int = 1
    cut: bool = False

    @property
    def site(self) -> Site:
        at = self.rule.primary(self.verdict.witness).place
        assert isinstance(at, Site)
        return at

    @property
    def when(self) -> str:
        """Of what the finding points at, and on which ranks, where it was not on all."""
        witness = self.verdict.witness
        return self.whens[witness.events.index(self.rule.primary(witness))] + on_ranks(self.ranks, self.of)


Met: TypeAlias = Mapping[Key, Mapping[str, Sighting]]
"""What rules see in each statement, by the text of the call that shows it."""


def sightings(rules: Sequence[Rule], runs: Sequence[Run]) -> Met:
    """Every place at which a rule is met, with the first process that shows it."""
    found: dict[Key, dict[str, Sighting]] = {}
    number = len({run.rank for run in runs})
    for run in runs:
        clock = Clock(run.trace)
        ended = run.whole and run.stopped is None
        met = [(rule, verdict, False) for rule, verdict in judge(rules, run.trace, ended)]
        more = [] if ended else [(rule, verdict, True) for rule, verdict in judge_so_far(rules, run.trace)]
        for rule, verdict, cut in (*met, *more):
            at = rule.primary(verdict.witness).place
            if not isinstance(at, Site) or not at.file:
                continue
            calls = found.setdefault(key_of(rule, at.file, at.line), {})
            whens = tuple(clock.when(event, verdict.witness.role) for event in verdict.witness.events)
            first = calls.get(at.text) or Sighting(rule, verdict, whens, (), number, cut)
            calls[at.text] = replace(first, ranks=tuple(dict.fromkeys((*first.ranks, run.rank))))
    return found


def key_of(rule: Rule, path: str, row: int) -> Key:
    """What stands for a rule at a statement, however its file is called."""
    return rule.code, os.path.realpath(path), statement(os.path.realpath(path), row)


@cache
def statement(path: str, row: int) -> Rows:
    """The rows of the statement around a row."""
    return layout("".join(excerpt.lines(path))).statement(row)


def on_ranks(ranks: Sequence[int], of: int) -> str:
    """`, on rank 1 alone`; nothing where it was on all."""
    if len(ranks) >= of:
        return ""
    *rest, last = sorted(ranks)
    if not rest:
        return f", on rank {last} alone"
    return f", on ranks {', '.join(map(str, rest))} and {last} alone"
