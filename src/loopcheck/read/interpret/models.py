"""What models do and what is done to their gradients: forwards, backwards, freezing, edits by hand."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from loopcheck.api import MOVES
from loopcheck.loop import Event, Fact, Role, events
from loopcheck.read.domain.state import GRAD, MODES, State
from loopcheck.read.domain.terms import Term
from loopcheck.read.domain.values import (
    NONE,
    Api,
    Arguments,
    Choice,
    Class,
    Const,
    Function,
    Instance,
    Items,
    Params,
    Scope,
    Symbol,
    Tensor,
    Value,
    parts_of,
    role_of,
    tensor_in,
    term_of,
)
from loopcheck.read.front import ir
from loopcheck.read.front.index import Facts
from loopcheck.read.front.source import Site, Source
from loopcheck.read.interpret.activations import activation
from loopcheck.read.interpret.lineage import bases_of, lineage, method_of
from loopcheck.read.interpret.machine import Machine
from loopcheck.read.interpret.normalizing import normalizes
from loopcheck.read.interpret.retained import backpropagated
from loopcheck.read.interpret.wrapping import goes_past, is_apart, wrapper, wrapper_written
from loopcheck.read.objects.evidence import held
from loopcheck.read.objects.passes import learn, settle, spare
from loopcheck.read.vocabulary import switched_by
from loopcheck.read.vocabulary.layers import is_layer, makes_data, moded_by_name, modeless, only_computes
from loopcheck.words import (
    APPLIED,
    COUNTS,
    CRITERION,
    DUMMIES,
    EVAL_FLAGS,
    GIVEN_WEIGHTS,
    INFERENCE,
    MADE_UP,
    MODE_FLAGS,
    NOISE,
    SWITCHES,
    acts,
    clips,
    explains,
    held_out,
    is_unit_test,
    on_purpose,
    spares_averaging,
    words,
)


def freeze(state: State, models: Iterable[Role], frozen: bool | None = True) -> None:
    """All parameters of these models stop needing a gradient, or need it again; None where that is the user's choice."""
    models = frozenset(models)
    state.stilled.update(() if frozen is False else models)
    state.frozen = state.frozen | models if frozen else state.frozen - models
    state.unsettled = state.unsettled | models if frozen is None else state.unsettled - models
    state.renewed = frozenset(each for each in state.renewed if each.wholes.isdisjoint(models))


def may_be_frozen(state: State, model: Role) -> bool:
    """Whether there may be no parameter of a model that needs a gradient."""
    return not model.wholes.isdisjoint(state.frozen | state.unsettled) and model not in state.renewed


def under_condition(m: Machine) -> bool:
    """Whether what is done to each parameter here is done to some of them: a test asks for more than that there is a gradient."""
    guards = m.state.here.guards
    return any(
        not any("grad" in name for name in _identifiers(guard)) or any(map(_asks_values, ir.walk(guard))) for guard in guards
    )


def _asks_values(node: ir.Node) -> bool:
    """`p.grad.isnan().any()`, `p.grad != p.grad`: what is asked of a gradient is what it came to, not whether there is one."""
    match node:
        case ir.Compare(operators=("is" | "is not",)) | ir.Compare(others=(ir.Literal(value=None),)):
            return False
        case ir.Call(function=ir.Name(name="isinstance" | "type")):
            return False
        case ir.Call() | ir.Compare():
            return any(isinstance(each, ir.Attribute) and each.name == "grad" for each in ir.walk(node))
        case _:
            return False


def cleared(m: Machine, params: Params, node: ir.Place) -> None:
    """The gradients of parameters are cleared by hand; under a condition, only of some."""
    some = under_condition(m)
    m.state.emit("zero_grad", () if some else params.models, node, open=some or params.open)


def edited_gradients(m: Machine, params: Params, node: ir.Place, by: str | None = None, added: bool | None = None) -> None:
    """The gradients of parameters are changed by hand. by: what that goes by, if it may limit them: in a function that says so it
    does. added: something is added to them."""
    if by and m.active and clips(m.active[-1].code.name):
        event = m.state.emit("clip", params.models, node, {"limits": True, "managed": False, "by": by}, open=params.open)
        event.at = (event.at.caller if isinstance(event.at, Site) else None) or event.at  # the call is the clip
        return
    m.state.emit("edit", params.models, node, {"added": added}, open=params.open)
    for turn in m.state.here.passes[-1:]:
        turn.edited = True


