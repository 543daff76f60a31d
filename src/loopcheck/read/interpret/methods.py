"""Methods: of objects that the vocabulary knows, of tensors and gradients, of containers, and of models that nobody knows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from loopcheck import words as kinds
from loopcheck.api import COPIES, MOVES, OVERWRITES, ROUNDS, WHOLE, WRAPPING
from loopcheck.loop import Role
from loopcheck.read.domain.choices import Entries
from loopcheck.read.domain.graphs import hold_graphs, list_graphs, take_numbers, write_out
from loopcheck.read.domain.parts import entries_of, keys_of, listed, role_of, roles_in, tensor_in, term_of
from loopcheck.read.domain.state import GRAD
from loopcheck.read.domain.terms import Term
from loopcheck.read.domain.values import (
    NO_ARGUMENTS,
    NONE,
    Api,
    Arguments,
    Bound,
    Class,
    Const,
    Function,
    Grad,
    Instance,
    Items,
    Object,
    Params,
    Partial,
    Scope,
    Stream,
    Super,
    Symbol,
    Tensor,
    Value,
)
from loopcheck.read.front import ir
from loopcheck.read.front.index import EDITING
from loopcheck.read.interpret.backwards import computed_of
from loopcheck.read.interpret.binding import bind_attribute, edit, last_name, without
from loopcheck.read.interpret.budget import MOST_ITEMS
from loopcheck.read.interpret.forwards import forward, namesakes_of
from loopcheck.read.interpret.logits import as_before
from loopcheck.read.interpret.machine import Machine
from loopcheck.read.interpret.members import item
from loopcheck.read.interpret.names import settings
from loopcheck.read.interpret.noticing import differentiated, given_as, redrawn
from loopcheck.read.interpret.operators import gathered, operated, truth
from loopcheck.read.interpret.parameters import freeze, overwritten
from loopcheck.read.interpret.retained import appended
from loopcheck.read.interpret.rows import asked, closure_in, without_effects
from loopcheck.read.interpret.surroundings import in_sight
from loopcheck.read.interpret.tallies import tallied
from loopcheck.read.interpret.unseen import unseen
from loopcheck.read.objects.evidence import adopt, as_tensor, uses_of
from loopcheck.read.vocabulary import (
    as_module,
    assumed_of,
    function,
    gradient_method,
    methods,
    only_tells,
    operator_of,
    switched_by,
)
from loopcheck.read.vocabulary.layers import is_layer_of_torch
from loopcheck.words import words


def _takes_more(role: Role, name: str, args: Arguments) -> bool:
    """`discriminator.train(features, labels)`: what is only called like a model learns, and is put into no mode."""
    more = len(args.values) > 1 or tensor_in(args.all) is not None
    return more and role.evidence != "built" and switched_by(role.kind, name)


def called_method(m: Machine, node: ir.Place, base: Value, name: str, args: Arguments) -> Value:
    """`base.name(…)`."""
    base = as_tensor(m.state, base)
    role = role_of(base)
    if not _HOLDING.isdisjoint(words(name)):
        (list_graphs if isinstance(base, Items) else hold_graphs)(m.state, args.all)
    if role is not None and _takes_more(role, name, args):
        return unseen(m, node, f"{role.name}.{name}", args, base)
    if role is not None and (role.kind, name) in methods():
        return _known(m, node, base, role, name, args)
    match base:
        case Tensor() if _rounds(name, args):
            take_numbers(m.state, base)
            return base.detached().used
        case Tensor() if (row := methods().get(("tensor", name))) is not None:
            return asked(m, node, row, name, base, args)
        case Symbol() if assumed_of(name) == "tensor":
            return asked(m, node, methods()[("tensor", name)], name, base, args)
        case Symbol(role=None) if (kind := assumed_of(name)) and not args.values:
            some = Object(adopt(m.state, base, kind) or Role(kind, base.name, open=True, evidence="used"))  # who knows which
            return asked(m, node, methods()[(kind, name)], name, some, args)
        case Tensor() if (operator := operator_of(name)) and len(args.all.values) == 1:
            made = operated(m, node, operator, base, *args.all.values)
            if name.endswith("_") and isinstance(node, ir.Call) and isinstance(node.function, ir.Attribute):
                edit(m, node.function.base, base, made)
            return made
        case Tensor(activation=Entries()) if name in EDITING:
            if isinstance(node, ir.Call) and isinstance(node.function, ir.Attribute):
                edit(m, node.function.base, base, base.used)  # its entries may be others now
            return called_method(m, node, base.used, name, args)
        case Tensor():
            if name in MOVES:
                return m.state.computed(base) if name in COPIES else base
            if any(isinstance(each, Function) for each in args.all.values):  # what was made of models out of sight, and no tensor
                return unseen(m, node, name, args.after(base))
            other = tensor_in(Items(args.values))
            made = computed_of(m, base.merged(other) if other else base, args.all.values, in_place=name.endswith("_"))
            return as_before(name, base, made)
        case Grad():
            return asked(m, node, gradient_method, name, base, args)
        case Params() if only_tells(name):
            return m.state.symbol(Term("attribute", term_of(base), name))
        case Params():
            if name == "requires_grad_":
                wanted = args.keywords.get("requires_grad") or next(iter(args.values), Const(True))
                bind_attribute(m, node, base, "requires_grad", wanted)
            if name in OVERWRITES:
                redrawn(m.state, base.models)
            return base
        case Bound(Params() as params, "data") if name.endswith("_"):
            if name in OVERWRITES:
                redrawn(m.state, params.models)
            overwritten(m, params, node)
            return base
        case Scope() if name in ("__enter__", "__exit__") and base.grad is not None:
            m.state.heap[GRAD] = base if name == "__enter__" else Scope(None)
            return base
        case Function() if name == "__get__" and args.values:  # of an object, whose method it becomes
            return m.invoke(node, Api("functools.partial"), Arguments((base, args.values[0])))
        case Const(str(text)) if name in CASES and not args.all.values and not _is_setting(m, node):
            return Const(CASES[name](text))
        case Const(str()):
            write_out(m.state, args.all.values)
            return without_effects(m, f"{term_of(base).origin}.{name}", Items((base, *args.all.values)))
        case Items():
            return _container(m, node, base, name, args)
        case Object(Role(kind="model")) if name == "forward":
            return m.invoke(node, base, args)
        case Object() | Instance() | Symbol() if role is not None and role.kind == "model":
            return _entries(m, base, name) if _hands_out(name, args) else _of_model(m, node, role, name, args)
        case Partial(function=Api(of) as made):  # what a class out of sight makes, with options that are told of it
            result = m.invoke(node, Api(f"{of}.{name}"), args)
            return base if result == made else result
        case Super(me, base=Api(api)) if name == "__init__":
            return _initialised(m, node, me, api, args)
        case Super(me) if name == "__init__" and in_sight(m, me.cls):
            return NONE  # that of `object`
        case Super(me):
            return called_method(m, node, me, name, args)
        case Stream() if name in ("next", "__next__"):
            return m.invoke(node, Api("builtins.next"), args.after(base))
        case Object(Role(kind="loader")) | Symbol() if name == "__iter__":
            return m.invoke(node, Api("builtins.iter"), args.after(base))
        case Class():
            return unseen(m, node, name, args)
        case _ if role is not None:
            return m.state.symbol(Term("call", Term("attribute", term_of(Object(role)), name)))
        case Instance():  # a method of a base class out of sight, which has all that the object has
            m.state.heap[(base, m.state.new(name))] = args.all
            return unseen(m, node, f"{base.cls.name}.{name}", args.after(base))
        case _:
            return unseen(m, node, f"{term_of(base).origin}.{name}", args, base)


def _rounds(name: str, args: Arguments) -> bool:
    """Whether a method makes whole numbers of a tensor, which have no graph: `pred.long()`, `points.to(torch.int)`."""
    return name in ROUNDS or (name in ("to", "type") and any(map(_is_whole, args.all.values)))


def _is_whole(value: Value) -> bool:
    return isinstance(value, Api) and value.name.partition(".")[0] == "torch" and value.name.rpartition(".")[2] in WHOLE


def _known(m: Machine, node: ir.Place, base: Value, role: Role, name: str, args: Arguments) -> Value:
    """A method that a page knows; one that waits for the end of a window does nothing before."""
    closure = closure_in(args, Function)
    if closure is not None and name == "step":
        m.invoke(node, closure, NO_ARGUMENTS)
    row, waits = methods()[(role.kind, name)], m.state.kept.get(role, {}).get("waits")
    if waits is not None:
        m.state.branch(truth(m.state, waits), lambda: asked(m, node, row, name, base, args))  # type: ignore[arg-type]
        return NONE
    return asked(m, node, row, name, base, args)


def _initialised(m: Machine, node: ir.Place, me: Instance, api: str, args: Arguments) -> Value:
    """`super().__init__(…)` of a class that a page builds: the object is what the page makes of it."""
    row = function(api)
    if row is not None and me.role is not None and me.role.kind != "model":
        made = role_of(asked(m, node, row, api, None, args))
        if made is not None and made.kind == me.role.kind:
            me.role = made
        return NONE
    if me.role is None and api in WRAPPING:
        me.role = role_of(m.invoke(node, Api(api), args))
        return NONE
    if me.role is not None and is_layer_of_torch(api):  # `nn.Sequential` holds what it is given
        for each in roles_in(args.all):
            if each.kind == "model":
                each.join(me.role)
        m.state.heap[(me, m.state.new("__init__"))] = args.all
        return NONE
    return called_method(m, node, me, "__init__", args)


CASES: Mapping[str, Callable[[str], str]] = {"casefold": str.casefold, "lower": str.lower, "strip": str.strip, "upper": str.upper}
"""Methods by which a string is made ready to be compared."""


def _is_setting(m: Machine, node: ir.Place) -> bool:
    """Whether a method is called on what people edit between runs, `OPTIMIZER.lower()`: programs for another worth are meant."""
    match node:
        case ir.Call(function=ir.Attribute(base=ir.Name(name=name))):
            return any(name in settings(each) for each in m.state.frame.around())
        case _:
            return False


# models


def _hands_out(name: str, args: Arguments) -> bool:
    """`models.items()` of a `nn.ModuleDict`, or of a dict of models that were made alike; what is given data computes."""
    return name in ("items", "values") and not args.values and not args.keywords


def _entries(m: Machine, models: Value, name: str) -> Value:
    """A container of models, to be passed over; with its keys."""
    return models if name == "values" else Stream((m.state.fresh("keys"), models))


def _of_model(m: Machine, node: ir.Place, role: Role, name: str, args: Arguments) -> Value:
    """A method that no page knows: a forward, if it is given data and its name does not say otherwise."""
    namesakes = namesakes_of(m, role, name)
    if any("backward" in each.calls for each in namesakes):  # it may be that one, which trains
        return unseen(m, node, name, args.after(Object(role)))
    own = tensor_in(args.all)
    if own and role in own.models and _may_learn(m, node, name):
        differentiated(m.state, own, [role])
    given_data = bool(args.values or args.keywords) or name in ("forward", "sample")
    keeps_house = kinds.words(name) & kinds.NO_FORWARD or name.partition("_")[0] in kinds.MAKING
    if kinds.freezes(name):
        freeze(m.state, [role], None)
    of_tensors = not namesakes and ("tensor", name) in methods()  # a parameter that an optimizer is given is like a model
    if not given_data or name.startswith("_") or keeps_house or of_tensors:
        return m.state.symbol(Term("call", Term("attribute", term_of(Object(role)), name)))
    if role.evidence == "used" and not _is_module(m, node):
        if m.trials and given_data:
            m.state.shared()  # what it is, and which layers it has, the call site knows
        return unseen(m, node, f"{role.name}.{name}", args)
    return forward(m, node, role, args, name)


def _may_learn(m: Machine, node: ir.Place, name: str) -> bool:
    """Whether a model that what it computed is handed back to may learn from that, `learner.adapt(loss)`: `model.decode(z)` does
    not."""
    given = given_as(m, node.arguments) if isinstance(node, ir.Call) else ()
    of_losses = any(kinds.words(each) & kinds.LOSSES for each in given)
    return of_losses or not kinds.words(name).isdisjoint(kinds.LEARNING | kinds.ADAPTING)


def _is_module(m: Machine, node: ir.Place) -> bool:
    """What a method is called on is used as a module somewhere in this file, not only called a model."""
    function = node.function if isinstance(node, ir.Call) else None
    base = function.base if isinstance(function, ir.Attribute) else None
    whole = base.base if isinstance(base, ir.Attribute) and base.name == "module" else base  # of a wrapper
    name = last_name(whole) if whole is not None else ""
    return as_module(uses_of(m.state, name))


# Python's own containers


def _collected(m: Machine, value: Value) -> Value:
    """What a list comes to hold of what a loop hands out: all of them at last, however they came, or those that are trained."""
    if not isinstance(value, Params):
        return value
    asked = any(holds and _is_asked_for(term) for term, holds in m.state.assumed.items())
    return replace(value, each=False, trainable=asked or value.trainable)


def _is_asked_for(term: Term) -> bool:
    """Whether a test asks if a tensor needs a gradient: `p.requires_grad`, or `p.requires_grad == True`."""
    asked = term.operands[0] if term.head in ("==", "is") and term.operands[1:] == (term_of(Const(True)),) else term
    return isinstance(asked, Term) and asked.head == "attribute" and asked.operands[1] == "requires_grad"


_HOLDING = frozenset({"add", "append", "extend", "insert", "push", "put", "record", "register", "remember", "store"})
"""Words in the names of methods by which an object comes to hold what they are given."""
_REORDERING = frozenset({"insert", "pop", "remove", "reverse", "sort"})
"""Methods of a list after which its elements stand elsewhere."""


def _place(node: ir.Expression) -> ir.Expression:
    """Where a list or a dict stands that a method is called on: what `hooks.setdefault(name, [])` gives is `hooks[name]`."""
    match node:
        case ir.Call(span=span, function=ir.Attribute(base=base, name="setdefault"), arguments=(ir.Argument(value=key), *_)):
            return ir.Subscript(span, base, key)
        case _:
            return node


def _container(m: Machine, node: ir.Place, base: Items, name: str, args: Arguments) -> Value:
    function = node.function if isinstance(node, ir.Call) else None
    where = _place(function.base) if isinstance(function, ir.Attribute) else None
    given = args.values
    if name == "setdefault" and where is not None and base.keys is not None and given and isinstance(key := given[0], Const):
        if key.value not in base.keys:
            entries = entries_of(base) | {key.value: given[1] if given[1:] else NONE}
            edit(m, where, base, gathered(m.state, tuple(entries.values()), tuple(entries)))
        return item(m, m.evaluate(where), key)
    if name == "update" and where is not None:
        if args.complete and all(isinstance(each, Items) and each.keys is not None for each in given):
            merged = entries_of(base) | (entries_of(given[0]) if given else {}) | dict(args.keywords)
            edit(m, where, base, gathered(m.state, tuple(merged.values()), tuple(merged)))
        else:
            edit(m, where, base, m.state.fresh(m.code(where)))  # by options out of sight
        return NONE
    if (name, len(given)) in (("extend", 1), ("insert", 2)) and where is not None and isinstance(node, ir.Call):
        given = (*given[:-1], appended(m, where, node.arguments[-1].value, given[-1]))
    if name == "append" and where is not None and len(given) == 1 and isinstance(node, ir.Call):
        tallied(m, where, node.arguments[0].value, given[0])
        given = (appended(m, where, node.arguments[0].value, given[0]),)
    if name in ("append", "add", "extend") and where is not None and given:
        added = given
        if name == "extend":  # what a generator hands out is in the list for good
            added = given[0].values if isinstance(given[0], Items) else (listed(given[0]) or given[0],)
        known = base.keys is None and len(base.values) < MOST_ITEMS
        held = (*base.values, *(_collected(m, each) for each in added))
        edit(m, where, base, gathered(m.state, held) if known else m.state.fresh(m.code(where)))
        return NONE
    if name == "clear" and where is not None:
        edit(m, where, base, replace(base, values=(), keys=base.keys and ()))
        return NONE
    if name in _REORDERING and where is not None and base.keys is None:
        edit(m, where, base, m.state.fresh(m.code(where)))
    match name:
        case "values":
            return Items(base.values)
        case "keys" if base.keys is not None:
            return Items(keys_of(base))
        case "items" if base.keys is not None:
            return Items(tuple(Items(pair) for pair in zip(keys_of(base), base.values, strict=True)))
        case "get" | "pop" if given and base.keys is not None:
            found = item(m, base, given[0])
            if name == "pop" and where is not None:
                without(m, where, base, given[0])
            return found
        case "copy":
            return replace(base)
        case _:
            return tensor_in(base) or m.state.fresh("item")
