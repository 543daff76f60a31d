"""The objects of a program as a person reads them: what each is, what it was built from and where."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from loopcheck.bug import glossary
from loopcheck.loop import Either, Event, Frame, Region, Repeat, Role, Seq, Test, events
from loopcheck.show.facts import UNKNOWN, Facts
from loopcheck.show.row import Row, clause, condition, short, span_of
from loopcheck.structs import dataclass

_EVIDENCE = {
    "built": "by its class",
    "annotated": "by its annotation",
    "used": "by what is done with it",
    "named": "by its name alone",
}
"""How it is known what an object is that was not built in sight."""


Guard: TypeAlias = "tuple[Test, bool]"


@dataclass(frozen=True)
class _Build:
    """An object is made. guards: the tests that decide whether it is, with their outcomes."""

    event: Event
    guards: tuple[Guard, ...]


class Objects:
    """The objects to which something happens, and those that they were built from."""

    def __init__(self, entry: Frame) -> None:
        seen = list(events(entry))
        used = dict.fromkeys(role for event in seen if event.verb != "build" for role in event.on)
        roles = list(dict.fromkeys(source for role in used for source in sorted(role.made_from, key=lambda each: each.name)))
        built = {role: each for each in _built(entry.body, ()) for role in each.event.on}
        self._built = {role: built[role] for role in roles if role in built}
        self._names = _names(sorted(roles, key=self._place))

    def __contains__(self, role: Role) -> bool:
        return role in self._names

    def name(self, role: Role) -> str:
        """What an object is called: as it was first bound, with a number where several are called so."""
        return self._names.get(role) or role.name or f"a {role.kind}"

    def names(self, roles: Iterable[Role]) -> list[str]:
        """What objects are called, in the order in which they are listed."""
        order = list(self._names)
        return [self.name(role) for role in sorted(roles, key=lambda role: order.index(role) if role in order else len(order))]

    def rows(self, facts: Facts) -> Iterator[Row]:
        """A row for each: kind, name, class, what it was built from; and what is known of it since."""
        width = max(map(len, self._names.values()), default=0)
        for role, name in self._names.items():
            built = self._built.get(role)
            made = built.event.names.get("class", "") if built else ""
            known = (*_told(built.guards), *facts.of(built.event, made)) if built else (_EVIDENCE[role.evidence],)
            text = f"{name:<{width}}  {made}{' ' if made else ''}{self._of(role)}"
            yield Row(span_of(built.event.at) if built else None, text.rstrip(), role.kind, known)

    def _of(self, role: Role) -> str:
        of = self.names(role.of) + [UNKNOWN] * role.open
        if role.part_of:
            return f"part of {self.name(role.part_of)}"
        return f"of {', '.join(of)}" if of else ""

    def _place(self, role: Role) -> tuple[object, ...]:
        kinds = glossary["build"].on
        built = self._built.get(role)
        span = span_of(built.event.at) if built else None
        order = kinds.index(role.kind) if role.kind in kinds else len(kinds)
        return (order, span is not None, span, role.name) if span else (order, False, role.name)


def _built(region: Region, guards: tuple[Guard, ...]) -> Iterator[_Build]:
    match region:
        case Event(verb="build"):
            yield _Build(region, guards)
        case Seq(parts):
            for part in parts:
                yield from _built(part, guards)
        case Either(_, then, other):
            yield from _built(then, (*guards, *region.guards(True).items()))
            yield from _built(other, (*guards, *region.guards(False).items()))
        case Frame(body):
            yield from _built(body, guards)
        case Repeat(body):  # when, the order of events shows
            yield from (_Build(event, ()) for event in events(body) if event.verb == "build")
        case _:
            pass


def _told(guards: tuple[Guard, ...]) -> tuple[str, ...]:
    """`if args.amp`; of `if … elif … elif` the one that holds."""
    texts = [condition(test, holds) for test, holds in guards]
    return tuple(clause(short(text)) for text in [each for each in texts[:-1] if not each.startswith("not ")] + texts[-1:])


def _names(roles: list[Role]) -> Mapping[Role, str]:
    spelled = {role: role.name or f"({role.kind})" for role in roles}
    many = Counter(spelled.values())
    seen: Counter[str] = Counter()
    names = {}
    for role, name in spelled.items():
        seen[name] += 1
        names[role] = f"{name}#{seen[name]}" if many[name] > 1 else name
    return names