def overwritten(m: Machine, params: Params, node: ir.Place) -> None:
    """Weights are written through `.data`; under a condition, who knows which."""
    some = under_condition(m)
    m.state.emit("overwrite", () if some else params.models, node, open=some or params.open)


def _identifiers(node: ir.Expression) -> set[str]:
    return {each.name for each in ir.walk(node) if isinstance(each, (ir.Name, ir.Attribute))}


def forward(
    m: Machine,
    node: ir.Place,
    role: Role,
    args: Arguments,
    method: str = "forward",
    recorded: Callable[[], bool | None] = lambda: True,
) -> Tensor:
    """A model is applied to data. method: which one is called; another one than forward may turn autograd off by itself.

    recorded: whether what it does where autograd records leaves a graph.
    """
    state = m.state
    records = state.records
    told = not args.keywords.keys().isdisjoint(MODE_FLAGS | EVAL_FLAGS)  # the call says the mode, whatever the module is in
    switches = method != "forward" or (told and _may_switch(m, role)) or _learns(m, role, args)
    told = told or (method != "forward" and bool(words(method) & INFERENCE))  # `predict` of a base out of sight: it may see to it
    given = tensor_in(args.all)
    volatile = given is not None and any(each.how == "volatile" for each in given.history)
    needs_grad = None if (switches or volatile) and records else _needs_grad(m, role, records)
    needs_grad = recorded() if needs_grad else needs_grad
    precision = state.here.precision if state.here.precision != "?" else None
    modes = not (told or _has_parts_in_eval(m, role)) and moded(m, role)
    facts = {"grad": needs_grad, "moded": modes, "precision": precision or None, "bypasses": _bypasses(m, node, role)}
    facts["normalizes"] = None if told else normalizes(m, role)
    event = state.emit("forward", [role], node, facts, _wrapper_written(m, node) if facts["bypasses"] else None)
    if records is False and _is_taught_by_now(m, role) and _on_held_out(m, node, args):
        learn(event, "validating", True)  # whatever the loop around does: nothing goes backward from here
    if any(words(text) & DUMMIES for text in _given_as(m, node.arguments if isinstance(node, ir.Call) else ())):
        learn(event, "deployed", False)  # it is to run, and nobody takes numbers of it
    if method == "forward" or words(method) & APPLIED:
        noticed(m, node, event)
    if _draws(m, node):
        state.here.passes[-1].drawn.add(event)
    term = state.new("output")
    if records is False:
        return Tensor(term, lost=frozenset([role]))
    own = frozenset[Role]() if role.wholes & state.frozen else frozenset([role])
    models = own | (given.models if given else frozenset())
    state.applied[term] = event
    forwards = frozenset([term]) | (given.forwards if given else frozenset())
    made = Tensor(term, models, open=bool(given and given.open), activation=activation(m, role), forwards=forwards)
    made = made.doubted(method) if method != "forward" and needs_grad is None else made
    made = made.made("foreign") if words(role.name.rpartition(".")[2]) & CRITERION else made
    if (given and given.apart) or _goes_past(m, node) or _other_networks(role, args):
        made = made.made("apart")
        for turn in state.here.passes[-1:]:
            turn.apart = True
    return made.made("total") if _sums(m, role) else made


def _is_taught_by_now(m: Machine, role: Role) -> bool:
    """Whether a network is trained before it is applied here, or on an earlier pass of the loop around: it is not just tried."""
    before = (event for region in m.state.out for event in events(region) if event.verb == "backward")
    return bool(m.state.here.passes) or any(not role.wholes.isdisjoint(each.wholes) for event in before for each in event.on)


def _on_held_out(m: Machine, node: ir.Place, args: Arguments) -> bool:
    """Whether names say that a network is applied to data that is not trained on, `net(X_test)`, and is not tried on numbers."""
    if not isinstance(node, ir.Call) or not node.arguments or not args.values:
        return False
    if any(on_purpose(each.code.name) or is_unit_test(each.code.name, each.frame.source.path) for each in m.active):
        return False
    made_by = {part.operands[0] for part in term_of(args.values[0]).parts() if part.head == "call"}
    said = "\n".join(_given_as(m, node.arguments[:1]))
    made_up = any(isinstance(name, str) and words(name.rpartition(".")[2]) & MADE_UP for name in made_by)
    return held_out(said) and not made_up and not words(said) & NOISE


