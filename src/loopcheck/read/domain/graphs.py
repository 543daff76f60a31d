"""What becomes of the graphs that forwards have recorded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, MutableMapping
from typing import cast

from loopcheck.loop import Event, Fact
from loopcheck.read.domain.parts import parts_of
from loopcheck.read.domain.state import State
from loopcheck.read.domain.terms import Term
from loopcheck.read.domain.values import DETACHED, Tensor, Value


def take_numbers(state: State, tensor: Tensor, as_tensor: bool = False) -> None:
    """The numbers of a tensor are taken; `as_tensor`, into another one. Raises Eventful of a parameter of a summary: whose it is,
    the call site knows."""
    if tensor.term.head == "formal":
        state.shared()
    for event in () if as_tensor else _cut_from(state, tensor):
        for turn in state.here.passes:  # of `out.detach().numpy()` nothing goes into a loss
            turn.fates[event].discard("cut")
    for event in (state.applied[term] for term in tensor.forwards):
        if as_tensor and event in state.doubted and len(tensor.forwards) == 1:  # who cuts it from its graph knows of that
            cast(MutableMapping[str, Fact], event.facts)["grad"] = True
        for turn in state.here.passes:
            turn.fates[event] |= {"read", "cut"} if as_tensor else {"read"}
        if not as_tensor:
            state.taken.add(event)
        if event in state.unread:
            event.during = state.unread.pop(event)
            cast(MutableMapping[str, Fact], event.facts).setdefault("read", True)


def _cut_from(state: State, tensor: Tensor) -> list[Event]:
    """The forward whose output these numbers are, cut from its graph."""
    of = state.applied.get(cast(Term, tensor.term.operands[0])) if tensor.term.head == DETACHED else None
    return [of] if of is not None else []


def write_out(state: State, values: Iterable[Value]) -> None:
    """Values are put into a text or a picture: of tensors, the numbers are read."""
    for value in values:
        if isinstance(value, Tensor):
            take_numbers(state, value)
            for event in (*(state.applied[term] for term in value.forwards), *_cut_from(state, value)):
                for turn in state.here.passes:
                    turn.fates[event].add("shown")


def data_of(state: State, term: Term) -> Term:
    """What networks were given first to put this out, `head(body(x))`."""
    while given := term.operands if term.head == "items" else state.inputs.get(term):
        term = cast(Term, given[0])
    return term


def hold_graphs(state: State, *values: Value) -> None:
    """Something that may outlive the pass holds these, and the graphs that they have. Raises Eventful like `take_numbers`."""
    for event in _forwards_in(state, values):
        cast(MutableMapping[str, Fact], event.facts).pop("read", None)
        state.unread.pop(event, None)
        for turn in state.here.passes:
            turn.fates[event].add("held")


def list_graphs(state: State, *values: Value) -> None:
    """A list or a dict that is in sight has these, with their graphs. Raises Eventful like `take_numbers`."""
    for event in _forwards_in(state, values):
        for turn in state.here.passes:
            turn.fates[event].add("listed")


def hand_out_actions(state: State, values: Iterable[Value]) -> None:
    """Code out of sight is told what policies make of states: it may learn from that. Raises Eventful like `take_numbers`."""
    for event in _forwards_in(state, values) if state.acting else ():
        if event in state.acting:
            state.acting[event] = None


def _forwards_in(state: State, values: Iterable[Value]) -> Iterator[Event]:
    for value in values:
        for part in parts_of(value):
            if isinstance(part, Tensor):
                if part.term.head == "formal":
                    state.shared()
                yield from (state.applied[term] for term in part.forwards)
