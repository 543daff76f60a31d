"""What a forward tells of the pass around it, or of the call that it is in."""

from __future__ import annotations

from collections.abc import Iterable, MutableMapping, Sequence
from typing import cast

from loopcheck.loop import Event, Fact, Role
from loopcheck.read.domain.modes import wants_train_mode
from loopcheck.read.domain.parts import role_of
from loopcheck.read.domain.state import State
from loopcheck.read.domain.values import Function, Instance, Symbol, Tensor, Value
from loopcheck.read.front import ir
from loopcheck.read.front.source import Site
from loopcheck.read.interpret.lineage import is_trainer
from loopcheck.read.interpret.machine import Machine
from loopcheck.read.objects.passes import learn, settle, spare
from loopcheck.words import acts, held_out, is_unit_test, on_purpose


def noticed(m: Machine, node: ir.Place, event: Event) -> None:
    """A forward was read, in the pass that is around it.

    Code that a unit test defines holds nothing out; nor does a policy that chooses actions, unless it is known to have modes, or
    the program is there for that. What is made for one call, `Dropout(1.0)(x)`, is in the mode that was wanted.
    """
    state = m.state
    if isinstance(node, ir.Call) and isinstance(node.function, ir.Call):
        return
    names = [each.code.name for each in m.active]
    match node:
        case ir.Call(function=ir.Attribute(name=called) | ir.Name(name=called)):
            names.append(called)
    acting = not event.facts.get("moded") and any(map(acts, names))
    if acting:
        state.acting.setdefault(event, None)
    purposeful = any(on_purpose(each.code.name) for each in m.active) or any(wants_train_mode(state, each) for each in event.on)
    if event.facts.get("moded") is not False and purposeful:
        settle(event, "moded", False)  # the mode that it is in is the one that is asked for
    outer = state.frame.parent
    while outer is not None:
        if is_unit_test(outer.name, outer.source.path):
            return
        outer = outer.parent
    for turn in state.here.passes[-1:]:
        turn.forwards.append(event)
        if _is_shared(m):
            turn.fates[event].add("shared")
        own = state.frame.source.path, m.active[-1].code if m.active else None
        counts = turn.counter and not turn.iterates and not acting  # of the data only what a model is given tells
        if counts and turn.function == own and isinstance(node, ir.Call):  # a function it calls may be given some to adapt to
            turn.over = "\n".join([turn.over, *given_as(m, node.arguments)])
    if state.wants_graphs:
        adapted(state, event.on)
    else:
        _noticed_in_call(m, event, names)


def redrawn(state: State, models: Iterable[Role] = ()) -> None:
    """Weights are written over in a pass, as initialization does: those of any model where nobody knows of which. Raises Eventful
    in a summary: which pass that is, the call site knows."""
    state.shared()
    for turn in state.here.passes[-1:]:
        turn.begun.update(list(models) or (role for role in state.kept if role.kind == "model"))


def masked(m: Machine, base: Value, mask: ir.Expression) -> None:
    """`pred[data.test_mask]`: of what a network makes of all data, that which is not trained on is looked at."""
    if not m.state.applied or not isinstance(base, (Tensor, Symbol)):
        return
    terms = base.forwards if isinstance(base, Tensor) and base.forwards else base.term.parts()
    applied = [m.state.applied[term] for term in terms if term in m.state.applied]
    written = [m.state.frame.written.get(name, "") for name in ir.identifiers(mask)]
    if applied and held_out("\n".join([m.code(mask), *written])):
        m.state.held_out.update(dict.fromkeys(applied))


def given_as(m: Machine, given: Sequence[ir.Argument]) -> list[str]:
    """What a call is given, as written, and after it what the variables in it stand for."""
    written = m.state.frame.written
    values = [each.value for each in given]
    names = [each.name for each in ir.walk(*values) if isinstance(each, ir.Name)]
    return [*map(m.code, values), *(written[name] for name in names if name in written)]


def _noticed_in_call(m: Machine, event: Event, names: Iterable[str]) -> None:
    """A forward is in no loop of the function that is read: of the call, one may have to tell what it is.

    names: the functions around, and what is applied.
    """
    state, passes = m.state, m.state.here.passes
    if _is_shared(m):
        return
    own = state.frame.source.path, m.active[-1].code if m.active else None
    in_sight = m.active or state.frame is m.main
    tests = any(is_unit_test(each.code.name, each.frame.source.path, each.method) for each in m.active)
    if in_sight and not tests and not any(map(on_purpose, names)) and not (passes and passes[-1].function == own):
        state.here.direct.append(event)
        state.unread[event] = None


def _is_shared(m: Machine) -> bool:
    """Whether the function that is read is a network's own method, which who trains may call as well."""
    around = m.active[-1] if m.active else None
    return around is not None and _is_of_model(m, around) and "eval" not in around.frame.source.index.of(around.code).calls


def _is_of_model(m: Machine, function: Function) -> bool:
    """Whether a function is a method of a network, and none of a trainer that is one as well."""
    role = role_of(function.me) if function.me is not None else None
    trains = isinstance(function.me, Instance) and is_trainer(m, function.me.cls)
    return role is not None and role.kind == "model" and not trains


def unused(state: State, node: ir.Call) -> None:
    """What a call gave is not looked at: it was not made to measure anything, and a method may not be a forward at all."""
    match state.out[-1:], node.function:
        case [Event("forward", at=Site(node=here))], ir.Attribute(name=name) if here is node and name != "forward":
            state.out.pop()
    for each in state.out[-1:]:
        if isinstance(each, Event) and each.verb == "forward" and isinstance(each.at, Site) and each.at.node is node:
            learn(each, "deployed", False)
    for turn in state.here.passes[-1:]:
        turn.forwards = [each for each in turn.forwards if not (isinstance(each.at, Site) and each.at.node is node)]


def differentiated(state: State, tensor: Tensor, models: Iterable[Role] | None = None) -> None:
    """Gradients of a tensor are asked for by other means than a backward: what computed it is not merely evaluated.

    models: of which alone, where not of all. Raises Eventful of a parameter of a summary: whose it is, the call site knows.
    """
    if tensor.term.head == "formal":
        state.shared()
    asked = tensor.models if models is None else frozenset(models)
    adapted(state, asked)
    for event in (state.applied[term] for term in tensor.forwards):
        if not asked.isdisjoint(event.on):
            spare(event, state.unread)
            for fact in ("validating", "deployed"):  # its pass may be over, and said so
                cast(MutableMapping[str, Fact], event.facts).pop(fact, None)


def adapted(state: State, models: Iterable[Role]) -> None:
    """A pass differentiates models, or wants graphs of what they do by turning autograd on: it does not merely evaluate them."""
    for turn in state.here.passes[-1:]:
        turn.adapted.update(models)
