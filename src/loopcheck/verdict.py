"""What remains of all that was met: the verdicts that a rule stands by, one for each rule and place."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import replace

from loopcheck.judge import Verdict
from loopcheck.loop import Role
from loopcheck.rule import Rule

MOST_OTHERS = 8
"""Objects of which a verdict is asked besides the one that it is told of."""


def settle(met: Iterable[tuple[Rule, Verdict]]) -> list[tuple[Rule, Verdict]]:
    """One verdict for each rule and primary place: a certain one where there is one, the shortest way there first.

    A verdict that its rule does not stand by goes, and so does one whose witness holds the place at which a rule of its
    `unless` speaks: that is the same defect, and the other rule knows it better.
    """
    best: dict[tuple[str, Hashable], tuple[Rule, Verdict]] = {}
    others: dict[tuple[str, Hashable], list[Verdict]] = {}
    for rule, verdict in met:
        if (rule.every_path and not verdict.certain) or not rule.stands(verdict.witness):
            continue
        key = (rule.name, rule.primary(verdict.witness).place.place)
        others.setdefault(key, []).append(verdict)
        if key not in best or _weight(rule, verdict) < _weight(*best[key]):
            best[key] = (rule, verdict)
    told = [each for each in _one_for_each_pass(best.values()) if not _spoken_for(*each, best)]
    return [(rule, _with_others(verdict, others[rule.name, rule.primary(verdict.witness).place.place])) for rule, verdict in told]


def _with_others(verdict: Verdict, met: Iterable[Verdict]) -> Verdict:
    """A verdict with the others of its place that are about another object: what is made twice may be made wrongly once."""
    others: dict[Role, Verdict] = {}
    for each in met:
        if each.witness.role is not verdict.witness.role:
            others.setdefault(each.witness.role, each)
    return replace(verdict, others=tuple(others.values())[:MOST_OTHERS])


def _one_for_each_pass(found: Iterable[tuple[Rule, Verdict]]) -> Iterable[tuple[Rule, Verdict]]:
    """Of what one repair of a pass would mend, the first: verdicts come with the nearest events before those far back.

    A repair that goes around the pass mends it for all its objects: one finding, where the text comes to it first. Where the pass
    trains as well, such a repair goes into what it calls: one finding for each function.
    """
    kept: dict[Hashable, tuple[Rule, Verdict]] = {}
    for rule, verdict in sorted(found, key=_from_below):
        event = rule.primary(verdict.witness)
        roles = () if rule.mends_passes else verdict.witness.role.wholes
        whole = frozenset(role for role in roles if role.part_of is None)
        part = event.through if rule.mends_passes else ""
        key = (rule.name, event.during, part, whole) if event.during is not None else (rule.name, event.place.place)
        if key not in kept or verdict.share >= kept[key][1].share:
            kept[key] = rule, verdict
    return kept.values()


def _from_below(met: tuple[Rule, Verdict]) -> int:
    rule, verdict = met
    return -rule.primary(verdict.witness).at.row if rule.mends_passes else 0


def _spoken_for(rule: Rule, verdict: Verdict, best: Iterable[tuple[str, Hashable]]) -> bool:
    places = {event.at.place for event in verdict.witness.events}
    return any(name in rule.unless and place in places for name, place in best)


def _weight(rule: Rule, verdict: Verdict) -> tuple[int, bool, bool, bool, int, bool, bool]:
    """What is sure goes first, then what assumes nothing, then what the program itself speaks for, then what is about the object
    itself and not a part of it, then what has the shorter story, what is about a whole, and what is mended for all who call."""
    witness = verdict.witness
    part, unknown = witness.role not in rule.primary(witness).on, bool(rule.assumed(witness))
    story = len({event.at.place for event in witness.events})
    whole, aside = witness.role.part_of is None, rule.mends_passes and bool(rule.primary(witness).through)
    return -verdict.share, unknown, unknown and not rule.is_shown(witness), part, story, not whole, not aside
