"""States that were taken of a model before, compared with what it has by now: without a copy both are the same tensors."""

from __future__ import annotations

from loopcheck.loop import Event, Role
from loopcheck.read.domain.parts import term_of
from loopcheck.read.domain.terms import Term
from loopcheck.read.domain.values import Bound, Params, Symbol, Value
from loopcheck.read.front import ir
from loopcheck.read.interpret.machine import Machine
from loopcheck.read.interpret.members import file_of


def compared(m: Machine, node: ir.Place, left: Value, right: Value) -> None:
    """The difference of an entry of a state, `old[name]`, and of what the same model has by now, `new[name]` or a parameter, uses
    the state such as it is by now."""
    one, another = _taken(m, left), _taken(m, right)
    _used(m, node, one, another or _whole(right))
    _used(m, node, another, one or _whole(left))


def _used(m: Machine, node: ir.Place, state: Role | Term | None, beside: Role | Term | Params | None) -> None:
    """A state is used beside another tensor, where both are of one model; of one that a pass before has left, which one that is
    the loop tells at its end."""
    owners = _owners(state) | _owners(beside)
    if len(owners) != 1 or beside is state or not all(owner.anew <= m.state.here.loops for owner in owners):
        return  # what a list of networks was made of stands for many
    if isinstance(state, Role) and isinstance(beside, (Role, Params)) and not m.state.kept[state].get("mixed"):
        event = m.state.emit("recall", [state], node, {"saved": False})
        m.state.kept[state] = {**m.state.kept[state], "compared": (*_compared(m, state), event)}
    elif isinstance(state, Term):
        m.state.emit_of_left("recall", state, node, {"saved": False}, owners)


def mixed(m: Machine, state: Role) -> None:
    """Other tensors are put in the place of some of a state: on the next pass those are what it is compared by."""
    for event in _compared(m, state):
        event.on = tuple(each for each in event.on if each is not state)
    m.state.kept[state] = {**m.state.kept.get(state, {}), "mixed": True}


def filled(m: Machine, node: ir.Place, entry: Value, given: Value) -> None:
    """`own[name].copy_(loaded[name])`: of a state that was taken of a model, the entries are its weights, and these are loaded
    then as by `load_state_dict`, which older programs do not trust with what does not fit."""
    state = _taken(m, entry)
    file = file_of(m.state, term_of(given)) if isinstance(state, Role) else None
    if isinstance(state, Role) and file is not None:
        for owner in state.of:
            m.state.kept[owner] = {**m.state.kept.get(owner, {}), "filled": "restore"}
        m.state.emit("restore", [*state.of, file], node, {"wrapped": False})


def _compared(m: Machine, state: Role) -> tuple[Event, ...]:
    """The comparisons that a state has been used in so far."""
    known = m.state.kept.get(state, {}).get("compared")
    return known if isinstance(known, tuple) else ()


def _owners(whole: Role | Term | Params | None) -> frozenset[Role]:
    """The models whose tensors something holds."""
    match whole:
        case Role(of=of):
            return frozenset(of)
        case Params(models=models):
            return models
        case _:
            return frozenset()


def _taken(m: Machine, value: Value) -> Role | Term | None:
    """The state of a model that a value is an entry of, or the variable that holds one; None of what is no entry.

    Raises Eventful in a summary of what is given a state: which one that is the call site knows.
    """
    match _of_same_memory(value):
        case Symbol(term=Term(head="item", operands=(Term(head="object", operands=(int(number), _, "state")), _))):
            found = next((role for role in m.state.kept if id(role) == number), None)
            if found is None and m.trials:
                m.state.shared()
            return found
        case Symbol(term=Term(head="item", operands=(Term(head="new") as variable, _))):
            return variable
        case _:
            return None


def _whole(value: Value) -> Params | None:
    """The parameters that a value is one of."""
    whole = _of_same_memory(value)
    return whole if isinstance(whole, Params) else None


def _of_same_memory(value: Value) -> Value:
    """What a tensor was taken of that has its memory: of `p.data`, `p`."""
    return value.base if isinstance(value, Bound) and value.name == "data" else value
