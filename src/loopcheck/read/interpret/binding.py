"""Names, attributes and items: what an assignment makes of the values that are known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from loopcheck.api import WRAPPING, ZEROS
from loopcheck.loop import Role
from loopcheck.read.domain.choices import Entries
from loopcheck.read.domain.graphs import hold_graphs
from loopcheck.read.domain.parts import entries_of, keyed_by, leaves_of, parts_of, role_of, roles_in, tensor_in, term_of
from loopcheck.read.domain.state import State
from loopcheck.read.domain.terms import Term
from loopcheck.read.domain.values import (
    NONE,
    UNKNOWN_PARAMS,
    Api,
    Arguments,
    Bound,
    Choice,
    Class,
    Const,
    Function,
    Grad,
    Instance,
    Items,
    Object,
    Params,
    Symbol,
    Tensor,
    Value,
)
from loopcheck.read.front import ir
from loopcheck.read.interpret.attaching import learns, tell_attached, tell_thawed
from loopcheck.read.interpret.comparing import mixed
from loopcheck.read.interpret.conditions import condition
from loopcheck.read.interpret.growing import added_to, goes_on, is_same_place, joined_to, path
from loopcheck.read.interpret.keeping import keep_best
from loopcheck.read.interpret.lineage import method_of, setter_of
from loopcheck.read.interpret.machine import Instruction, Machine
from loopcheck.read.interpret.members import copied, fill, item, output
from loopcheck.read.interpret.moded import moded
from loopcheck.read.interpret.names import found_under, settings
from loopcheck.read.interpret.noticing import unused
from loopcheck.read.interpret.operators import binary, gathered
from loopcheck.read.interpret.parameters import cleared, edited_gradients, freeze, overwritten, under_condition
from loopcheck.read.interpret.rates import tell_rate
from loopcheck.read.interpret.retained import filed, put_together, summed
from loopcheck.read.interpret.samples import of_samples
from loopcheck.read.interpret.tallies import divided, tallied
from loopcheck.read.interpret.wrapping import note_wrapper
from loopcheck.read.objects.evidence import adopt, made_by_itself, part, uses_of
from loopcheck.read.project import Module
from loopcheck.read.vocabulary import annotated, as_module, mode_of, switched_by
from loopcheck.words import OPTIMIZER, PARSERS, reports, words

MOST_WRITTEN = 300
"""Characters that are kept of what a name stands for."""


def assign(m: Machine, target: ir.Expression, value: Value) -> None:
    """Bind a target to a value."""
    state = m.state
    if isinstance(value, Const) and type(value.value) in (int, float) and last_name(target) in state.frame.source.index.counted:
        counter = state.fresh(f"{state.frame.name}.{last_name(target)}", counter=True)
        state.entered[counter.term], value = value, counter
    match target:
        case ir.Name(name=name):
            if isinstance(value, Const) and isinstance(value.value, bool) and name in settings(state.frame):
                value = state.symbol(Term("name", state.frame.label, name), (), value)
            bind(state, name, value)
        case ir.Attribute(base=base, name=name):
            named(value, m.code(target))
            hold_graphs(state, value)
            bind_attribute(m, target, m.evaluate(base), name, value)
        case ir.Sequence(elements=elements):
            _unpack(m, elements, value)
        case ir.Subscript(base=ir.Name(name=name) as base) if isinstance(value, Tensor) and _is_buffer(m, name):
            held = m.evaluate(base)
            bind(state, name, held.merged(value) if isinstance(held, Tensor) else value.made("mixed"))
            state.buffers.add(state.variable(name))
        case ir.Subscript(base=base):
            whole = m.evaluate(base)
            if not _is_of_its_own(whole, value):
                hold_graphs(state, value)
            _bind_item(m, target, whole, value)
        case ir.Starred(value=inner):
            assign(m, inner, state.fresh("rest"))


def _is_of_its_own(whole: Value, value: Value) -> bool:
    """Whether a tensor is given back what was computed of it, `points[:, 0] *= width`: nothing outlives the pass but with it."""
    return isinstance(whole, Tensor) and isinstance(value, Tensor) and frozenset() < value.forwards <= whole.forwards


def _is_buffer(m: Machine, name: str) -> bool:
    """Whether a variable of this function is a tensor that was made to be written into, `torch.zeros(n, k)`: what is written
    there is kept with its graph as long as the variable is."""
    variable = m.state.variable(name)
    value = m.state.heap.get(variable)
    given = m.active[-1].code.parameters.names if m.active else ()
    return name not in given and (variable in m.state.buffers or (isinstance(value, Symbol) and made_by_itself(value.term)))


def bind(state: State, name: str, value: Value) -> None:
    """Bind a variable of the frame."""
    state.heap[state.variable(name)] = named(value, name)


def edit(m: Machine, target: ir.Expression, before: Value, value: Value) -> None:
    """Give a list or a dict other contents, under every name that it has here: nothing is bound anew."""
    state = m.state
    for owner in (*state.frame.around(), state.frame.me):
        same = [name for name, each in state.heap.of(owner).items() if each is before]
        for name in same:
            state.heap[(owner, name)] = value
    if isinstance(target, ir.Name):
        state.heap[found_under(state, target.name) or state.variable(target.name)] = named(value, target.name)
    else:
        assign(m, target, value)


def named(value: Value, name: str) -> Value:
    """A new object gets the name that it is first bound to, an entry of a dict that of the dict with its key."""
    if isinstance(value, Items) and value.keys is not None:
        for key, entry in entries_of(value).items():
            role = role_of(entry)
            if role is not None and not role.name and isinstance(key, str) and key.isidentifier():
                role.name = f'{name}["{key}"]'
    for each in parts_of(value):
        if isinstance(each, Symbol) and not each.label and not each.term.name:
            each.label = name
        role = role_of(each)
        if role is not None and not role.name:
            role.name = name
    return value


def _is_wrapped(state: State, role: Role | None) -> bool:
    return role is not None and bool(state.kept.get(role, {}).get("wrapped"))


def bind_attribute(m: Machine, target: ir.Place, base: Value, name: str, value: Value) -> None:
    state = m.state
    if isinstance(base, Instance) and (setter := setter_of(m, base, name)) is not None:
        m.invoke(target, setter, Arguments((value,)))
        return
    role = role_of(base)
    if role is not None and switched_by(role.kind, name):
        state.kept[role] = {**state.kept.get(role, {}), "moded": False}  # the mode that it is in now is its mode for good
    if role is not None and mode_of(role.kind, name):
        state.emit("escape", role.wholes, target)  # each of its parts has a mode of its own
    match base:
        case Object() | Instance() if name in WRAPPING.values() and role_of(value) is None and _is_wrapped(state, role):
            return  # `model.module = torch.load(path)`: what nobody sees in its place is done to as that was
        case Params() | Symbol() | Tensor() if name == "grad":
            change = cleared if value == NONE or _is_zero(term_of(value)) else edited_gradients
            change(m, base if isinstance(base, Params) else UNKNOWN_PARAMS, target)
        case Params(once=once) if name == "requires_grad" and once and any(each.empty for each in state.here.passes[-1:]):
            state.emit("freeze", base.models, target, {"spent": True})
        case Params() if name == "requires_grad" and value == Const(True):
            tell_thawed(m, base.models, target)
            freeze(state, base.models, False)
        case Params() if name == "requires_grad":
            state.stilled.update(base.models)
            if base.whole and not base.grouped and not under_condition(m):
                freeze(state, base.models, True if value == Const(False) else None)
        case Bound(Object(role, facts), "weight") if name == "requires_grad" and value != Const(True) and not under_condition(m):
            state.stilled.add(role)
            if facts.get("vectors") is False:  # that is all it has
                freeze(state, [role], True if value == Const(False) else None)
        case Params() if name == "data":
            overwritten(m, base, target)
        case Tensor() if name == "requires_grad" and value != Const(False):
            state.leaves.add(base.term)
        case Instance(role=whole):
            tell_attached(m, whole, value, target)
            joined(m, whole, value, name)
            state.heap[(base, name)] = value
        case Object(role):
            if (role.kind, name) == ("scheduler", "last_epoch"):
                state.emit("restore", [role], target)
            tell_attached(m, role, value, target)
            joined(m, role, value, name)
            state.heap[(role, name)] = value
        case Module(file=file) if file in m.modules.frames:
            state.heap[(m.modules.frames[file], name)] = value
        case Api() if roles_in(value):
            state.emit("escape", roles_in(value), target)
            state.heap[(base, name)] = value
        case Api() | Symbol() if _is_of_library(base) and any(isinstance(part, (Function, Class)) for part in parts_of(value)):
            pass  # what a program puts in the place of a library's function does what that does
        case Symbol() | Class() | Api():
            if isinstance(base, Symbol) and roles_in(value) and not m.trials:
                tell_attached(m, adopt(state, base), value, target)
                joined(m, adopt(state, base), value)
            state.heap[(base, name)] = value
        case Choice(_, then, other):
            bind_attribute(m, target, then, name, value)
            bind_attribute(m, target, other, name, value)


def _is_zero(term: Term) -> bool:
    """A tensor of zeros: `torch.zeros_like(p)`, or `Variable(grad.zero_())` as it was before torch 0.4."""
    match term.head, term.operands:
        case "call", (str(name), Term(operands=(Term() as first, *_))) if name.rpartition(".")[2] == "Variable":
            return _is_zero(first)
        case "call", (str(name), *_):
            return name.rpartition(".")[2] in ZEROS
        case _:
            return False


def _is_of_library(value: Value) -> bool:
    """Whether it is a library's, or is reached from there: `torch.backends.cuda`, `backends["nvidia"].driver`."""
    term = term_of(value)
    while term.head in ("attribute", "item") and isinstance(term.operands[0], Term):
        term = term.operands[0]
    return term.head == "api"