def _draws(m: Machine, node: ir.Place) -> bool:
    """Whether a loop counts how often a model is applied to the same: what differs is drawn, by dropout that is on for that."""
    turn = m.state.here.passes[-1] if m.state.here.passes else None
    if turn is None or not isinstance(node, ir.Call) or turn.iterates:
        return False
    match turn.node:
        case ir.For(target=target, iterable=counts, body=body):
            assigned = [each for made in ir.walk(*body) if isinstance(made, ir.Assign) for each in made.targets]
        case ir.Comprehension(clauses=(ir.Clause(target=target, iterable=counts),)):
            assigned = []
        case _:
            return False
    here = m.state.frame.source.path, m.active[-1].code if m.active else None
    if turn.function != here or not (isinstance(counts, ir.Call) and _identifiers(counts.function) <= COUNTS):
        return False
    targets = [target, *assigned]
    bound = frozenset[str]().union(*map(_identifiers, targets))
    given = frozenset[str]().union(*(_identifiers(each.value) for each in node.arguments))
    sliced = any(isinstance(each, ir.Subscript) and each.index is None for arg in node.arguments for each in ir.walk(arg.value))
    return bool(given) and not sliced and bound.isdisjoint(given)


def _goes_past(m: Machine, node: ir.Place) -> bool:
    """Whether a model is applied as a framework has handed it out, or a method of it is called."""
    match node:
        case ir.Call(function=ir.Attribute(base=base) as function):
            return is_apart(m, base) or is_apart(m, function)
        case ir.Call(function=function):
            return is_apart(m, function)
        case _:
            return False


def _learns(m: Machine, role: Role, args: Arguments) -> bool:
    """Whether code out of sight is handed another network: it may adapt that, or apply it without autograd."""
    return m.made_of.get(role) is None and _other_networks(role, args)


def _other_networks(role: Role, args: Arguments) -> bool:
    """Whether a module is handed another network, `self(copied, x)`: what it puts out may be that one's, and no framework's."""
    handed = (role_of(value) for value in parts_of(args.all))
    return any(each is not None and each.kind == "model" and each is not role for each in handed)


def _sums(m: Machine, role: Role) -> bool:
    """A network that computes its own loss, as a sum: `forward(self, x, y, reduction="sum")`."""
    made = m.made_of.get(role)
    forwards = [cls.methods["forward"] for cls in lineage(m, made.cls) if "forward" in cls.methods] if made else []
    given = [each for method in forwards[:1] for each in (*method.code.parameters.positional, *method.code.parameters.keyword)]
    return any(
        each.name == "reduction" and isinstance(each.default, ir.Literal) and each.default.value == "sum" for each in given
    )


def _bypasses(m: Machine, node: ir.Place, role: Role) -> bool | None:
    """Whether a model is applied without the wrapper that it has: `ddp.module(x)`, `ddp.module.loss(x)`, `raw_model(x)`."""
    if not any(m.state.kept.get(whole, {}).get("ranks") for whole in role.wholes) or not isinstance(node, ir.Call):
        return None
    match node.function:
        case function if goes_past(m, function) or (isinstance(function, ir.Attribute) and goes_past(m, function.base)):
            return True
        case function:
            return False if wrapper(m, function) else None


def _wrapper_written(m: Machine, node: ir.Place) -> dict[str, str]:
    """How the wrapper is written of a call that goes past it."""
    written = wrapper_written(m, node.function) if isinstance(node, ir.Call) else ""
    return {"wrapper": written} if written else {}


def _may_switch(m: Machine, role: Role) -> bool:
    """A model that is told the mode may turn autograd off by itself; one in sight does so where it says so."""
    made = m.made_of.get(role)
    return made is None or not facts_of(m, lineage(m, made.cls)).mentions.isdisjoint({"no_grad", "set_grad_enabled"})


