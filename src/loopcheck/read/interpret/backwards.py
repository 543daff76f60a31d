"""A loss is backpropagated, and what is computed of tensors on the way there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache, partial

from loopcheck.api import MOVES
from loopcheck.loop import Fact, Role
from loopcheck.read.domain import health
from loopcheck.read.domain.choices import Chosen
from loopcheck.read.domain.parts import role_of, tensor_in
from loopcheck.read.domain.state import State
from loopcheck.read.domain.terms import Term
from loopcheck.read.domain.values import NONE, Const, Items, Symbol, Tensor, Value
from loopcheck.read.front import ir
from loopcheck.read.front.source import Source
from loopcheck.read.interpret.machine import Machine
from loopcheck.read.interpret.retained import backpropagated
from loopcheck.read.objects.evidence import graph_of
from loopcheck.read.objects.passes import learn
from loopcheck.words import adapts, spares_averaging


def backward(m: Machine, node: ir.Place, loss: Value, names: Mapping[str, str], facts: Mapping[str, Fact | None]) -> Value:
    """A loss is backpropagated, through whichever models it came of on this pass. facts: what is known better than by looking at
    it."""
    state = m.state
    if isinstance(loss, Tensor) and loss.chosen and loss.chosen.matters:
        rest = loss.models.difference(*loss.chosen.ways)

        def arm(taken: Chosen | frozenset[Role]) -> None:
            if isinstance(taken, Chosen):
                state.branch(taken.test, partial(arm, taken.then), partial(arm, taken.other))
            else:
                backward(m, node, replace(loss, models=rest | taken, chosen=None), names, facts)

        arm(loss.chosen)
        return NONE
    tensor = tensor_in(loss) or replace(graph_of(state, loss) or Tensor(Term("loss")), open=True)
    backpropagated(tensor, state)
    on = list(tensor.models or tensor.lost)
    scaler = role_of(tensor.scaler) if tensor.scaler else None
    if scaler:
        names = {**names, "scaler": state.spelled().get(scaler, scaler.name)}
        on.append(scaler)
    apart = tensor.apart or any(turn.apart for turn in state.here.passes[-1:])
    managed = None if apart else False  # whether the framework is wanted, knows who has gone past it
    fitted = any(adapts(each.code.name) for each in m.active) or None
    known: dict[str, Fact | None] = {"managed": managed, "averaged_twice": False, "adapts": fitted}
    if tensor_in(loss):
        cut = None if _asked_for_graph(state) or _chosen_within(state) else tensor.cut
        known.update(scaled=tensor.scaler is not None, averaged=tensor.divided, cut=cut, synced=_synced(m, tensor.models))
    known.update(facts)
    if known.get("synced") and _may_wait(m):
        known["synced"] = None
    reached = bool(tensor.models or tensor.lost) or any(each.how == "leaf" for each in tensor.history)
    event = state.emit("backward", on, node, known, names, open=tensor.open or not reached)
    state.walks.append((event, tensor.forwards))
    for turn in state.here.passes:
        for term in tensor.forwards:
            turn.fates[state.applied[term]].add("walked")
    return NONE


def asked_for_inputs(state: State, asked: Term) -> None:
    """`x.grad`, of what a network was given: it was for this that a loss went backward. Whether anybody uses the gradients of the
    weights, which are there as well, is not known. Raises Eventful of a parameter of a summary: the call site knows it."""
    if any(part.head == "formal" for part in asked.parts()):
        state.shared()
    for event, outputs in state.walks:
        if any(asked in given.parts() for term in outputs for given in state.inputs.get(term, ())):
            event.on, event.open = (), True
            learn(event, "inputs", True)


def _asked_for_graph(state: State) -> bool:
    """`if loss.requires_grad:` lets none through that has no graph."""
    return any(
        holds and term.head == "attribute" and term.operands[1] == "requires_grad" for term, holds in state.assumed.items()
    )


def _chosen_within(state: State) -> bool:
    """Whether a function that autograd is off for has asked whether to go backward: what it asks may tell it of that, a flag of
    its object say, which somebody has set."""
    around = state.here.unrecorded
    return around is not None and any(test not in around for test in state.assumed)


def _synced(m: Machine, models: Iterable[Role]) -> bool | None:
    """Whether processes average the gradients of one of these models."""
    wholes = [whole for model in models for whole in model.wholes]
    if not any(m.state.kept.get(whole, {}).get("ranks") for whole in wholes):
        return False if wholes and all(whole.evidence == "built" for whole in wholes) else None
    return True


def _may_wait(m: Machine) -> bool:
    """Whether the code around speaks of gradients that processes do not average."""
    files = {each.frame.source for each in m.active} | {m.state.frame.source}
    return any(_spares_averaging(source) for source in files)


@lru_cache(maxsize=256)
def _spares_averaging(source: Source) -> bool:
    return any(map(spares_averaging, source.index.names))


def computed_of(m: Machine, tensor: Tensor, others: Iterable[Value], in_place: bool = False) -> Tensor:
    """What is computed of a tensor and others: if that was cut, so is this where nothing among them can have a graph.

    in_place: it is the tensor itself, which keeps the graph that it has.
    """
    others = tuple(others)
    if health.loses(tensor, others):
        return Tensor(m.state.new("value"))
    whole = tensor.term not in m.state.leaves and all(_without_graph(m, other) for other in others)
    made = (tensor if whole else m.state.regained(tensor)).used
    return made if in_place else m.state.computed(made)


def _without_graph(m: Machine, value: Value) -> bool:
    """A literal, another tensor that is cut, or data: what a pass over a loader is given, moved or cast at most."""
    match value:
        case Const():
            return True
        case Tensor(term, lost=lost):
            return bool(lost) and term not in m.state.leaves
        case Symbol(term, names):
            given = frozenset[Term]().union(*(turn.given for turn in m.state.here.passes if turn.iterates))
            moved = term.head == "call" and str(term.operands[0]).rpartition(".")[2] in MOVES and not given.isdisjoint(names)
            return term in given or moved
        case _:
            return False


def outputs(values: Iterable[Value]) -> Tensor | None:
    """What several models computed, as one."""
    return tensor_in(Items(tuple(values)))