def joined(m: Machine, whole: Role | None, value: Value, name: str = "") -> None:
    """`model.head = head`: what is done to the model is done to its head. What a summary stands for is said at each call site.

    name: of the attribute. What code out of sight makes of a model holds it, where it is used like a module.
    """
    if m.trials or whole is None or whole.kind != "model":
        return
    for arm in parts_of(value) if isinstance(value, Choice) else [value]:
        role = role_of(arm)
        made = arm.models if isinstance(arm, Tensor) and as_module(uses_of(m.state, name)) else ()
        for inner in (role,) if role else made:
            if inner.kind == "model" and inner is not whole:
                inner.join(whole)
                if not whole.wholes.isdisjoint(m.state.frozen) and learns(m, arm):
                    m.state.renewed |= {inner, *whole.wholes}


def _bind_item(m: Machine, target: ir.Subscript, base: Value, value: Value) -> None:
    if target.index is None:
        return
    index = m.evaluate(target.index)
    named(value, m.code(target))
    if index == Const("lr") and isinstance(base, Symbol):
        tell_rate(m, target, base, value)
    if isinstance(base, Choice) and any(isinstance(each, (Items, Object)) for each in parts_of(base)):
        m.state.each(base, lambda arm: _put(m, target, base, arm, index, value))
    else:
        _put(m, target, base, base, index, value)


