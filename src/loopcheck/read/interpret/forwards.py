"""A model is applied to data: what is known of that forward, and when a method of a model is one."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import lru_cache

from loopcheck.loop import Event, Fact, Role, events
from loopcheck.read.domain.graphs import data_of
from loopcheck.read.domain.here import Fate
from loopcheck.read.domain.modes import all_of, in_eval_by_itself, known_mode
from loopcheck.read.domain.parts import leaves_of, parts_of, role_of, tensor_in, term_of
from loopcheck.read.domain.state import State
from loopcheck.read.domain.terms import Term
from loopcheck.read.domain.values import NONE, Arguments, Const, Function, Object, Tensor, Value
from loopcheck.read.front import ir
from loopcheck.read.front.index import Facts
from loopcheck.read.front.source import Site
from loopcheck.read.interpret.activations import activation
from loopcheck.read.interpret.answering import answers_by_mode
from loopcheck.read.interpret.graphs import hears_volatile, keeps_graph, reached_by
from loopcheck.read.interpret.lineage import facts_of, lineage, method_of, teaches_itself
from loopcheck.read.interpret.machine import Machine
from loopcheck.read.interpret.moded import has_moded_left
from loopcheck.read.interpret.normalizing import by_batch, normalizes
from loopcheck.read.interpret.noticing import given_as, noticed
from loopcheck.read.interpret.wrapping import goes_past, is_apart, wrapper, wrapper_written
from loopcheck.read.objects.evidence import graph_of, made_by_itself
from loopcheck.read.objects.passes import learn
from loopcheck.read.vocabulary import switches_grad, without_grad
from loopcheck.words import (
    APPLIED,
    COUNTS,
    CRITERION,
    DUMMIES,
    EVAL_FLAGS,
    INFERENCE,
    MADE_UP,
    MODE_FLAGS,
    MODEL,
    NOISE,
    NOISE_MAKERS,
    acts,
    divides,
    held_out,
    is_unit_test,
    on_purpose,
    words,
)


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
    if role.evidence == "named" and words(role.name) & MODEL and state.kept.get(role, {}).get("filled") == "read":
        role.evidence = "used"  # of a file, and applied: weights alone cannot be
    records = state.records
    told = _is_told(m, role, args, method)
    teaches = _teaches_itself(m, role)
    called = _called(state, role, method)
    unseen = method != "forward" and called not in state.recording
    switches = teaches or (told and _may_switch(m, role)) or _learns(m, role, args)
    told = told or (method != "forward" and bool(words(method) & INFERENCE))  # `predict` of a base out of sight: it may see to it
    given = graph_of(state, args.all)
    volatile = hears_volatile(m, given is not None and any(each.how == "volatile" for each in given.history))
    kept = None if (switches or volatile) and records else keeps_graph(m, role, records, args.all)
    graph = needs_grad = recorded() if kept and not unseen else None if unseen and records else kept
    policy = bool(kept) and any(acts(each.code.name) for each in m.active)
    if policy:
        needs_grad = kept = None  # what it says of its actions may be learned from later
    precision = state.here.precision if state.here.precision != "?" else None
    modes = not (told or teaches or (_drops_nothing(args) and not by_batch(m, role))) and has_moded_left(m, role)
    modes = modes if not (modes and answers_by_mode(m, role)) else None
    facts = {"grad": needs_grad, "moded": modes, "precision": precision or None, "bypasses": _bypasses(m, node, role)}
    facts["insisted"] = known_mode(state, role) == Const(True) or None
    facts["normalizes"] = None if told else normalizes(m, role)
    event = state.emit("forward", [role], node, facts, _wrapper_written(m, node) if facts["bypasses"] else None)
    if _is_taught_by_now(m, role) and _on_held_out(m, node, args):
        state.held_out[event] = _given(state, args)
        if records is False:
            learn(event, "validating", True)  # whatever the loop around does: nothing goes backward from here
    if policy:
        state.acting[event] = graph
    _tell_invented(state, event, args)
    if _is_a_trial(m, node, role, args):
        learn(event, "deployed", False)  # it is to run, and nobody takes numbers of it
    if method == "forward" or words(method) & (APPLIED | MODEL) or called in state.recording:
        noticed(m, node, event)
    if _draws(m, node):
        state.here.passes[-1].drawn.add(event)
    term = state.new("output")
    if method != "forward":
        state.methods[term] = called
    if unseen and kept and not _may_do_without(m, role, method):
        state.doubted.add(event)
    state.inputs[term] = tuple(map(term_of, parts_of(args.all)))
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
    made = made.made("shared") if divides(args.keywords) else made
    return made.made("total") if _sums(m, role) else made


def _is_a_trial(m: Machine, node: ir.Place, role: Role, args: Arguments) -> bool:
    """Whether names say that a network is applied to see it run, or one that comes with its weights to made-up numbers."""
    written = given_as(m, node.arguments if isinstance(node, ir.Call) else ())
    ready = any(m.state.kept.get(whole, {}).get("filled") == "build" for whole in role.wholes)
    made_up = ready and bool(args.values) and _is_made_up(m.state, term_of(args.values[0]))
    return made_up or any(words(text) & DUMMIES for text in written)


def namesakes_of(m: Machine, role: Role, method: str) -> Sequence[Facts]:
    """What methods of this name say, of which one that is called out of sight may be one: those in the file, and those that the
    classes have of which a network is one, and nobody knows which."""
    found = [*m.state.frame.source.index.named.get(method, ())]
    for arm in m.state.arms.get(role, ()):
        made = m.made_of.get(arm)
        own = method_of(m, made.cls, method, None) if made else None
        found += [own.frame.source.index.of(own.code)] if isinstance(own, Function) else []
    return found


def _may_do_without(m: Machine, role: Role, method: str) -> bool:
    """Whether a method that this one may be says that it turns autograd off."""
    said = {name for facts in namesakes_of(m, role, method) for name in facts.mentions}
    return any(name in without_grad() or switches_grad(name) for name in said)


def _called(state: State, role: Role, method: str) -> tuple[Hashable, str]:
    """A method of a network; of one that is only called so, by that name in its file: two functions are given the same."""
    named = role.evidence in ("named", "used") and not role.part_of
    return ((state.frame.source.path, role.name) if named else role), method


def _is_taught_by_now(m: Machine, role: Role) -> bool:
    """Whether a network is trained before it is applied here, or on an earlier pass of the loop around: it is not just tried."""
    return bool(m.state.here.passes) or any(not role.wholes.isdisjoint(each.wholes) for each in m.state.taught)


def _given(state: State, args: Arguments) -> Term | None:
    """The data that a network is applied to, or what has computed its features; of several that it may be, the first."""
    return next((data_of(state, term_of(each)) for each in parts_of(args.all)), None)


def _on_held_out(m: Machine, node: ir.Place, args: Arguments) -> bool:
    """Whether names say that a network is applied to data that is not trained on, `net(X_test)`, and is not tried on numbers."""
    if not isinstance(node, ir.Call) or not node.arguments or not args.values:
        return False
    if any(on_purpose(each.code.name) or is_unit_test(each.code.name, each.frame.source.path, each.method) for each in m.active):
        return False
    said = "\n".join(given_as(m, node.arguments[:1]))
    if not held_out(said) or words(said) & NOISE or _is_made_up(m.state, term_of(args.values[0])):
        return False
    given = _given(m.state, args)
    loaders = _drawn_from(m.state, [given])
    return not (given in m.state.taught_by or (loaders and loaders <= _drawn_from(m.state, m.state.taught_by)))


def _drawn_from(state: State, data: Iterable[Term | None]) -> frozenset[Role]:
    """The loaders whose batches data are made of."""
    terms = {part for term in data if term is not None for part in term.parts()}
    return frozenset[Role]().union(*(state.batches[term] for term in terms if term in state.batches))


def _tell_invented(state: State, event: Event, args: Arguments) -> None:
    if any(_is_made_up(state, term_of(data)) for data in args.all.values[:1]):
        learn(event, "invented", True)


def _is_made_up(state: State, data: Term) -> bool:
    """Whether data are numbers for a network to be tried on, or noise is put into them, of which a generator makes samples. One
    that has learned from made-up numbers is measured by others."""
    called = {part: str(part.operands[0]).rpartition(".")[2] for part in data.parts() if part.head == "call"}
    by = {part for part, name in called.items() if name in NOISE_MAKERS or (made_by_itself(data) and words(name) & MADE_UP)}
    return bool(by) and not by <= {part for learned in state.taught_by for part in learned.parts()}


def _draws(m: Machine, node: ir.Place) -> bool:
    """Whether a loop counts how often a model is applied to the same: what differs is drawn, by dropout that is on for that."""
    turn = m.state.here.passes[-1] if m.state.here.passes else None
    if turn is None or not isinstance(node, ir.Call) or turn.iterates:
        return False
    match turn.node:
        case ir.For(target=target, iterable=counts, body=body):
            pass
        case ir.Comprehension(clauses=(ir.Clause(target=target, iterable=counts),)):
            body = ()
        case _:
            return False
    here = m.state.frame.source.path, m.active[-1].code if m.active else None
    if turn.function != here or not (isinstance(counts, ir.Call) and ir.identifiers(counts.function) <= COUNTS):
        return False
    bound = ir.identifiers(target) | _assigned(body)
    given = frozenset[str]().union(*(ir.identifiers(each.value) for each in node.arguments))
    sliced = any(isinstance(each, ir.Subscript) and each.index is None for arg in node.arguments for each in ir.walk(arg.value))
    return bool(given) and not sliced and bound.isdisjoint(given)


@lru_cache(maxsize=64)
def _assigned(body: ir.Block) -> frozenset[str]:
    """The names and attributes that stand where code assigns. Kept, for a loop may apply a thousand models."""
    targets = (target for made in ir.walk(*body) if isinstance(made, ir.Assign) for target in made.targets)
    return frozenset[str]().union(*map(ir.identifiers, targets))


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


def _teaches_itself(m: Machine, role: Role) -> bool:
    """Whether a model is trained by applying it, and may see to all else as well: `losses = model(x, y, "train")`."""
    made = m.made_of.get(role)
    return made is not None and teaches_itself(m, made.cls)


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


def _is_told(m: Machine, role: Role, args: Arguments, method: str) -> bool:
    """Whether a call says the mode, whatever the module is in. A method in sight hears of it by a parameter of that name, or by
    all keywords that it is given, if it speaks of those."""
    flags = args.keywords.keys() & (MODE_FLAGS | EVAL_FLAGS)
    made = m.made_of.get(role) if flags else None
    called = method_of(m, made.cls, method, made) if made else None
    if not isinstance(called, Function):
        return bool(flags)
    given = called.code.parameters
    hears = {*given.names, *(each.name for each in given.keyword)}
    handed_on = any(isinstance(each, ir.Name) and each.name == given.options for each in ir.walk(*called.code.body))
    return not flags.isdisjoint(hears) or handed_on


def _may_switch(m: Machine, role: Role) -> bool:
    """A model that is told the mode may turn autograd off by itself; one in sight does so where it says so."""
    made = m.made_of.get(role)
    return made is None or not facts_of(lineage(m, made.cls)).mentions.isdisjoint({"no_grad", "set_grad_enabled"})


_OF_THE_WHOLE: Mapping[Fate, Fate] = {"read": "read", "listed": "inside", "inside": "inside", "held": "held"}
"""What becomes of what a method puts out where that becomes of what parts of its network put out in it."""


def as_forward(m: Machine, node: ir.Place, role: Role, args: Arguments, method: str, called: Callable[[], Value]) -> Value:
    """A method of a model, `model.encode(x)`: where all that it does is to apply parts of the model, it is one forward.

    `model.decode(z)` of what the model has encoded goes on with that one.
    """
    state = m.state
    returned: list[Value] = []
    region = state.block(lambda: returned.append(called()))
    seen = list(events(region))
    if not seen or not all(_is_inside(event, role) for event in seen):
        if (past := _bypasses(m, node, role)) is not None:
            _bypass(role, seen, past)
        state.out.append(region)
        return returned[0]
    for turn in state.here.passes[-1:]:
        turn.forwards = [event for event in turn.forwards if event not in seen]
    state.here.direct[:] = [event for event in state.here.direct if event not in seen]
    given = tensor_in(args.all)
    if given and any(each.is_part_of(role) for each in given.models):
        return returned[0]
    idle = _without_weights(m, role, method)
    facts = {name: _any_of({event.facts.get(name) for event in seen}) for name in ("grad", "normalizes")}
    facts["moded"] = _any_of({_is_moded_left(state, event) for event in seen} | {has_moded_left(m, each) for each in idle})
    facts["bypasses"] = _bypasses(m, node, role)
    event = state.emit("forward", [role], node, facts)
    _tell_invented(state, event, args)
    noticed(m, node, event)
    for turn in state.here.passes:
        turn.fates[event] |= {_OF_THE_WHOLE[fate] for each in seen for fate in turn.fates[each] if fate in _OF_THE_WHOLE}
    computed = tensor_in(returned[0])
    if computed and computed.forwards:
        state.applied.update((term, event) for term in computed.forwards if state.applied[term] in seen)
    elif not state.here.passes and state.taken.intersection(seen) and not state.unread.keys() & {*seen}:
        learn(event, "read", True)  # in no loop, whose end would tell
    return returned[0]


def _bypass(role: Role, seen: Sequence[Event], past: bool) -> None:
    """What a method of a model applies goes past the wrapper where its caller does: the model, `self(x)` of `ddp.module.loss(x)`,
    and parts of it."""
    for event in seen:
        if event.verb == "forward" and any(role in (part.wholes if past else (part,)) for part in event.on):
            learn(event, "bypasses", past)


def _without_weights(m: Machine, role: Role, method: str) -> list[Role]:
    """The layers of a network that learn nothing, a dropout say, of those that a method of it speaks of: to apply one is no
    forward by itself."""
    made = m.made_of.get(role)
    said = set[str]().union(*(facts.members for facts in reached_by(m, made, method))) if made else ()
    parts = [part for name in said for part in leaves_of(m.state.heap.get((made, name)) or NONE)]
    return [part.role for part in parts if isinstance(part, Object) and part.facts.get("empty")]


def _drops_nothing(args: Arguments) -> bool:
    """Whether a call says that there is no dropout, `net(x, use_dropout=False)`."""
    return any("dropout" in words(name) and value in (Const(False), Const(0.0)) for name, value in args.keywords.items())


def _is_moded_left(state: State, event: Event) -> Fact | None:
    """Whether a forward of parts differs between the modes: those that are in eval mode by themselves ask for nothing more."""
    in_eval = all_of(in_eval_by_itself(state, role) for role in event.on)
    return event.facts.get("moded") if in_eval is False else False if in_eval else None


def _any_of(facts: set[Fact | None]) -> Fact | None:
    """What holds of the whole where it holds of a part."""
    return True if True in facts else facts.pop() if len(facts) == 1 else None


def _is_inside(event: Event, whole: Role) -> bool:
    """Whether a model applies a part of itself; or something that nobody saw it get, `self.added(x)`."""
    match event:
        case Event("forward", on=(on,), at=Site(node=ir.Call(function=ir.Attribute(name=name)))) if on is whole:
            return name != "forward"
        case _:
            return event.verb == "forward" and all(on.is_part_of(whole) for on in event.on)
