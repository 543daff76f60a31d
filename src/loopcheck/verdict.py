"""One defect, one finding: of all verdicts, those that speak."""

from __future__ import annotations

from collections.abc import Iterable

from loopcheck.judge import Verdict
from loopcheck.rule import Rule


def settle(verdicts: Iterable[tuple[Rule, Verdict]]) -> list[tuple[Rule, Verdict]]:
    """The verdicts that remain: where a rule's `where` holds, one for each rule and place, and none whose place is that of a
    rule named in its `unless`."""
    best: dict[tuple[str, object], tuple[Rule, Verdict]] = {}
    for rule, verdict in verdicts:
        if rule.where is not None and not rule.where(verdict.witness):
            continue
        key = rule.name, rule.primary(verdict.witness).at.place
        if key not in best or _rank(verdict) > _rank(best[key][1]):
            best[key] = rule, verdict
    return [
        (rule, verdict) for (_, place), (rule, verdict) in best.items() if not any((other, place) in best for other in rule.unless)
    ]


def _rank(verdict: Verdict) -> tuple[bool, int]:
    """A verdict that holds on every path, and of those the one with the nearest events."""
    places = {event.at.place for event in verdict.witness.events}
    return verdict.certain, -len(places)