def as_forward(m: Machine, node: ir.Place, role: Role, args: Arguments, called: Callable[[], Value]) -> Value:
    """A method of a model, `model.encode(x)`: where all that it does is to apply parts of the model, it is one forward.

    `model.decode(z)` of what the model has encoded goes on with that one.
    """
    state = m.state
    returned: list[Value] = []
    region = state.block(lambda: returned.append(called()))
    seen = list(events(region))
    if not seen or not all(_is_inside(event, role) for event in seen):
        state.out.append(region)
        return returned[0]
    for turn in state.here.passes[-1:]:
        turn.forwards = [event for event in turn.forwards if event not in seen]
    state.here.direct[:] = [event for event in state.here.direct if event not in seen]
    given = tensor_in(args.all)
    if given and any(_is_part(each, role) for each in given.models):
        return returned[0]
    facts = {name: _any_of({event.facts.get(name) for event in seen}) for name in ("grad", "moded", "normalizes")}
    facts["bypasses"] = _bypasses(m, node, role)
    event = state.emit("forward", [role], node, facts)
    noticed(m, node, event)
    for turn in state.here.passes:
        for known in (turn.read, turn.listed, turn.held):
            known.update([event] if not known.isdisjoint(seen) else ())
    if computed := tensor_in(returned[0]):
        state.applied.update((term, event) for term in computed.forwards if state.applied[term] in seen)
    return returned[0]


def _any_of(facts: set[Fact | None]) -> Fact | None:
    """What holds of the whole where it holds of a part."""
    return True if True in facts else facts.pop() if len(facts) == 1 else None


def _is_inside(event: Event, whole: Role) -> bool:
    """Whether a model applies a part of itself; or something that nobody saw it get, `self.added(x)`."""
    match event:
        case Event("forward", on=(on,), at=Site(node=ir.Call(function=ir.Attribute(name=name)))) if on is whole:
            return name != "forward"
        case _:
            return event.verb == "forward" and all(_is_part(on, whole) for on in event.on)


def _is_part(role: Role, whole: Role) -> bool:
    return role is not whole and whole in role.wholes


def noticed(m: Machine, node: ir.Place, event: Event) -> None:
    """A forward was read, in the pass that is around it.

    Code that a unit test defines holds nothing out; nor does a policy that chooses an action, unless it is known to have modes.
    What is made for one call, `Dropout(1.0)(x)`, is in the mode that was wanted.
    """
    state = m.state
    if isinstance(node, ir.Call) and isinstance(node.function, ir.Call):
        return
    names = [each.code.name for each in m.active]
    match node:
        case ir.Call(function=ir.Attribute(name=called) | ir.Name(name=called)):
            names.append(called)
    if not event.facts.get("moded") and any(map(acts, names)):
        return
    if event.facts.get("moded") and any(on_purpose(each.code.name) for each in m.active):
        settle(event, "moded", False)  # the mode that it is in is the one that is asked for
    outer = state.frame.parent
    while outer is not None:
        if is_unit_test(outer.name, outer.source.path):
            return
        outer = outer.parent
    for turn in state.here.passes[-1:]:
        turn.forwards.append(event)
        own = state.frame.source.path, m.active[-1].code if m.active else None
        counts = turn.counter and not turn.iterates  # of the data only what a model is given tells
        if counts and turn.function == own and isinstance(node, ir.Call):  # a function it calls may be given some to adapt to
            turn.over = "\n".join([turn.over, *_given_as(m, node.arguments)])
    if state.wants_graphs:
        adapted(state, event.on)
    else:
        _noticed_in_call(m, event, names)


def _given_as(m: Machine, given: Sequence[ir.Argument]) -> list[str]:
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
    if m.active and _is_of_model(m.active[-1]) and "eval" not in m.active[-1].frame.source.index.of(m.active[-1].code).calls:
        return  # who trains may call it as well
    own = state.frame.source.path, m.active[-1].code if m.active else None
    in_sight = m.active or state.frame is m.main
    tests = any(is_unit_test(each.code.name, each.frame.source.path) for each in m.active)
    if in_sight and not tests and not any(map(on_purpose, names)) and not (passes and passes[-1].function == own):
        state.here.direct.append(event)
        state.unread[event] = None


