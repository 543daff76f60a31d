"""Functions of the project, interpreted where they are called."""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import lru_cache

from loopcheck.loop import Event, Role, events, leaves, only
from loopcheck.loop import Frame as CallRegion
from loopcheck.read.domain.jumps import fall, joined_at_return, landing
from loopcheck.read.domain.modes import switched
from loopcheck.read.domain.parts import hidden, leaves_of, parts_of, role_of, tensor_in, term_of
from loopcheck.read.domain.state import State
from loopcheck.read.domain.terms import Term
from loopcheck.read.domain.values import (
    NONE,
    Api,
    Arguments,
    Bound,
    Choice,
    Class,
    Const,
    Frame,
    Function,
    Grad,
    Instance,
    Items,
    Params,
    Scope,
    Stream,
    Symbol,
    Tensor,
    Value,
)
from loopcheck.read.front import ir
from loopcheck.read.front.bound import bound_names
from loopcheck.read.front.relevance import borrowed, steers
from loopcheck.read.front.source import Entered
from loopcheck.read.interpret.batches import handed_on
from loopcheck.read.interpret.binding import last_name, named
from loopcheck.read.interpret.budget import DEEPEST_HOLDER
from loopcheck.read.interpret.editing import changes_own, copy_out, results_of
from loopcheck.read.interpret.lineage import accessor
from loopcheck.read.interpret.machine import Machine
from loopcheck.read.interpret.members import item
from loopcheck.read.interpret.names import class_of, lasting
from loopcheck.read.interpret.noticing import redrawn
from loopcheck.read.interpret.operators import gathered
from loopcheck.read.interpret.scoping import is_manager, may_set_modes
from loopcheck.read.interpret.summaries import applied, summary_of
from loopcheck.read.interpret.unseen import computed, unseen
from loopcheck.read.interpret.wrapping import given_wrappers, hand_over
from loopcheck.read.objects.evidence import held, holder
from loopcheck.read.objects.passes import settle_call
from loopcheck.read.vocabulary import Scoped, annotated, differentiable, function, packages, pure, switches_grad, without_grad
from loopcheck.words import ITERATORS, draws


def made(m: Machine, code: ir.Code) -> Function:
    """A function that is defined here, with what its parameters are by themselves."""
    parameters = (*code.parameters.positional, *code.parameters.keyword)
    defaults = {
        each.name: named(m.evaluate(each.default), each.name)
        for each in parameters
        if each.default is not None and not lasting(m, each.default)
    }
    m.state.frame.kept = True
    return Function(code, m.state.frame, defaults=defaults)


def definition(called: Function) -> tuple[str, str]:
    """Where a function is defined: its file, and its name there."""
    owner = f"{called.owner.name}." if called.owner else ""
    return called.frame.source.path, owner + called.code.name


def title(called: Function) -> str:
    """What a person calls a function: `Trainer.fit`."""
    return definition(called)[1]


