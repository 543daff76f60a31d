"""Code out of sight: what it is given may have had anything done to it."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

from loopcheck.api import OVERWRITES
from loopcheck.loop import Role, events
from loopcheck.read.domain.graphs import hand_out_actions, write_out
from loopcheck.read.domain.modes import switched
from loopcheck.read.domain.parts import parts_of, roles_in, tensor_in
from loopcheck.read.domain.terms import Term
from loopcheck.read.domain.values import (
    NONE,
    UNSEEN,
    Arguments,
    Bound,
    Choice,
    Const,
    Function,
    Instance,
    Items,
    Object,
    Params,
    Partial,
    Scope,
    Stream,
    Symbol,
    Tensor,
    Value,
)
from loopcheck.read.front import ir
from loopcheck.read.front.index import EDITING, Facts, Index
from loopcheck.read.front.relevance import trains
from loopcheck.read.interpret.lineage import lineage
from loopcheck.read.interpret.machine import Machine
from loopcheck.read.interpret.noticing import differentiated, redrawn
from loopcheck.read.interpret.parameters import freeze
from loopcheck.read.interpret.rows import without_effects
from loopcheck.read.objects.evidence import held
from loopcheck.words import (
    ANEW,
    HARMLESS,
    ITERATORS,
    KEPT_FOR_LATER,
    LEARNING,
    LOSSES,
    MADE,
    MODEL,
    OPTIMIZER,
    SHOWING,
    divides,
    draws,
    freezes,
    words,
)


def unseen(m: Machine, node: ir.Place, name: str, given: Arguments, me: Value | None = None) -> Value:
    """What comes of code out of sight, after what it may do to what it is given.

    name: empty where it has none. me: an unknown object whose method it is.
    """
    values = given.all
    if isinstance(me, Symbol):
        _flags_set(m)
    harmless = bool(words(".".join(name.split(".")[-2:])) & HARMLESS) or m.modules.harmless(name)
    if (loss := tensor_in(values)) and _learns(name, values):
        differentiated(m.state, loss, loss.models)
        if loss.models and not harmless:
            m.state.emit("escape", loss.models, node)
    if not harmless:
        hand_out_actions(m.state, parts_of(values))
    reached = [role for value in parts_of(values) for role in held(m.state, value)]
    if (reached and draws(name.rpartition(".")[2])) or (isinstance(me, Symbol) and _writes_weight(m, me.term)):
        redrawn(m.state, (role for role in reached if role.kind == "model"))
    if freezes(name.rpartition(".")[2]):
        freeze(m.state, (role for role in reached if role.kind == "model"), None)
    if reached and not harmless:
        m.state.emit("escape", reached, node)
        switched(m.state, reached, None)
        if computed_from := tensor_in(values):  # `update(model, loss)`; not what somebody holds who is only told of the loss
            differentiated(m.state, computed_from, computed_from.models.intersection(roles_in(values)))
    if isinstance(node, ir.Call):
        if isinstance(node.function, ir.Attribute) and node.function.name in EDITING:
            _put_away(m, values)
        for value in values.values:
            _called_back(m, node, value, name)
    if name.rpartition(".")[2] in SHOWING:
        write_out(m.state, parts_of(values))
    if given.values and name.rpartition(".")[2] in ITERATORS:
        return Stream(given.values[:1])
    return computed(m, name or (m.code(node) if isinstance(node, ir.Node) else ""), values, me, node)


def _writes_weight(m: Machine, called: Term) -> bool:
    """`layer.weight.data.normal_`, or of whatever it is where autograd is off."""
    match called.head, called.operands:
        case "attribute", (Term() as base, str(name)) if name in OVERWRITES:
            return m.state.records is False or (base.head == "attribute" and base.operands[1] in ("bias", "data", "weight"))
        case _:
            return False


def drawn(m: Machine, node: ir.Place, callee: Symbol) -> None:
    """What is drawn from a container is called, `for handler in handlers[event]: handler()`, or a method of it. That may be any
    function or object which code out of sight was given to keep so far. Raises Eventful in a summary: the call site knows which.
    """
    function = node.function if isinstance(node, ir.Call) else None
    match function, callee.term:
        case ir.Attribute(base=ir.Name(name=name), name=method), Term(head="attribute", operands=(Term() as one, str())):
            pass
        case ir.Name(name=name), Term() as one:
            method = "__call__"
        case _, Term(head="item") as one:
            name, method = "", "__call__"
        case _:
            return
    if one.head == "item" or (one.head == "new" and name == str(one.operands[0]).rpartition(".")[2]):
        kept = m.state.at_large.get(method)
        if kept is None:
            return
        m.state.shared()
        models = {whole for each in kept for whole in each.wholes}
        trained = (each for each in m.state.kept if each.kind == "optimizer" and not models.isdisjoint(each.of))
        if reached := list(dict.fromkeys((*kept, *trained))):
            m.state.emit("escape", reached, node)
            switched(m.state, reached, None)


def _put_away(m: Machine, values: Items) -> None:
    """A container out of sight has these from here on: who draws them from it may call them, and their methods."""
    for value in values.values:
        match value:
            case Bound(base=Object()):  # `steps[name].append(optimizer.zero_grad)`
                function_kept(m, held(m.state, value.base))
            case Instance():
                methods = dict.fromkeys(name for cls in lineage(m, value.cls) for name in cls.methods)
                _kept(m, methods, held(m.state, value))


_FUNCTION = ("__call__",)
"""The method of a function that is called by itself."""


def function_kept(m: Machine, roles: Iterable[Role] = ()) -> None:
    """A container has a function from here on that does something to these: what is drawn from one may be called, and be that."""
    _kept(m, _FUNCTION, roles)


def _kept(m: Machine, methods: Iterable[str], roles: Iterable[Role]) -> None:
    reached = dict.fromkeys(roles)
    for name in methods:
        m.state.at_large[name] = m.state.at_large.get(name, {}) | reached


def _flags_set(m: Machine) -> None:
    """Flags of the objects whose methods are running, which only other code of the file sets, as callbacks do that hold such an
    object: `self.learner.training = False`."""
    for me in {each.me for each in m.active if isinstance(each.me, Instance)}:
        flags = {name: value.value for name, value in m.state.heap.of(me).items() if isinstance(value, Const)}
        for name in [name for name, value in flags.items() if isinstance(value, bool) and _set_elsewhere(me, name, not value)]:
            m.state.heap[(me, name)] = m.state.fresh(name)


def _set_elsewhere(me: Instance, name: str, flag: bool) -> bool:
    """Whether code of the file gives what is called so this flag, and the class itself binds it where it is made alone."""
    if (name, flag) not in me.cls.frame.source.index.given:
        return False
    own = [each for name, method in me.cls.methods.items() if name != "__init__" for each in ir.walk(*method.code.body)]
    bound = {getattr(target, "name", "") for each in own if isinstance(each, ir.Assign) for target in each.targets}
    return name not in bound


def _learns(name: str, given: Items) -> bool:
    """Whether code out of sight may go backward from what it is given: it says so, or is given an optimizer besides."""
    said = words(name.rpartition(".")[2])
    return bool(said & LEARNING and not said & KEPT_FOR_LATER) or any(_is_optimizer(value) for value in given.values)


def _is_optimizer(value: Value) -> bool:
    match value:
        case Object(Role(kind="optimizer")):
            return True
        case Symbol():
            return bool(words(value.name.rpartition(".")[2]) & OPTIMIZER)
        case _:
            return False


def _called_back(m: Machine, node: ir.Call, value: Value, by: str) -> Value:
    """Functions that are handed to code out of sight: it may call them, and without autograd those that train nothing.

    by: the name of that code; Python's own knows of no autograd, and calls nothing that a table holds: `choices=COMMANDS`.
    """
    of_python = by.partition(".")[0] in {*sys.stdlib_module_names, "builtins"}
    match value:
        case (Function() as function) | Partial(function=Function() as function) if m.state.live:
            before = len(m.state.out)
            with m.state.recording_as(None if of_python or trained_by(function) else Scope(None)):
                m.invoke(node, value, UNSEEN)
            function_kept(m, (role for each in m.state.out[before:] for event in events(each) for role in event.on))
            if not m.state.live:  # it ends the program, as what handles a signal does: some time, and not here
                del m.state.out[before:]
                m.state.live = True
        case Items(values, keys) if keys is None or not of_python:
            for each in values:
                _called_back(m, node, each, by)
        case Choice():
            m.state.each(value, lambda one: _called_back(m, node, one, by))
    return NONE


def trained_by(function: Function) -> bool:
    """Whether a function of the project trains, by itself or through what it calls."""
    index = function.frame.source.index
    facts = index.of(function.code)
    calls = {called.name for called in ir.walk(*function.code.body) if isinstance(called, (ir.Name, ir.Attribute))}
    return facts in _training(index) or any(each.name in calls for each in _training(index))


@lru_cache(maxsize=256)
def _training(index: Index) -> frozenset[Facts]:
    """The functions of a file that train, by themselves or through others."""
    return index.reaching(facts for facts in index.functions.values() if trains(facts))


def computed(m: Machine, name: str, given: Items, me: Value | None = None, at: ir.Place | None = None) -> Value:
    """What comes of code out of sight: of models or their outputs, something that may be differentiated. at: the call."""
    tensor = tensor_in(given)
    models = frozenset[Role](role for value in parts_of(given) for role in held(m.state, value) if role.kind == "model")
    last = name.rpartition(".")[2]
    trained = _is_picked(me) and any(isinstance(each, Params) for each in parts_of(given))  # by the optimizer of that name
    if (tensor is None and (not models or trained)) or words(last) & MADE:
        whole = given if me is None else Items((me, *given.values))
        return without_effects(m, name, whole, at if trained or _makes(last, me) else None, lasting=_lasts(last, me, given))
    base = tensor or Tensor(m.state.new("output"))
    cut = m.state.records is False and not base.models | models  # a loss by its name has no graph either
    made = replace(base, models=base.models | models, lost=base.lost if cut else frozenset(), activation="")
    if not words(last) & LOSSES:
        hidden = made.made("hidden", written=name)
        return hidden.made("holder") if tensor is None or tensor.holds else hidden
    keywords = (each.keyword for each in at.arguments if each.keyword) if isinstance(at, ir.Call) else ()
    return made.made("foreign").made("shared") if divides(keywords) else made.made("foreign")


def _lasts(name: str, me: Value | None, given: Items) -> bool:
    """Whether a method of an unknown object has one answer for good: of a string, or an entry by a key that is written out."""
    entry = name == "get" and bool(given.values) and isinstance(given.values[0], Const)
    return me is not None and (entry or name in _OF_STRINGS)


_OF_STRINGS = frozenset({"casefold", "endswith", "lower", "startswith", "strip", "upper"})


def _makes(name: str, me: Value | None) -> bool:
    """Whether a call makes an object, as far as its name says: what a table of classes has under a key is one of them."""
    return _of_table(me) or bool(words(name) & (ANEW | MODEL))


def _is_picked(me: Value | None) -> bool:
    """Whether a function or a class comes of a table, or of a call, `eval(name)`, `instantiate(cfg.optimizer)`."""
    return _of_table(me) or (isinstance(me, Symbol) and me.term.head == "call")


def _of_table(me: Value | None) -> bool:
    """Whether it stood under a key of a table of functions and classes."""
    return isinstance(me, Symbol) and (me.term.head == "item" or me.term.origin == "builtins.getattr")