def _is_of_model(function: Function) -> bool:
    role = role_of(function.me) if function.me is not None else None
    return role is not None and role.kind == "model"


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

    models: of which alone, where not of all.
    """
    asked = tensor.models if models is None else frozenset(models)
    adapted(state, asked)
    for event in (state.applied[term] for term in tensor.forwards):
        if not asked.isdisjoint(event.on):
            spare(event, state.unread)


def adapted(state: State, models: Iterable[Role]) -> None:
    """A pass differentiates models, or wants graphs of what they do by turning autograd on: it does not merely evaluate them."""
    for turn in state.here.passes[-1:]:
        turn.adapted.update(models)


def _asked_for_graph(state: State) -> bool:
    """`if loss.requires_grad:` lets none through that has no graph."""
    return any(
        holds and term.head == "attribute" and term.operands[1] == "requires_grad" for term, holds in state.assumed.items()
    )


def backward(m: Machine, node: ir.Place, loss: Value, names: Mapping[str, str], facts: Mapping[str, Fact | None]) -> Value:
    """A loss is backpropagated. facts: what is known better than by looking at it."""
    state = m.state
    tensor = tensor_in(loss) or Tensor(Term("loss"), history=(), open=True)
    backpropagated(tensor, state)
    on = list(tensor.models or tensor.lost)
    scaler = role_of(tensor.scaler) if tensor.scaler else None
    if scaler:
        names = {**names, "scaler": state.spelled().get(scaler, scaler.name)}
        on.append(scaler)
    apart = tensor.apart or any(turn.apart for turn in state.here.passes[-1:])
    managed = None if apart else False  # whether the framework is wanted, knows who has gone past it
    known: dict[str, Fact | None] = {"managed": managed, "averaged_twice": False}
    if tensor_in(loss):
        cut = None if _asked_for_graph(state) or _chosen_within(state) else tensor.cut
        known.update(scaled=tensor.scaler is not None, averaged=tensor.divided, cut=cut, synced=_synced(m, tensor.models))
    known.update(facts)
    if known.get("synced") and _may_wait(m):
        known["synced"] = None
    state.emit("backward", on, node, known, names, open=tensor.open or not (tensor.models or tensor.lost))
    return NONE


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
    whole = tensor.term not in m.state.leaves and all(_without_graph(m, other) for other in others)
    made = tensor.used if whole else replace(tensor, lost=frozenset(), activation="")
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


# what is known of a model's class


def facts_of(m: Machine, classes: Iterable[Class]) -> Facts:
    """What the code of classes says, as one."""
    found = Facts()
    for cls in classes:
        found.absorb(cls.frame.source.index.within(cls.node))
    return found


def moded(m: Machine, role: Role) -> bool | None:
    """Whether a model's layers differ between train and eval mode; None where some are out of sight."""
    known = m.state.kept.get(role, {})
    if "moded" in known:
        return None if known["moded"] is None else bool(known["moded"])
    made = m.made_of.get(role)
    if made is None and role in m.state.arms:
        modes = {moded(m, each) for each in m.state.arms[role]}
        return modes.pop() if len(modes) == 1 else None
    if made is None:
        return False if words(role.name.rpartition(".")[2]) & CRITERION else None
    if _keeps_its_mode(m, made) or _sets_its_mode(m, made):
        return False
    held = {name: value for name, value in m.state.heap.of(made).items() if not m.state.may_be_unbound((made, name), value)}
    plain = frozenset(name for name, value in held.items() if isinstance(name, str) and _holds_plain(m, value, role))
    found = any(_holds_moded(m, value, role) for value in held.values()) or _moded(m, lineage(m, made.cls), frozenset(), plain)
    if found and _came_out_plain(m, made, role):
        return False
    layers = [value for value in m.state.heap.of(made).values() if not isinstance(value, Const)]
    if found is None and layers and all(_holds_plain(m, value, role) for value in layers):
        return False  # no layer came of a test that its code has
    if words(made.cls.name) & CRITERION:  # a network that it holds may be there to be asked, in a mode of its own
        return None if found else False
    return found