def _filled(m: Machine, written: ir.Expression, value: Value) -> Symbol:
    """A list or a dict of which nobody knows any more what is in it, but this."""
    whole = m.state.fresh(last_name(written))
    fill(m.state, whole, value)
    return whole


def _put(m: Machine, target: ir.Subscript, held: Value, base: Value, index: Value, value: Value) -> Value:
    """Put a value under an index. Nothing comes of it; where a list or a dict is one of two, its names hold a choice, `held`."""
    match base, index:
        case Items(values, tuple() | None as keys), Const(key) if keys is not None or not values:
            items = entries_of(base) | {key: value}
            edit(m, target.base, held, gathered(m.state, tuple(items.values()), tuple(items)))
        case Items(values, tuple() | None as keys), _ if role_of(value) is not None and (keys is not None or not values):
            items = entries_of(base) | {term_of(index): value}  # of a checkpoint, or a loop's
            edit(m, target.base, held, gathered(m.state, tuple(items.values()), tuple(items)))
        case Items(values), Object() | Instance() if keyed_by(base) or not values:  # `was[net] = net.training`
            items = entries_of(base) | {index: value}
            edit(m, target.base, held, gathered(m.state, tuple(items.values()), tuple(items)))
        case Items(values, None), _ if (place := _place(values, index)) is not None:
            edit(m, target.base, held, Items((*values[:place], value, *values[place + 1 :])))
        case Items(), _:  # which of them is another now nobody knows: those that are left may be numbers alone
            tensor = tensor_in(Items((base, value))) if getattr(tensor_in(value), "models", None) else None
            edit(m, target.base, held, tensor or _filled(m, target.base, value))
        case Tensor(term), Const(str() as key):  # a dictionary that a model put out, in which something is another now
            m.state.learned[term] = False
            with m.state.heap.whichever_arm():
                m.state.heap[(term, key)] = item(m, base, index)
            m.state.heap[(term, key)] = value
        case Tensor(activation=Entries()), _:  # any of its entries may be another now
            edit(m, target.base, held, base.used)
        case Tensor(), Tensor() if isinstance(value, Tensor) and not value.models:  # `losses[name] = each.item()`, of each
            edit(m, target.base, held, m.state.fresh(last_name(target.base)))
        case ((Symbol() | Instance()), _):
            m.state.heap[(base, term_of(index))] = value
        case Bound(Object(Role(kind="model")) as whole, inner), _:  # a container that was not seen when the model was made
            tell_attached(m, part(m.state, whole, inner).role, value, target)
        case Object(Role(kind="model") as container), _:
            tell_attached(m, container, value, target)
            joined(m, container, value)
            _grown(m, container, value)
            if isinstance(index, Const):
                m.state.heap[(container, index.value)] = value
        case Object(Role(kind="state") as state), _:  # other tensors are put in the place of some
            mixed(m, state)
            edit(m, target.base, held, m.state.fresh(last_name(target.base)))
    return NONE