def inline(m: Machine, node: ir.Place, called: Function, args: Arguments) -> Value:
    """What a function returns, after its events."""
    state, code = m.state, called.code
    m.reached.add(code)
    given = args.all
    drawn = [role for value in parts_of(given) for role in held(state, value) if role.kind == "model"] if draws(code.name) else []
    if drawn:
        redrawn(state, drawn)
    if code.name in ITERATORS and args.values and called.frame.source.index.of(code).yields:
        return Stream(args.values[:1])  # `log_every(loader)`: what it does besides is to log
    results = results_of(node, called, args)
    changes = bool(results) or changes_own(m, called)
    handed = changes or _holds(m, given) or (called.me is not None and _holds(m, called.me))
    me = () if called.me is None else (called.me,)
    if args.complete and not handed and not m.modules.acts(called):
        again = _handed_back(m, called, args)
        return computed(m, title(called), Items((*me, *given.values)), at=node) if again is None else again
    names = code.parameters.names[1:] if called.method else code.parameters.names
    wrapped_ones = given_wrappers(m, node, names)
    plain = not (wrapped_ones or changes or is_manager(called) or any(name.startswith("*") for name in args.keywords))
    if args.complete and plain:
        frame = Frame(called.frame.source, code.name, called.frame)
        _bind(m, frame, called, args)
        known = state.heap.of(frame)
        summary = summary_of(m, called, known)
        value = applied(m, node, called, summary, known) if summary is not None else None
        state.heap.forget_all(frame)
        if summary is not None:
            return computed(m, title(called), Items((*me, *given.values)), at=node) if value is None else value
    m.budget.calls += 1
    recursive = any(each.code is code for each in m.active)
    aside = not steers(called.frame.source.index.of(code))
    if recursive or m.budget.refuses(code, len(m.active), state.forked, aside):
        copy_out(m, results, None)
        if recursive and _only_computes(called):  # nor does it to what it hands itself
            return computed(m, title(called), Items((*me, *given.values)), at=node)
        if aside or recursive or called.me is None:  # to its own object it does nothing, or what is being read already
            return unseen(m, node, "", args)
        return unseen(m, node, "", args.after(called.me))
    wrapped = _decorated(m, called)
    if wrapped is not None:
        return inline(m, node, wrapped, args.after(called.me) if called.method and called.me is not None else args)
    m.definitions.add(definition(called))
    here, source = state.here, called.frame.source
    frame = Frame(source, code.name, called.frame, called.me, called.owner, module=called.frame.module)
    if not source.path:
        frame.call = here.frame.call or state.site(node)  # of a framework's code, where the program calls it
    frame.written = _written(m, node, called)
    _bind(m, frame, called, args)
    hand_over(m, frame, wrapped_ones)
    returns: list[tuple[dict[Term, bool], Value]] = []
    direct: list[Event] = []
    calls = (*here.calls, Entered(here.frame.source, node))
    m.active.append(called)
    try:
        with state.within(
            frame=frame,
            calls=calls,
            returns=returns,
            finals=(),
            guards=here.guards,
            arm=None,
            caller=None,
            direct=direct,
            unrecorded=_unrecorded(state),
        ):
            region = state.block(lambda: _to_its_end(m, called, results))
        in_sight = len(m.active) > 1 or isinstance(node, ir.Call)
        settle_call(direct, region, code.name if in_sight else "", state.unread, state.held_out.keys())
    finally:
        m.active.pop()
    ended = not (state.live or returns) and not {"abort", "exit"}.isdisjoint(leaves(region))
    if state.live or returns or ended:  # else it raises whatever it is given, as what is to be overridden does
        state.out.append(CallRegion(region, title(called), state.site(node)))
    state.live = not ended
    copy_out(m, results, frame)
    if not frame.kept:
        state.heap.forget_all(frame)
    batches = handed_on(m, code, region) if source.index.of(code).yields else None
    value = batches or _returned(m, returns)
    return value if args.complete else hidden(value)


def _unrecorded(state: State) -> Mapping[Term, bool] | None:
    """The path condition under which the first function is called that autograd is off for."""
    if state.records is not False:
        return None
    return state.assumed if state.here.unrecorded is None else state.here.unrecorded


def own_step(m: Machine, node: ir.Place, method: Function, args: Arguments) -> Value:
    """An optimizer of the project steps: by others that it holds, or else itself, where gradients may be limited first."""
    assert isinstance(method.me, Instance)
    returned: list[Value] = []
    region = m.state.block(lambda: returned.append(inline(m, node, method, args)))
    done = {event.verb for event in events(region)}
    if "step" in done:
        m.state.out.append(region)
        return returned[0]
    if "backward" in done:  # by the closure that it was given
        m.state.out.append(region)
        return m.invoke(node, Bound(method.me, "step"), Arguments())
    if "clip" in done:
        m.state.out.append(only("clip", region))
    return m.invoke(node, Bound(method.me, "step"), args)


def _holds(m: Machine, value: Value, depth: int = DEEPEST_HOLDER) -> bool:
    """Whether there is an object in a value, something computed by one, or code that may know one. depth: how many objects of the
    project may hold it, each the next."""
    for part in parts_of(value):
        if role_of(part) or isinstance(part, (Tensor, Params, Grad, Function, Bound)):
            return True
        if depth and isinstance(part, Instance) and any(_holds(m, each, depth - 1) for each in m.state.heap.of(part).values()):
            return True
    return False


def _handed_back(m: Machine, called: Function, args: Arguments) -> Value | None:
    """The argument that a function hands back when it has done what it does, `args = process(args)`."""
    name = _passed_through(called.code)
    given = args if called.me is None else args.after(called.me)
    at = called.code.parameters.names.index(name) if name else len(given.values)
    return given.values[at] if at < len(given.values) else args.keywords.get(name)


@lru_cache(maxsize=4096)
def _passed_through(code: ir.Code) -> str:
    """The parameter that every way through a function returns, where that is not bound anew."""
    returns = [each.value for each in ir.walk(*code.body) if isinstance(each, ir.Return)]
    names = {each.name if isinstance(each, ir.Name) else "" for each in returns}
    ends = bool(code.body) and isinstance(code.body[-1], ir.Return)
    name = names.pop() if len(names) == 1 and ends else ""
    return name if name in code.parameters.names and name not in bound_names(code.body) else ""


