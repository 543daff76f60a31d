"""The run-time judge: rules applied to what happened."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from loopcheck.bug import Chain
from loopcheck.judge import Verdict, over_trace
from loopcheck.loop import Event
from loopcheck.rule import Rule
from loopcheck.survey import History
from loopcheck.verdict import settle


def judge(rules: Iterable[Rule], trace: Sequence[Event], ended: bool = True) -> list[tuple[Rule, Verdict]]:
    """The defects of a recorded run, one for each rule and place. The place is `rule.primary(verdict.witness).place`.

    ended: the run came to its end, and was recorded until then.
    """
    return _over([(rule, chain) for rule in rules for chain in rule.chains], trace, ended)


def judge_so_far(rules: Iterable[Rule], trace: Sequence[Event]) -> list[tuple[Rule, Verdict]]:
    """What a run of which the end was not seen has in common with the defects that only the end shows."""
    chains = [(rule, chain) for rule in rules for chain in rule.chains]
    return _over([(rule, chain.so_far) for rule, chain in chains if chain.so_far is not chain], trace, False)


def _over(chains: Iterable[tuple[Rule, Chain]], trace: Sequence[Event], ended: bool) -> list[tuple[Rule, Verdict]]:
    history = History(trace)
    return settle((rule, verdict) for rule, chain in chains for verdict in over_trace(chain, rule.per, history, ended))