def _place(values: Sequence[Value], index: Value) -> int | None:
    """Which element of a list an index means; of one that has but one, any does."""
    if len(values) == 1:
        return 0
    match index:
        case Const(int(at)) if -len(values) <= at < len(values):
            return at % len(values)
        case _:
            return None


def _grown(m: Machine, container: Role, value: Value) -> None:
    """A `nn.ModuleDict` holds one more; what only some test adds may not be there."""
    modes = {moded(m, role) for part in parts_of(value) if (role := role_of(part))} - {False}
    if modes:
        always = modes == {True} and not m.state.here.guards
        m.state.kept[container] = {**m.state.kept.get(container, {}), "moded": True if always else None}


def without(m: Machine, target: ir.Expression, base: Value, key: Value) -> None:
    """A dict loses an entry: `options.pop("shuffle", None)`. Of which entry that is nobody knows, it may be any."""
    match base, key:
        case Items(_, tuple()), Const(gone):
            items = {name: value for name, value in entries_of(base).items() if name != gone}
            edit(m, target, base, Items(tuple(items.values()), tuple(items)))
        case Items(_, tuple()), _:
            edit(m, target, base, m.state.fresh(last_name(target)))


def _unpack(m: Machine, elements: Sequence[ir.Expression], value: Value) -> None:
    starred = any(isinstance(element, ir.Starred) for element in elements)
    if isinstance(value, Choice) and not starred:
        value = _fitting(m, value, len(elements))
    if isinstance(value, Choice) and not starred and _of_length(value, len(elements)):
        for index, element in enumerate(elements):
            assign(m, element, item(m, value, Const(index)))
        return
    if isinstance(value, Items) and len(value.values) == len(elements) and not starred and value.keys is None:
        for element, each in zip(elements, value.values, strict=True):
            assign(m, element, each)
        return
    if isinstance(value, Items) and starred and value.keys is None and len(value.values) >= len(elements) - 1:
        at = next(index for index, element in enumerate(elements) if isinstance(element, ir.Starred))
        end = len(value.values) - (len(elements) - at - 1)
        parts = (*value.values[:at], Items(value.values[at:end]), *value.values[end:])
        for element, each in zip(elements, parts, strict=True):
            assign(m, element.value if isinstance(element, ir.Starred) else element, each)
        return
    for index, element in enumerate(elements):
        if isinstance(value, Tensor) and index and reports(last_name(element)):
            assign(m, element, m.state.fresh(last_name(element)))
        elif isinstance(value, Tensor):
            assign(m, element, value.used if starred else output(m, value, index))
        elif isinstance(value, Object) and value.role.kind == "state" and index and len(elements) == 2:  # of `items()`
            assign(m, element, item(m, value, m.state.fresh("key")))
        elif isinstance(value, Symbol) and not starred:
            term = Term("part", value.term, index, last_name(element))
            assign(m, element, m.state.symbol(term, value.names))
        else:
            assign(m, element, m.state.fresh(f"{m.state.frame.name}.{last_name(element)}"))


