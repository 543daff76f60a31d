"""Context managers: what a `with` puts around its body, the project's own interpreted."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from loopcheck.loop import Frame as CallRegion
from loopcheck.read.domain.jumps import fall, joined_ways, landing, leave_function
from loopcheck.read.domain.parts import leaves_of, parts_of
from loopcheck.read.domain.terms import Term
from loopcheck.read.domain.values import NO_ARGUMENTS, NONE, Arguments, Choice, Function, Instance, Partial, Scope, Symbol, Value
from loopcheck.read.front import ir
from loopcheck.read.interpret.binding import assign, last_name
from loopcheck.read.interpret.functions import inline
from loopcheck.read.interpret.machine import Machine
from loopcheck.read.interpret.members import attribute
from loopcheck.read.interpret.scoping import is_manager, may_set_modes
from loopcheck.read.interpret.unrolling import leaves_loop
from loopcheck.read.vocabulary import without_grad
from loopcheck.words import HARMLESS_AROUND, words


def managed(m: Machine, node: ir.With) -> None:
    context = m.state.settled(m.evaluate(node.context))
    match context:
        case Partial(Function() as manager, args, keywords) if is_manager(manager):
            _with_generator(m, node, manager, Arguments(args, dict(keywords)))
            return
        case Instance() if isinstance(attribute(m, context, "__enter__"), Function):
            _with_object(m, node, context)
            return
    if (name := last_name(node.context)) in without_grad() and not any(isinstance(part, Scope) for part in leaves_of(context)):
        context = m.state.fresh(name)  # what stands in for the library where that is missing: it may be the library's
    if node.target is not None:
        assign(m, node.target, context if not isinstance(context, Scope) else m.state.fresh("context"))
    _scoped(m, context, node.context, lambda: m.execute(node.body))


def _with_generator(m: Machine, node: ir.With, manager: Function, given: Arguments) -> None:
    """A `with` over a generator of the project: its body runs where the generator yields."""
    here = m.state.here
    ways: list[bool] = []
    ends = _returns(node.body) or any(_ends_with(each.code.body, node) for each in m.active)
    confined = ends and not leaves_loop(node.body)

    def resume(value: Value) -> None:
        inner = m.state.here
        around = {"frame": here.frame, "calls": here.calls, "returns": here.returns, "finals": here.finals}
        with m.state.within(**around, resumes=inner.resumes, landing=here.landing, caller=here.caller):
            if node.target is not None:
                assign(m, node.target, value)
            if confined:
                _to_its_end(m, node)
            else:
                m.execute(node.body)
        ways.append(m.state.live)
        m.state.live = True

    with m.state.within(resumes=(*here.resumes, resume)):
        inline(m, node.context, manager, given)
    if not ways:  # it never yielded, as far as was read
        m.execute(node.body)
    elif not any(ways) and confined:
        leave_function(m.state)
    elif not any(ways):
        m.state.leave("return")


def _to_its_end(m: Machine, node: ir.With) -> None:
    """The body of a `with` after which its function ends, to where the generator goes on: what that does at last is done before
    whoever called the function has control again, however early the body returns."""
    state = m.state
    leads = landing(state, once=False)

    def read() -> None:
        m.execute(node.body)
        if state.live:
            fall(state, leads)

    with state.within(caller=leads, finals=()), state.heap.arm({}):
        region = state.block(read)
    state.take(joined_ways(state, [*leads.broken, *leads.ended]))
    state.out.append(CallRegion(region))


def _returns(body: ir.Block) -> bool:
    """Whether code returns, whichever way it goes."""
    match body[-1] if body else None:
        case ir.Return():
            return True
        case ir.If(then=then, other=other):
            return _returns(then) and _returns(other)
        case ir.With(body=inner):
            return _returns(inner)
        case _:
            return False


def _ends_with(body: ir.Block, node: ir.With) -> bool:
    """Whether nothing comes after a statement in a function."""
    match body[-1] if body else None:
        case ir.With(body=inner) as last:
            return last is node or _ends_with(inner, node)
        case ir.If(then=then, other=other):
            return _ends_with(then, node) or _ends_with(other, node)
        case _:
            return False


def _with_object(m: Machine, node: ir.With, manager: Instance) -> None:
    """A `with` over an object of a class of the project: its body runs between `__enter__` and `__exit__`, however it is left."""

    def leave() -> None:
        m.invoke(node.context, attribute(m, manager, "__exit__"), Arguments((NONE, NONE, NONE)))

    with m.state.recording_as():
        entered = m.invoke(node.context, attribute(m, manager, "__enter__"), NO_ARGUMENTS)
        if node.target is not None:
            assign(m, node.target, entered)
        with m.state.within(finals=(*m.state.here.finals, leave)):
            m.execute(node.body)
        if m.state.live:
            leave()


def _scoped(m: Machine, context: Value, node: ir.Expression, read: Callable[[], None]) -> None:
    state = m.state
    context = state.settled(context)
    if isinstance(context, Choice) and any(isinstance(part, Scope) and part.grad is not None for part in parts_of(context)):
        then, other = context.then, context.other
        state.branch(context.test, lambda: _chosen(m, then, node, read), lambda: _chosen(m, other, node, read))
        return
    scope = None
    if isinstance(context, Scope) and (context.grad is not None or context.wanted):
        scope = context
    elif may_set_modes(m, context) and not _is_bar(context, node):
        scope = Scope(None)
        state.emit("evaluate", [], node, open=True)
    exits: list[tuple[Mapping[Term, bool], Callable[[], Value]]] = []
    with state.recording_as(scope), state.within(exits=exits, precision=_precision(context) or state.here.precision):
        read()
        for assumed, callback in reversed(exits):
            state.under(assumed, callback)
    if isinstance(context, Scope) and context.leave:
        context.leave()


def _is_bar(context: Value, node: ir.Expression) -> bool:
    """Whether a context is what shows how far a pass is, and stands for that: `with tqdm(loader) as bar:`, whatever that is."""
    said = words(last_name(node)) if isinstance(node, ir.Call) and isinstance(context, Symbol) else frozenset[str]()
    return bool(said & HARMLESS_AROUND) and "grad" not in said


def _chosen(m: Machine, context: Value, node: ir.Expression, read: Callable[[], None]) -> None:
    """One of several contexts, of which another turns autograd off: where this one does not, a graph is wanted."""
    state = m.state
    on = state.records
    scope = Scope(on, wanted=on is True) if not isinstance(context, Scope) or context.grad is None else None
    with state.recording_as(scope):
        _scoped(m, context, node, read)


def _precision(context: Value) -> str:
    """What autocast computes in under this context; empty where it is none."""
    told = {part.precision if isinstance(part, Scope) else "?" for part in leaves_of(context)}
    return told.pop() if len(told) == 1 else "?"
