"""The run-time judge: rules applied to what happened."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from loopcheck.judge import Verdict, over_trace
from loopcheck.loop import Event
from loopcheck.rule import Rule
from loopcheck.survey import History
from loopcheck.verdict import settle


def judge(rules: Iterable[Rule], trace: Sequence[Event], ended: bool = True) -> list[tuple[Rule, Verdict]]:
    """The defects of a recorded run, one for each rule and place. The place is `rule.primary(verdict.witness).place`.

    ended: the run came to its end, and was recorded until then.
    """
    history = History(trace)
    chains = [(rule, chain) for rule in rules for chain in rule.chains]
    return settle((rule, verdict) for rule, chain in chains for verdict in over_trace(chain, rule.per, history, ended))