def _fitting(m: Machine, value: Choice, length: int) -> Value:
    """Of several values that are to be unpacked, those that are so many or may be: of another one that raises."""

    def one(leaf: Value) -> Value:
        if _misfits(leaf, length):
            m.state.leave("raise")
        return leaf

    some = {_misfits(leaf, length) for leaf in leaves_of(value)} == {True, False}
    return m.state.settled(m.state.each(value, one)) if some else value


def _misfits(value: Value, length: int) -> bool:
    """Whether a value is known to be no tuple or list of so many."""
    return value == NONE or (isinstance(value, Items) and value.keys is None and len(value.values) != length)


def _of_length(value: Value, length: int) -> bool:
    """Whether a value is so many values, whichever way it goes."""
    if isinstance(value, Choice):
        return _of_length(value.then, length) and _of_length(value.other, length)
    return isinstance(value, Items) and len(value.values) == length


# statements


def assigned(m: Machine, node: ir.Assign) -> None:
    match node:
        case ir.Assign(targets=(whole,), value=ir.Conditional(test=test) as chosen) if _may_go_on(whole, chosen):
            arms = replace(node, value=chosen.then), replace(node, value=chosen.other)
            m.state.branch(condition(m, test), lambda: _assigned(m, arms[0]), lambda: _assigned(m, arms[1]))
        case _:
            _assigned(m, node)


def _assigned(m: Machine, node: ir.Assign) -> None:
    before = _handed_in(m, node.targets[0], node.value)
    _note_written(m, node)
    result = m.evaluate(node.value)
    match node:
        case ir.Assign(targets=(ir.Name(name="_"),), value=ir.Call() as call):
            unused(m.state, call)
        case ir.Assign(targets=(whole,), value=ir.Binary(operator="+", left=left, right=added)):
            if is_same_place(whole, left):  # `total = total + loss`
                tallied(m, whole, added, result)
                result = of_samples(m, _summed(m, whole, added, result))
            else:
                result = _gone_on(m, whole, node.value, result)
        case ir.Assign(targets=(ir.Subscript(base=whole, index=index) as place,), value=added):  # `losses[i] = loss`
            if isinstance(index, ir.Name):
                tallied(m, whole, added, result)
            result = _gone_on(m, place, added, filed(m, place, added, result))
        case ir.Assign(targets=(whole,), value=ir.Binary() | ir.Call()):
            result = _gone_on(m, whole, node.value, result)
    if before is not None and isinstance(result, Tensor):
        result = before  # `model = wrap(model)` by code out of sight
    if isinstance(result, Tensor) and result.holds and words(name := last_name(node.targets[0])) & OPTIMIZER:
        result = m.state.fresh(name)  # `optimizer = cfg.init("optim", net.parameters())`
    keep_best(m, node, result)
    for target in node.targets:
        assign(m, target, result)
        note_wrapper(m, target, node.value)


