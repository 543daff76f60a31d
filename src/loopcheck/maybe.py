"""Whether a chain could be met at all, were every test decided anew each time: told without a path, and never wrong about a no.

How far a chain has come is a bit for each number of links matched, and an event is two masks: the bits that it leaves, and
those that it moves on. Where ways meet, their bits are united; a loop goes round until none is added. What a walk of paths
knows besides, that a test goes the same way twice and which event it was that a link matched, only takes ways away.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from loopcheck.automaton import END, begin
from loopcheck.bug import Chain, Match, lasts
from loopcheck.loop import Either, Event, Frame, Leave, Region, Repeat, Role, Seq

Bits: TypeAlias = int
Exits: TypeAlias = "dict[str, Bits]"
"""The bits on the ways out of a region, by how they leave it. There is always one where there is a way."""


def possible(chain: Chain, role: Role, region: Region, own: Mapping[Event, bool]) -> bool:
    """Whether the chain could be met on this object. own: the region's events, each with whether it concerns it for sure."""
    ways = _Ways(chain, role, own)
    ways.through(region)
    return ways.met


class _Ways:
    def __init__(self, chain: Chain, role: Role, own: Mapping[Event, bool]) -> None:
        self.met = False
        self._chain, self._role, self._own = chain, role, own
        self._last = 1 << len(chain.links) - 1
        self._unmade = self._last << 1
        self._begins = 1 | sum(1 << len(partial) for partial in begin(chain))
        self._masks: dict[Event, tuple[Bits, Bits]] = {}
        self._known: dict[tuple[Region, Bits], Exits] = {}

    def through(self, region: Region) -> None:
        made = not any(map(self._makes, self._own)) or any(map(lasts, self._own))
        exits = self._go(region, self._begins if made else self._unmade)
        self._event(END, exits.get("fall", 0) | exits.get("exit", 0))

    def _go(self, region: Region, bits: Bits) -> Exits:
        match region:
            case Event():
                return {"fall": self._event(region, bits)}
            case Leave(how):
                return {how: bits}
        key = region, bits
        if key not in self._known:
            self._known[key] = self._inside(region, bits)
        return dict(self._known[key])

    def _inside(self, region: Seq | Either | Repeat | Frame, bits: Bits) -> Exits:
        exits: Exits = {}
        match region:
            case Seq(parts):
                for part in parts:
                    left = self._go(part, bits)
                    bits = left.pop("fall", 0)
                    _join(exits, left)
                    if not bits:
                        break
                _join(exits, {"fall": bits})
            case Either(_, then, other):
                _join(exits, self._go(then, bits))
                _join(exits, self._go(other, bits))
            case Repeat(body, over=over):
                before = 0
                while bits != before:
                    before, exits = bits, self._go(body, bits)
                    bits |= exits.get("fall", 0) | exits.get("continue", 0)
                _fold(exits, "continue")
                ended = self._go(over, exits.pop("fall", 0))
                _fold(exits, "break")
                _join(exits, ended)
            case Frame(body):
                exits = self._go(body, bits)
                _fold(exits, "return")
        return exits

    def _event(self, event: Event, bits: Bits) -> Bits:
        if bits & self._unmade and self._makes(event):
            bits = bits & ~self._unmade | self._begins
        if event not in self._masks:
            self._masks[event] = self._mask(event)
        stays, moves = self._masks[event]
        moved = bits & moves
        self.met = self.met or bool(moved & self._last)
        return bits & stays | (moved & ~self._last) << 1

    def _mask(self, event: Event) -> tuple[Bits, Bits]:
        """The bits that an event leaves, and those that it moves on by one link."""
        stays = self._unmade
        moves = 0
        for number, link in enumerate(self._chain.links):
            if not (link.gap and link.gap.match.possible(event)):
                stays |= 1 << number
            if self._own.get(event, True) and self._meets(number, event):
                moves |= 1 << number
        return stays, moves

    def _meets(self, number: int, event: Event) -> bool:
        match = self._chain.links[number].match
        return match.certain(event) if isinstance(match, Match) else event.verb in self._chain.before(number)

    def _makes(self, event: Event) -> bool:
        return event.verb == "build" and self._role in event.on


def _join(exits: Exits, more: Exits) -> None:
    for how, bits in more.items():
        exits[how] = exits.get(how, 0) | bits


def _fold(exits: Exits, *ways: str) -> None:
    """These ways out of a region lead through its end."""
    for how in ways:
        exits["fall"] = exits.get("fall", 0) | exits.pop(how, 0)