def _came_out_plain(m: Machine, made: Instance, role: Role) -> bool:
    """Whether a module holds nothing but layers that are the same in both modes, and its other methods speak of no more: what its
    constructor says besides has come to nothing, a share of 0 say.
    """
    held = {name: value for name, value in m.state.heap.of(made).items() if isinstance(name, str)}
    methods = {name: method for cls in reversed(lineage(m, made.cls)) for name, method in cls.methods.items()}
    said = Facts()
    for name, method in methods.items():
        if name != "__init__":
            said.absorb(method.frame.source.index.of(method.code))
    used = said.members | said.over | said.handed  # a size that nobody knows is no layer where nothing applies it
    layers = {name for name, value in held.items() if not isinstance(value, Const) and (name in used or _may_be_layer(value))}
    off = {name for name, value in held.items() if isinstance(value, Const) and not value.value}
    if not layers or not all(_holds_plain(m, held[name], role) for name in layers) or not _is_plain_module(m, made.cls):
        return False
    applied = {name for of, name in said.taken if of != "self"} | said.bare
    spoken = said.mentions - off - (layers - applied)
    return "forward" in methods and not any(map(moded_by_name, spoken))


def _may_be_layer(value: Value) -> bool:
    """Whether a value is one that layers are in; of those out of sight, nothing says so."""
    return any(not isinstance(each, Symbol) or role_of(each) is not None for each in parts_of(value))


def _is_plain_module(m: Machine, cls: Class) -> bool:
    """Whether all layers of a class are made in sight: by its constructor, to be held by their names."""
    bases = [base for each in lineage(m, cls) for base in bases_of(m, each) if not isinstance(base, Class)]
    facts = facts_of(m, lineage(m, cls))
    known = all(isinstance(base, Api) and base.name == "torch.nn.Module" for base in bases)
    return known and "setattr" not in facts.bare and facts.taken.isdisjoint({("self", "add_module"), ("self", "register_module")})


def _keeps_its_mode(m: Machine, made: Instance) -> bool:
    """Its own `train` switches nothing: it is in the mode that it was put in when it was made."""
    for cls in lineage(m, made.cls):
        for name, method in cls.methods.items():
            if switched_by("model", name):
                return not cls.frame.source.index.of(method.code).calls & {name, "eval"}
    return False


def _sets_its_mode(m: Machine, made: Instance) -> bool:
    """Its own forward puts what it holds into the mode that it wants."""
    methods = [cls.methods["forward"] for cls in lineage(m, made.cls) if "forward" in cls.methods]
    return any("eval" in method.frame.source.index.of(method.code).calls for method in methods)


def given_mode(m: Machine, cls: Class, given: Items) -> bool | None:
    """Whether a module of the project is in train mode once made: where it has no modes of its own, as what it is given is."""
    models = [role for value in parts_of(given) for role in held(m.state, value) if role.kind == "model"]
    switched = any(role.evidence != "built" or not role.wholes.isdisjoint(m.state.toggled) for role in models)
    return None if switched and not _moded(m, lineage(m, cls), frozenset()) else True


def _holds_moded(m: Machine, value: Value, whole: Role) -> bool:
    """Whether a submodule that a module was seen to be given differs between the modes; of a choice, whichever it is."""
    if isinstance(value, Choice):
        return _holds_moded(m, value.then, whole) and _holds_moded(m, value.other, whole)
    if isinstance(value, Items):
        return any(_holds_moded(m, each, whole) for each in value.values)
    inner = role_of(value)
    return inner is not None and inner.kind == "model" and _is_part(inner, whole) and bool(moded(m, inner))


def _has_parts_in_eval(m: Machine, role: Role) -> bool:
    """Whether every part of a network that differs between the modes was put in eval mode by itself: whichever mode the network
    is in asks for something else, for weights that it draws, say."""
    made = m.made_of.get(role)
    if made is None or any(map(moded_by_name, filter(str.islower, facts_of(m, lineage(m, made.cls)).calls))):
        return False
    parts = {part for value in m.state.heap.of(made).values() for part in parts_of(value)}
    held = {inner for part in parts if (inner := role_of(part)) is not None and inner.kind == "model" and _is_part(inner, role)}
    differ = [inner for inner in held if moded(m, inner)]
    return bool(differ) and all(m.state.heap.get((MODES, inner)) == Const(False) for inner in differ)