def _summed(m: Machine, whole: ir.Expression, added: ir.Expression, result: Value) -> Value:
    """What `total = total + loss` and `losses = losses + [loss]` come to, after the events that they may be."""
    if isinstance(result, Tensor) and not isinstance(added, ir.Sequence):
        return summed(m, whole, added, m.evaluate(whole), result, result)
    if isinstance(added, ir.Sequence) and not any(isinstance(each, ir.Call) for each in ir.walk(added)):
        summed(m, whole, added, m.evaluate(whole), m.evaluate(added), result)
    return result


def _gone_on(m: Machine, whole: ir.Expression, value: ir.Expression, result: Value) -> Value:
    """What is bound to a target, after the events that what is added to it there may be."""
    for added in added_to(whole, value):
        result = _summed(m, whole, added, result)
    for added in joined_to(whole, value):
        result = put_together(m, whole, added, result)
    return result


def _may_go_on(whole: ir.Expression, chosen: ir.Conditional) -> bool:
    """Whether a target is bound to what it was and more, or to another value: `mean = x if mean is None else mean + x`."""
    return goes_on(whole, chosen.then) or goes_on(whole, chosen.other)


def _note_written(m: Machine, node: ir.Assign) -> None:
    """What a call that is bound to names was written as, for who runs over them, and what is taken apart into names,
    `x, y = data`; under a condition, besides what it was."""
    written = m.state.frame.written
    match node:
        case ir.Assign(targets=(ir.Sequence() as target,), value=ir.Name(name=whole)):
            if (said := written.get(whole)) is not None:
                known = [name for name in _names(target) if name in written or not (m.state.here.guards and _is_bound(m, name))]
                written.update({name: _besides(m, name, said) for name in known})
        case ir.Assign(targets=(target,), value=ir.Call() | ir.Subscript() as value) if _maker(value) not in PARSERS:
            stood_for = [written[each] for each in _read(node.value) if each in written]
            names, parted = _names(target), m.state.frame.parted
            parted.difference_update(names)
            if not isinstance(target, ir.Name):
                parted.update(names)
            for name in names:
                said = "\n".join([m.state.frame.source.flat(node.value), *stood_for])
                written[name] = _besides(m, name, said)[:MOST_WRITTEN]


def _is_bound(m: Machine, name: str) -> bool:
    """Whether a variable of the frame is something by now, whatever that was written as."""
    return m.state.heap.get(m.state.variable(name)) is not None


def _maker(value: ir.Call | ir.Subscript) -> str:
    """The name of what is called for a value, or for what it is taken out of; empty of what was there."""
    made: ir.Expression = value
    while isinstance(made, ir.Subscript):
        made = made.base
    return last_name(made.function) if isinstance(made, ir.Call) else ""


def _besides(m: Machine, name: str, said: str) -> str:
    """What a name is written as from here on, where it was something before: under a condition it may be that yet."""
    before = m.state.frame.written.get(name) if m.state.here.guards else None
    return said if before is None else f"{said}\n{before}"


def _names(target: ir.Expression) -> tuple[str, ...]:
    """The variables that an assignment binds, each to all of what is assigned or to one part of it."""
    match target:
        case ir.Name(name=name):
            return (name,)
        case ir.Sequence(elements=elements):
            return tuple(each.name for each in elements if isinstance(each, ir.Name))
    return ()


@lru_cache(maxsize=1 << 14)
def _read(node: ir.Expression) -> tuple[str, ...]:
    """The variables that an expression reads, each once."""
    return tuple(dict.fromkeys(each.name for each in ir.walk(node) if isinstance(each, ir.Name)))


