"""Whether a chain can mean what it says: told when a rule is loaded, and not by silence on every program."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Set

from loopcheck.bug import Chain, Match, Verb, glossary, kinds_behind
from loopcheck.loop import Fact

_EDGES = ("start", "end")


def complaints(chain: Chain, per: str) -> Iterator[str]:
    """What is wrong with a chain that is judged per this kind of object, each with what to write instead."""
    kinds = dict.fromkeys(kind for verb in glossary.values() for kind in verb.on)
    if per not in kinds:
        near = difflib.get_close_matches(per, kinds, 1)
        hint = f"did you mean {near[0]!r}?" if near else f"it is one of {', '.join(kinds)}"
        yield f"nothing happens to an object of kind {per!r}; {hint}"
        return
    yield from _places(chain)
    strangers = [*_strangers(chain, per)]
    if not strangers:
        return  # as in every rule that is installed: what to write instead takes longer to find
    homes = [kind for kind in kinds if not [*_strangers(chain, kind)]]
    hint = f"judge it per={' or '.join(map(repr, homes))}" if homes else "leave it out, or make two chains of it"
    for text, verb, on in strangers:
        yield f"{text} can never be met: `{verb}` happens to {_listed(on)}, and the chain is judged per {per}; {hint}"


def _places(chain: Chain) -> Iterator[str]:
    """What stands where it cannot be: the edges of the run inside, and `again` after nothing that it speaks of."""
    if chain.open:
        yield f"the chain ends in {chain.open}; write what it must not come before, `end` for the end of the run"
    for number, link in enumerate(chain.links):
        if link.gap and not link.gap.match.verbs.isdisjoint(_EDGES):
            yield f"{link.gap} can never be met: between two events the run neither begins nor ends; leave that out"
        if isinstance(link.match, Match):
            if "start" in link.match.verbs and number > 0:
                yield "nothing comes before `start`; write it first"
            if "end" in link.match.verbs and number < len(chain.links) - 1:
                yield "nothing comes after `end`; write it last"
        elif number == 0:
            yield f"`{link.match}` speaks of an event before, and the chain begins with it; write that event first"
        elif link.match.of and not any(link.match.of in chain.before(before) for before in range(number)):
            yield f"`{link.match}` speaks of a `{link.match.of}` that no link before it is; write it there, or `again` alone"


def _strangers(chain: Chain, per: str) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Of links and exclusions those that concern no object of a kind: as written, the verb, and what that happens to.

    An exclusion need only be possible, so what happens to all that is built from the same may be meant: to a model's optimizer.
    """
    behind: Set[str] = kinds_behind(per)
    kindred: Set[str] = {kind for verb in glossary.values() for kind in verb.on if not behind.isdisjoint(kinds_behind(kind))}
    for link in chain.links:
        asked = [(f"`{link.match}`", link.match, behind)] if isinstance(link.match, Match) else []
        asked += [(f"`{link.gap}`", link.gap.match, kindred)] if link.gap else []
        for text, match, near in asked:
            for verb, facts in match.options:
                on = _happens_to(verb, facts)
                if verb.name not in _EDGES and near.isdisjoint(on):
                    yield text, verb.name, on


def _happens_to(verb: Verb, facts: tuple[tuple[str, Fact], ...]) -> tuple[str, ...]:
    """The kinds of object that it can be on with these facts."""
    told = [kind for name, _ in facts if (kind := verb.kind_of(name))]
    return tuple(kind for kind in verb.on if all(kind == each for each in told))


def _listed(kinds: tuple[str, ...]) -> str:
    return " or ".join(f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}" for kind in kinds) or "no one kind of object"