def _holds_plain(m: Machine, value: Value, whole: Role) -> bool:
    """Whether a submodule that a module was seen to be given is the same in both modes."""
    if isinstance(value, Choice):
        return _holds_plain(m, value.then, whole) and _holds_plain(m, value.other, whole)
    inner = role_of(value)
    return inner is not None and inner.kind == "model" and _is_part(inner, whole) and moded(m, inner) is False


def _moded(m: Machine, classes: list[Class], seen: frozenset[str], plain_ones: frozenset[str] = frozenset()) -> bool | None:
    """What the code of a module tells. plain_ones: the attributes that are known to hold what is the same in both modes."""
    facts = facts_of(m, classes)
    of_project = classes[0].frame.source.index.classes
    spoken = {name for name in facts.mentions if name not in of_project and not words(name) & SWITCHES}
    differ = {name for name in spoken if moded_by_name(name)}
    differ |= {name for name, given in facts.made if name not in of_project and moded_by_name(name, given)}
    if not (differ - (_options(classes) - facts.calls)).isdisjoint(facts.sure):
        return True
    layers = {name for of, name in facts.taken if of == "nn" and name[:1].isupper() and name not in ("Module", "Parameter")}
    made = {name for name, _ in facts.made if not _is_pythons(classes, name)} - layers - seen - {each.name for each in classes}
    named = {name: found for name in made if isinstance(found := _class_named(m, classes[0], name), Class)}
    own, inner = {name for name in made if name[:1].isupper() and not makes_data(name)} | named.keys(), named.values()
    known = [_moded(m, lineage(m, each), seen | own) for each in inner]
    if any(known):
        return True
    if differ:
        return None  # under a test: who makes it decides
    plain = all(map(modeless, layers)) and not _handed_layers(facts, plain_ones)
    applied = facts.sets.keys() & (facts.members | facts.over)
    if not layers and not applied:
        return False  # what it holds is not applied: an estimator that is no network, say
    return False if (layers or own) and plain and len(known) == len(own) and None not in known else None


def _options(classes: Iterable[Class]) -> frozenset[str]:
    """What constructors are given by name: an option that is handed on, `Encoder(dropout=dropout)`, makes no layer by itself."""
    makers = (cls.methods["__init__"] for cls in classes if "__init__" in cls.methods)
    return frozenset(name for maker in makers for name in maker.code.parameters.names)


def _is_pythons(classes: list[Class], name: str) -> bool:
    """Whether what a class makes is of Python's own library, and no layer: an exception, a dict in order."""
    froms = [each.frame.source.index.imported[name][0] for each in classes if name in each.frame.source.index.imported]
    known = froms and all(each.partition(".")[0] in sys.stdlib_module_names for each in froms)
    return bool(known) or (not froms and isinstance(getattr(builtins, name, None), type))


def _class_named(m: Machine, cls: Class, name: str) -> Value:
    return m.fetched(m.state.heap.get((cls.frame, name)) or NONE)


def _handed_layers(facts: Facts, known: frozenset[str]) -> bool:
    """It is handed its layers: what they are is not in sight, but of those that are known."""
    handed = {name for name, given in facts.sets.items() if given and given[:1].islower() and name not in known}
    return not handed.isdisjoint(facts.members) or not handed.isdisjoint(facts.over)


def starts_blank(m: Machine, cls: Class) -> bool:
    """Whether an object of this class has random weights once made: nothing in its code speaks of weights that are there."""
    classes = lineage(m, cls)
    return not any(words(name) & GIVEN_WEIGHTS for name in facts_of(m, classes).mentions)


def layerless(m: Machine, cls: Class, within: tuple[Class, ...] = ()) -> bool:
    """It computes and holds nothing that is trained, nor does what it makes: a criterion, say."""
    classes = lineage(m, cls)
    facts = facts_of(m, classes)
    layers = {name for of, name in facts.taken if of == "nn" and is_layer(name)}
    idle = {name for name in layers if only_computes(name)}
    if layers != idle or "Parameter" in facts.mentions:
        return False
    named = {name for name, _ in facts.made if name.lstrip("_")[:1].isupper() and name not in idle}
    makes = {name for name in named if not makes_data(name) and not _is_pythons(classes, name)}
    made = [_class_named(m, cls, name) for name in makes]
    return all(isinstance(each, Class) and (each in within or layerless(m, each, (*within, cls))) for each in made)