def _to_its_end(m: Machine, called: Function, results: Collection[str]) -> None:
    """Read a function's body. What it binds on the way to an early `return` is bound for its caller, too."""
    state, body = m.state, called.code.body
    if not returns_early(body):
        _body(m, called)
        return
    leads = landing(state, once=False)
    with state.within(caller=leads), state.heap.arm({}):
        _body(m, called)
        if state.live:
            fall(state, leads)
    if leads.broken or leads.ended:  # else it raises, or never ends
        state.take(joined_at_return(state, leads, state.frame, results))


def _body(m: Machine, called: Function) -> None:
    scope = called.under or _scope_around(m, called)
    if scope is None:
        m.execute(called.code.body)
        return
    with m.state.recording_as(scope):
        m.execute(called.code.body)


def _decorated(m: Machine, called: Function) -> Function | None:
    """What the project's own decorators make of a function; None where they hand it back."""
    code = called.code
    if called.bare or not code.decorators:
        return None
    made: Value = replace(called, me=None, bare=True)
    with m.state.within(frame=called.frame):
        for mark in reversed(code.decorators):
            decorator = m.evaluate(mark)
            if isinstance(decorator, Function):
                made = inline(m, mark, decorator, Arguments((made,)))
    return made if isinstance(made, Function) and (made.code is not code or made.under) else None


def _scope_around(m: Machine, called: Function) -> Value | None:
    """The scope that a function's decorators put it in, the outermost that says something; None where none does."""
    marks = [mark for mark in called.code.decorators if not accessor(called.code, mark)]
    scopes = [_scope_of(m, called, mark, m.evaluate(mark)) for mark in marks]
    return next((each for each in scopes if each is not None), None)


def _scope_of(m: Machine, called: Function, mark: ir.Expression, value: Value) -> Value | None:
    if isinstance(value, Choice):  # `@torch.no_grad() if found else plain`
        alternatives = [_scope_of(m, called, mark, each) for each in leaves_of(value)]
        return Scope(None) if any(alternatives) else None
    row = function(value.name) if isinstance(value, Api) else None
    if isinstance(row, Scoped):
        value = row.scope()
    if isinstance(value, Scope) and value.grad is not None:
        return value
    if isinstance(value, Function):
        return Scope(None) if _switches_grad(value) or last_name(mark) in without_grad() else None
    if isinstance(value, Class) or may_set_modes(m, value):
        _switched_by(m, mark, called)
        return Scope(None)
    return Scope(None) if last_name(mark) in without_grad() else None


def _switched_by(m: Machine, mark: ir.Expression, called: Function) -> None:
    """A decorator out of sight has what its function is given, and may put models among that in another mode (`@eval_on`)."""
    frame = m.state.frame
    given = [called.me, *(m.state.heap.get((frame, name)) for name in called.code.parameters.names)]
    models = [role for value in given if value is not None for role in held(m.state, value) if role.kind == "model"]
    if models:
        m.state.emit("escape", dict.fromkeys(models), mark)
        switched(m.state, models, None)


def _switches_grad(decorator: Function) -> bool:
    """A decorator of the project may turn autograd off for what it wraps."""
    facts = decorator.frame.source.index.of(decorator.code)
    return any(switches_grad(name) or name in without_grad() for name in facts.mentions)


@lru_cache(maxsize=4096)
def returns_early(body: ir.Block) -> bool:
    """Whether a function returns before its last statement, or inside of one."""
    ends = bool(body) and isinstance(body[-1], ir.Return)
    return any(isinstance(each, ir.Return) for each in ir.walk(*(body[:-1] if ends else body)))


# arguments and results


def _only_computes(called: Function) -> bool:
    """Whether a function, and what it calls of its file, does nothing to training, and uses nothing but what is known."""
    used = borrowed(called.frame.source.index, called.code.name)
    known = (packages(), pure(), differentiable(), sys.stdlib_module_names)
    return used is not None and all(any(module.partition(".")[0] in each for each in known) for module, _, _ in used)


def _written(m: Machine, node: ir.Place, called: Function) -> dict[str, str]:
    """What is written for each parameter at a call, with what the caller's caller wrote for that."""
    match node:
        case ir.Call(arguments=given):
            pass
        case ir.Augment(value=value):  # by which a class says what its operator does
            given = (ir.Argument(node.span, value),)
        case _:
            return {}
    names = called.code.parameters.names
    names = names[1:] if called.method else names
    outer = m.state.frame.written
    found = {}
    for index, arg in enumerate(given):
        name = arg.keyword or (names[index] if index < len(names) else "")
        code = m.state.frame.source.flat(arg.value)
        found[name] = f"{code}\n{outer.get(code, '')}".strip()
    return found


