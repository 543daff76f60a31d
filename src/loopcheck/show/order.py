"""The order of events as a person reads it: rows, indented by loops, calls and tests; what no event hangs on is left out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from loopcheck.finding import Span
from loopcheck.loop import Decision, Either, Event, Frame, Leave, Region, Repeat, Seq, Test, events
from loopcheck.show.facts import UNKNOWN, Facts
from loopcheck.show.objects import Objects
from loopcheck.show.row import Row, condition, opposite, short, span_of
from loopcheck.structs import dataclass, replace


@dataclass(frozen=True)
class Block:
    """A loop or a call, and what happens in it. loop: what a loop is for, a training loop, say, where that is known."""

    head: Row
    body: Nodes
    loop: str = ""


@dataclass(frozen=True)
class Branch:
    """What happens where a test holds, and where it does not."""

    head: Row
    then: Nodes
    other: Nodes


Node: TypeAlias = "Row | Block | Branch"
Nodes: TypeAlias = "tuple[Node, ...]"


@dataclass(frozen=True)
class _Place:
    """What stands around a region. loop: what the loop is called; body, frame: an event still comes in either."""

    loop: str = ""
    repeated: bool = False
    body: bool = False
    frame: bool = False

    @property
    def later(self) -> _Place:
        """The place before something that happens."""
        return replace(self, body=True, frame=True)


class Order:
    """Draws the regions of an entry of the program."""

    def __init__(self, entry: Frame, objects: Objects, facts: Facts) -> None:
        self._entry, self._objects, self._facts = entry, objects, facts

    def nodes(self) -> Nodes:
        """All that happens in the entry, less what is built before a loop."""
        return self._nodes(self._entry.body, _Place())

    def _nodes(self, region: Region, place: _Place) -> Nodes:
        match region:
            case Event():
                return (self._event(region),) if self._matters(region, place) else ()
            case Seq(parts):
                return self._seq(parts, place)
            case Either(_, then, other):
                return _decided(region.tree, self._nodes(then, place), self._nodes(other, place))
            case Repeat():
                return self._loop(region, (), place)
            case Frame():
                return self._call(region, place)
            case Leave(how):
                shown = place.frame if how == "return" else place.body and how != "raise"
                return (Row(None, how),) if shown else ()

    def _seq(self, parts: Sequence[Region], place: _Place) -> Nodes:
        """Backwards, for it depends on what comes later whether it matters that control leaves."""
        found: Nodes = ()
        rest = list(parts)
        while rest:
            part = rest.pop()
            if isinstance(part, Repeat):
                nodes = self._loop(part, _begun(rest, part), place)
            else:
                nodes = self._nodes(part, place)
            place = place.later if nodes else place
            found = nodes + found
        return found

    def _loop(self, region: Repeat, begun: Sequence[Event], place: _Place) -> Nodes:
        kind = _kind(region)
        inside = replace(place, loop=kind or place.loop, repeated=True, body=False)
        body = self._nodes(region.body, inside)
        if not body:
            return ()
        what = kind if kind != place.loop else ""
        over = ", ".join(self._objects.names(role for event in begun for role in event.on))
        what = f"{what or 'pass'} over {over}" if over else what
        facts = tuple(word for event in begun for word in self._facts.of(event))
        text = region.at.text if region.at else "loop"
        return (Block(Row(span_of(region.at), text, remarks=(what, *facts) if what else facts), body, kind),)

    def _call(self, region: Frame, place: _Place) -> Nodes:
        body = self._nodes(region.body, replace(place, body=False, frame=False))
        if not body or region.at is None or (self._entry.at and region.at.place == self._entry.at.place):
            return body
        return (Block(Row(span_of(region.at), region.at.text), body),)

    def _matters(self, event: Event, place: _Place) -> bool:
        return event.verb != "build" or (place.repeated and any(role in self._objects for role in event.on))

    def _event(self, event: Event) -> Row:
        whole = [role for role in event.on if not role.part_of or role.part_of not in event.on]
        objects = ", ".join(self._objects.names(whole) + [UNKNOWN] * (event.open or not whole))
        remarks = self._facts.of(event)
        if event.verb == "escape":
            remarks = (f"out of sight: {short(event.at.text)}",)
        if event.verb == "backward":
            objects = f"{short(event.names['loss'])} of {objects}" if event.names.get("loss") else objects
        return Row(span_of(event.at), objects, event.verb, remarks)


def _begun(before: list[Region], loop: Repeat) -> list[Event]:
    """Takes the passes that begin with this loop off the end of what comes before it."""
    begun: list[Event] = []
    while before and loop.at and isinstance(part := before[-1], Event) and part.at.place == loop.at.place:
        begun.insert(0, part)
        before.pop()
    return begun


TRAINING, EVALUATION = "training loop", "evaluation pass"


def _kind(loop: Repeat) -> str:
    inside = list(events(loop))
    verbs = {event.verb for event in inside}
    if verbs & {"backward", "step"}:
        return TRAINING
    if "forward" not in verbs:
        return ""
    return EVALUATION if any(event.evaluates for event in inside) else "forward only"


def _decided(tree: Decision, then: Nodes, other: Nodes) -> Nodes:
    """What happens where a decision tree leads."""
    if isinstance(tree, bool):
        return then if tree else other
    return _branch(tree.test, _decided(tree.then, then, other), _decided(tree.other, then, other))


def _branch(test: Test, then: Nodes, other: Nodes) -> Nodes:
    """As the program writes it: the arm that leads somewhere first, `and` and `or` put together again."""
    if then == other:
        return then
    holds = not test.inverted
    if not (then if holds else other):
        holds = not holds
    then, other = (then, other) if holds else (other, then)
    remarks = ("counter",) if test.counter else ()
    head = Row(span_of(test.at), condition(test, holds), remarks=(*remarks, f"window {test.window}") if test.window else remarks)
    turned = replace(head, text=opposite(head.text))
    return (_compound(head, then, other) or _compound(turned, other, then) or Branch(head, then, other),)


def _compound(head: Row, then: Nodes, other: Nodes) -> Branch | None:
    """One condition of two, where a test in one arm leads to the other arm."""
    match then, other:
        case (Branch(inner, both, neither),), _ if neither == other and (neither or _is_beside(head, inner)):
            return Branch(_joined(head, "and", inner), both, other)
        case _, (Branch(inner, either, neither),) if either == then:
            return Branch(_joined(head, "or", inner), then, neither)
        case _:
            return None


def _is_beside(row: Row, other: Row) -> bool:
    """They stand in one line, as the parts of one condition do."""
    return row.span is not None and other.span is not None and _line(row.span) == _line(other.span)


def _line(span: Span) -> tuple[str, int, int]:
    return span.path, span.cell, span.row


def _joined(left: Row, word: str, right: Row) -> Row:
    texts = [f"({row.text})" if word == "and" and " or " in row.text else row.text for row in (left, right)]
    return Row(left.span, f" {word} ".join(texts), remarks=tuple(dict.fromkeys((*left.remarks, *right.remarks))))