def pure_forward(m: Machine, module: Instance) -> Value | None:
    """The forward of a module that has no layers, a criterion say, to be interpreted in place."""
    return method_of(m, module.cls, "forward", module) if layerless(m, module.cls) else None


def _needs_grad(m: Machine, role: Role, records: bool | None) -> bool | None:
    """Whether the graph of a forward is kept: not where its inputs' gradients may be wanted, or it is frozen."""
    if may_be_frozen(m.state, role) or _freezes_its_own(m, role):
        return None if records else records
    if records and (_wants_gradients(m) or _differentiates(m, role) or any(acts(each.code.name) for each in m.active)):
        return None
    if records and m.state.frame.source.index.volatile:
        return None  # `volatile` was no_grad before torch 0.4
    if records and role.evidence != "built" and _does_without(m):
        return None  # its forward may take gradients itself
    return records


def _freezes_its_own(m: Machine, role: Role) -> bool:
    """Whether a network has parameters alone, and itself says which of them need a gradient: it may be none."""
    made = m.made_of.get(role)
    if made is None or "requires_grad" not in (facts := facts_of(m, lineage(m, made.cls))).mentions:
        return False
    layers = {name for of, name in facts.taken if of == "nn" and is_layer(name)} - {"Parameter"}
    held = (role_of(part) for value in m.state.heap.of(made).values() for part in parts_of(value))
    return not layers and not any(each is not None and each.kind == "model" for each in held)


def _does_without(m: Machine) -> bool:
    """The function around turns autograd off for other things than this, and cuts what it was given by this."""
    said = m.active[-1].frame.source.index.of(m.active[-1].code).mentions if m.active else ()
    return "detach" in said and ("no_grad" in said or "inference_mode" in said)


def _wants_gradients(m: Machine) -> bool:
    """A function around asks for gradients by hand, of inputs or of adapted weights, or a choice to do without was not taken."""
    scope = m.state.heap[GRAD]
    return (isinstance(scope, Scope) and scope.wanted) or any(each.frame.source.index.of(each.code).asks for each in m.active)


def _differentiates(m: Machine, role: Role) -> bool:
    """A model whose forward takes gradients itself, the forces of an energy say, or may well: it explains another one."""
    made = m.made_of.get(role)
    if made is None and role in m.state.arms:
        return any(_differentiates(m, each) for each in m.state.arms[role])
    if made is None:
        return role.evidence != "built" and m.modules.differentiates
    if any(explains(cls.name) for cls in lineage(m, made.cls)):
        return True
    if any(facts.asks for each in modules_of(m, role) for facts in reached_by_forward(m, each)):
        return True
    forwards = [cls.methods["forward"] for cls in lineage(m, made.cls) if "forward" in cls.methods]
    beside = [  # of what it holds: `self.surface.normals(points)`
        each
        for method in forwards[:1]
        for name in method.frame.source.index.of(method.code).calls - {"forward"}
        for each in method.frame.source.index.named.get(name, ())
    ]
    return any(each.asks for each in beside if each.owner)


def modules_of(m: Machine, role: Role) -> list[Instance]:
    """The modules of the project that a model is made of, itself among them; of one that is any of several, all of them."""
    parts = {role, *(arm for each, arms in m.state.arms.items() if role in each.wholes for arm in arms)}
    return [made for each, made in m.made_of.items() if not parts.isdisjoint(each.wholes)]


def reached_by_forward(m: Machine, module: Instance) -> list[Facts]:
    """What a module's forward says, and what those of its methods say that it calls."""
    methods = {name: method for cls in reversed(lineage(m, module.cls)) for name, method in cls.methods.items()}
    facts = {name: method.frame.source.index.of(method.code) for name, method in methods.items()}
    reached, new = set[str](), {"forward"} & facts.keys()
    while new:
        reached |= new
        new = {called for name in new for called in facts[name].members & facts.keys()} - reached
    return [facts[name] for name in reached]


def outputs(values: Iterable[Value]) -> Tensor | None:
    """What several models computed, as one."""
    return tensor_in(Items(tuple(values)))