def _bind(m: Machine, frame: Frame, called: Function, args: Arguments) -> None:
    """Give a function its arguments."""
    state, parameters = m.state, called.code.parameters
    names = parameters.names
    given = list(args.values)
    if called.method and called.me is not None:
        given.insert(0, called.me)
    values = dict(zip(names, given, strict=False))
    values.update({name: value for name, value in args.keywords.items() if not name.startswith("*")})
    spread = [value for name, value in args.keywords.items() if name.startswith("*") and isinstance(value, Tensor)]
    asked = [each.name for each in parameters.positional if each.name not in values and each.default is None] if spread else []
    for index, name in enumerate(
        asked
    ):  # `loss_of(x, *net(x))`: what is not given otherwise is something that the network puts out
        values[name] = item(m, spread[0], Const(index))
    if parameters.rest:
        rest = given[len(names) :]
        unknown = spread[0] if len(spread) == 1 and not asked and not rest else state.fresh("args")
        state.heap[(frame, parameters.rest)] = gathered(state, tuple(rest)) if args.in_order else unknown
    for parameter in (*parameters.positional, *parameters.keyword):
        value = values.get(parameter.name)
        if value is None:
            value = _default(m, frame, called, parameter, args.complete)
        if isinstance(value, Symbol) and value.role is None and parameter.annotation:
            kind = annotated(parameter.annotation)
            if kind:
                whole = holder(state, value) if kind == "model" else None
                value.role = Role(kind, parameter.name, part_of=whole, open=kind != "model", evidence="annotated")
            elif value.typed is None:
                value.typed = class_of(m, called.frame, parameter.annotation)
        state.heap[(frame, parameter.name)] = value
    if parameters.options:
        known = {*names, *(each.name for each in parameters.keyword)}
        rest_of = {name: value for name, value in args.keywords.items() if name not in known}
        state.heap[(frame, parameters.options)] = (
            gathered(state, tuple(rest_of.values()), tuple(rest_of)) if args.complete else state.fresh("kwargs")
        )


def _default(m: Machine, frame: Frame, called: Function, parameter: ir.Parameter, complete: bool) -> Value:
    default = None
    if parameter.name in called.defaults:
        default = called.defaults[parameter.name]
    elif parameter.default is not None:
        with m.state.within(frame=called.frame):
            default = m.evaluate(parameter.default)
    if default is not None and complete:
        return default
    return m.state.symbol(
        Term("formal", id(called.code), parameter.name), (), default if isinstance(default, Const) and default != NONE else None
    )


def _is_exception(value: Value) -> bool:
    """`NotImplementedError("…")`, which nobody can train with."""
    term = term_of(value)
    name = str(term.operands[0]) if term.head == "call" else ""
    return name.startswith("builtins.") and name.endswith(("Error", "Exception"))


def _returned(m: Machine, returns: list[tuple[dict[Term, bool], Value]]) -> Value:
    """What a function returned: of several values, each under what had been assumed when it was returned."""
    state = m.state
    returns = [each for each in returns if not _is_exception(each[1])] or returns  # `return` where `raise` was meant
    if not returns:
        return NONE
    values = [value for _, value in returns]
    if len(values) == 1 or all(value == values[0] for value in values):
        return values[0]
    if all(isinstance(value, Tensor) for value in values):
        return tensor_in(Items(tuple(values))) or NONE
    for key in returns[0][0]:
        then = [each for each in returns if each[0].get(key) is not False]
        other = [each for each in returns if each[0].get(key) is not True]
        if key in state.conditions and len(then) < len(returns) and len(other) < len(returns):
            return state.choice(state.conditions[key], _returned(m, then), _returned(m, other))
    for key in dict.fromkeys(key for assumed, _ in returns for key, holds in assumed.items() if holds):
        then = [each for each in returns if each[0].get(key)]  # by a handler, where the body of the `try` has returned, too
        other = [each for each in returns if not each[0].get(key)]
        if other and key in state.conditions:
            return state.choice(state.conditions[key], _returned(m, then), _returned(m, other))
    solid = [value for value in values if value != NONE]
    return solid[0] if len(solid) == 1 else tensor_in(Items(tuple(values))) or state.fresh("returned")