def _handed_in(m: Machine, target: ir.Expression, value: ir.Expression) -> Value | None:
    """The model of a name that is bound again to what a call makes of it."""
    if not isinstance(value, ir.Call) or all(path(each.value) != path(target) for each in value.arguments):
        return None
    if path(target) is None:
        return None
    before = m.evaluate(target)
    models = [role_of(each) for each in parts_of(before)]
    return before if models and all(role and role.kind == "model" for role in models) else None


def annotated_name(m: Machine, node: ir.Annotate) -> None:
    if node.value is None:
        return
    value = m.evaluate(node.value)
    kind = annotated(node.annotation)
    if isinstance(value, Symbol) and value.role is None and kind:
        value.role = Role(kind, m.code(node.target), open=kind != "model", evidence="annotated")
    assign(m, node.target, value)
    note_wrapper(m, node.target, node.value)


def augmented(m: Machine, node: ir.Augment) -> None:
    value = m.evaluate(node.value)
    target, state = node.target, m.state
    before = m.evaluate(target)
    copied(m, value)
    if isinstance(before, Params):
        return  # weights, not gradients
    if isinstance(before, Bound) and before.name == "data" and isinstance(before.base, Params):
        overwritten(m, before.base, target)
        return
    if isinstance(before, Grad) or last_name(target) == "grad":
        of = before.of if isinstance(before, Grad) else UNKNOWN_PARAMS
        if node.operator == "*" and value == Const(0):
            cleared(m, of, target)
        else:
            edited_gradients(m, of, target, added=node.operator in ("+", "-"))
        return
    if any(isinstance(each, Instance) for each in leaves_of(before)):
        assign(m, target, state.each(before, lambda one: _in_place(m, node, one, value)))
        return
    number = isinstance(node.value, ir.Literal) and isinstance(node.value.value, (int, float))
    result = binary(state, node.operator, before, value, (False, number), m.code(node.value))
    if node.operator == "+":
        tallied(m, target, node.value, value)
        result = of_samples(m, summed(m, target, node.value, before, value, result))
    if node.operator == "/":
        divided(m, target, node.value, value)
    if isinstance(result, (Tensor, Items, Params)):
        assign(m, target, result)
    else:
        counted = state.fresh(f"{state.frame.name}.{last_name(target)}", counter=isinstance(value, Const))
        if isinstance(before, Symbol) and value == Const(1) and node.operator == "+":
            state.before[counted.term] = before.term
        assign(m, target, counted)


def _in_place(m: Machine, node: ir.Augment, base: Value, value: Value) -> Value:
    """What `base += value` leaves where the program's own class says what that is; unknown where none does."""
    verb = _IN_PLACE.get(node.operator, "")
    if isinstance(base, Instance):
        methods = (method_of(m, base.cls, name, base) for name in (f"__i{verb}__", f"__{verb}__"))
        method = next((each for each in methods if each is not None), None)
        if method is not None:
            return m.invoke(node, method, Arguments((value,)))
    return m.state.fresh(last_name(node.target))


_IN_PLACE = {"+": "add", "-": "sub", "*": "mul", "/": "truediv", "|": "or", "&": "and"}
"""The methods by which a class says what its operators do."""


def forgotten(m: Machine, node: ir.Forget) -> None:
    for target in node.targets:
        match target:
            case ir.Name(name=name):
                m.state.heap.forget(m.state.variable(name))
            case ir.Subscript(base=base, index=index) if index is not None:
                without(m, base, m.evaluate(base), m.evaluate(index))


INSTRUCTIONS: Mapping[type, Instruction] = {
    ir.Assign: assigned,
    ir.Annotate: annotated_name,
    ir.Augment: augmented,
    ir.Forget: forgotten,
}


# what is bound


def last_name(node: ir.Expression) -> str:
    """`model` of `self.model`; of what has no name, nothing."""
    match node:
        case ir.Name(name=name) | ir.Attribute(name=name):
            return name
        case ir.Subscript(base=base) | ir.Starred(value=base):
            return last_name(base)
        case ir.Call(function=function):
            return last_name(function)
        case _:
            return ""
