"""The two judges: where does a chain meet a loop read from source, or a recorded run?

Both move the same chain on by the same function, `automaton.advance`. `over_trace` feeds it the events of a run; `over_loop`
feeds it every feasible path of a region. Each chain is judged once for each object, over the events that concern it. What
of this is the same for all chains, a `History` or a `Survey` has found before.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial

from loopcheck.automaton import END, advance, begin
from loopcheck.bug import Chain
from loopcheck.loop import Event, Region, Role, events
from loopcheck.maybe import possible
from loopcheck.paths import Share, Undecided, Walk
from loopcheck.rule import Witness
from loopcheck.survey import History, Own, Survey


@dataclass(frozen=True)
class Verdict:
    """A chain met. share: on which of the paths that come so far. others: of the same place, met in other ways."""

    witness: Witness
    share: Share = Share.EVERY
    others: tuple[Verdict, ...] = field(default=(), compare=False)

    @property
    def certain(self) -> bool:
        """Of the paths that reach its last event there is none on which a gap broke it."""
        return self.share is Share.EVERY


def may_meet(entry: Region, chains: Iterable[tuple[Chain, str]]) -> bool:
    """Whether a region has, for one of these chains, an object of the kind that it is about and an event for each link.

    Most entries of a program have not, and need not be surveyed.
    """
    by_verb: dict[str, list[Event]] = {}
    touched: dict[Role, None] = {}
    for event in events(entry):
        by_verb.setdefault(event.verb, []).append(event)
        touched.update(dict.fromkeys(event.on))
    kinds = {source.kind for role in touched for source in role.sources}
    return any(
        per in kinds
        and all(any(match.certain(event) for verb in match.verbs for event in by_verb.get(verb, ())) for match in chain.needed)
        for chain, per in chains
    )


def over_trace(chain: Chain, per: str, run: History, ended: bool = True) -> list[Verdict]:
    """The chain in a recorded run, once for each place and object; what happens again and again before what only the end shows.

    ended: the run came to its end, and was recorded until then.
    """
    verdicts = []
    for role in run.objects(per):
        partials = begin(chain)
        for event, sure in (*run.along(run.own(role, chain.verbs)), *([(END, True)] if ended else [])):
            partials, complete, _ = advance(chain, partials, event, sure)
            verdicts += [Verdict(Witness(found, role)) for found in complete]
    return sorted(_ordered(_once(verdicts), run.events), key=lambda verdict: END in verdict.witness.events)


def over_loop(chain: Chain, per: str, program: Survey) -> tuple[list[Verdict], list[Role]]:
    """The chain in a loop read from source, and the objects for which there were too many paths to tell, or to tell for sure."""
    history = program.history
    verdicts: list[Verdict] = []
    undecided = []
    walked = set()
    if not all(any(map(match.certain, history.of(match.verbs))) for match in chain.needed):
        return [], []
    for role in history.objects(per):
        if not all(any(map(match.certain, history.surely(role, match.verbs))) for match in chain.needed):
            continue
        own = history.own(role, chain.verbs)
        if (done := frozenset(own.items())) in walked:
            continue  # another object has had the same done to it
        walked.add(done)
        found, whole = over_object(chain, role, program, own)
        undecided += [] if whole else [role]
        verdicts += found
    return _ordered(_once(verdicts), history.events), sorted(undecided, key=lambda role: role.name)


def over_object(chain: Chain, role: Role, program: Survey, own: Own) -> tuple[list[Verdict], bool]:
    """The chain on one object, as if nothing happened but these events; and whether there were few enough paths to tell."""
    part = program.reduced(own)
    if not possible(chain, role, part, own):
        return [], True
    sure = {event: True for event, concerns in own.items() if concerns}
    if 2 * len(sure) < len(own) and _walked(chain, role, program.reduced(sure), sure) == ([], True):
        return [], True  # what only may concern the object meets no link: it takes ways away, and brings tests to be told apart
    return _walked(chain, role, part, own)


def _walked(chain: Chain, role: Role, part: Region, own: Own) -> tuple[list[Verdict], bool]:
    walk = Walk(chain, role, partial(_sure, own))
    try:
        walk.run(part)
    except Undecided:
        return [], False
    return [Verdict(Witness(witness, role), share) for witness, share in walk.found.items()], not walk.doubtful


def _sure(own: Own, event: Event) -> bool:
    return own.get(event, True)


def _once(verdicts: Iterable[Verdict]) -> list[Verdict]:
    """One verdict for each last place and object kind; the one that is met on more paths first, then the shortest way."""
    best: dict[object, Verdict] = {}
    for verdict in verdicts:
        key = (tuple(event.at for event in verdict.witness.events), verdict.witness.role)
        if key not in best or verdict.share > best[key].share:
            best[key] = verdict
    return list(best.values())


def _ordered(verdicts: Iterable[Verdict], seen: Iterable[Event]) -> list[Verdict]:
    """The nearest events first, and of objects those with a name: which witness is told must not be left to chance."""
    order = {event: number for number, event in enumerate(seen)}

    def rank(verdict: Verdict) -> tuple[bool, list[int], str]:
        role = verdict.witness.role
        return not role.name, [-order.get(event, -1) for event in verdict.witness.events], role.name

    return sorted(verdicts, key=rank)
