"""Statements: order, branches, scopes, and what leaves them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from loopcheck.loop import Role, Test
from loopcheck.read.domain.conditions import Condition, negate
from loopcheck.read.domain.heap import Key
from loopcheck.read.domain.jumps import at_last, jump, leave_function
from loopcheck.read.domain.parts import names_of, term_of
from loopcheck.read.domain.state import GRAD
from loopcheck.read.domain.terms import Term
from loopcheck.read.domain.values import NONE, Choice, Const, Scope, Value
from loopcheck.read.front import ir
from loopcheck.read.interpret.binding import last_name
from loopcheck.read.interpret.conditions import condition, tell_restored
from loopcheck.read.interpret.contexts import managed
from loopcheck.read.interpret.keeping import hand_back_best, use_best
from loopcheck.read.interpret.machine import Instruction, Machine
from loopcheck.read.interpret.names import lookup
from loopcheck.read.interpret.noticing import unused
from loopcheck.read.interpret.operators import comparison
from loopcheck.read.interpret.uncalled import tell_uncalled
from loopcheck.read.vocabulary import switches_grad, without_grad


def evaluated(m: Machine, node: ir.Evaluate) -> None:
    """A statement of an expression: what it is worth nobody asks for."""
    _done(m, node.value)


def _done(m: Machine, node: ir.Expression) -> None:
    """An expression of which nobody asks what it is worth, or several, `net.eval(), torch.set_grad_enabled(False)`. One that
    depends on a test is a branch: `torch.set_grad_enabled(True) if training else torch.set_grad_enabled(False)`."""
    match node:
        case ir.Sequence(elements=elements) if not any(isinstance(each, ir.Starred) for each in elements):
            for each in elements:
                _done(m, each)
        case ir.Conditional(test=test, then=then, other=other):
            m.state.branch(condition(m, test), lambda: _done(m, then), lambda: _done(m, other))
        case ir.Logical(word=word, left=left, right=right):
            found = condition(m, left)
            m.state.branch(found if word == "and" else negate(found), lambda: _done(m, right))
        case _:
            _left_unbound(m, node, m.evaluate(node))


def _left_unbound(m: Machine, node: ir.Expression, value: Value) -> None:
    if isinstance(node, ir.Call) and isinstance(value, (Scope, Choice)) and switches_grad(last_name(node)):
        m.state.heap[GRAD] = value if isinstance(value, Scope) else Scope(None)
    if isinstance(node, ir.Call):
        unused(m.state, node)
        if isinstance(value, Scope) and value.grad is False and last_name(node) in without_grad():
            m.state.emit("discard", [Role("scope", "")], node)
    tell_uncalled(m, node)


def returned(m: Machine, node: ir.Return) -> None:
    value = NONE if node.value is None else m.evaluate(node.value)
    if node.value is not None:
        hand_back_best(m, node.value, value)
        if m.state.bests:
            use_best(m, node.value, value)
    m.state.here.returns.append((dict(m.state.assumed), value))
    leave_function(m.state)


def raised(m: Machine, node: ir.Raise) -> None:
    if node.value is not None:
        m.evaluate(node.value)
    m.state.leave("raise")


def jumped(m: Machine, node: ir.Jump) -> None:
    landing = m.state.here.landing
    if landing is not None:  # it stands in a loop, or the program is none
        at_last(m.state, landing.finals)
        jump(m.state, landing, node.how)


def imported(m: Machine, node: ir.Import) -> None:
    for name, alias in node.names:
        top = name.partition(".")[0]
        m.state.heap[m.state.variable(alias or top)] = m.modules.bound(name if alias else top)


def imported_from(m: Machine, node: ir.ImportFrom) -> None:
    if node.names is None:
        m.modules.starred(node.module)
        return
    for name, alias in node.names:
        m.state.heap[m.state.variable(alias or name)] = m.modules.imported(node.module, name)


# branches


def conditional(m: Machine, node: ir.If) -> None:
    if is_main_guard(node.test):
        if m.state.frame.module == 0:  # an imported module is not the program
            m.execute(node.then)
        return
    found = condition(m, node.test)

    def guarded(outcome: bool) -> None:
        with m.state.within(guards=(*m.state.here.guards, node.test), arm=(node, outcome), decided=m.state.assumed):
            m.execute(node.then if outcome else node.other)

    m.state.branch(found, lambda: guarded(True), lambda: guarded(False))
    tell_restored(m, node, found)


def is_main_guard(test: ir.Expression) -> bool:
    """Whether a test holds where the file is run as a script."""
    return isinstance(test, ir.Compare) and isinstance(test.left, ir.Name) and test.left.name == "__name__"


def matched(m: Machine, node: ir.Match) -> None:
    subject = m.evaluate(node.subject)

    def case(index: int) -> None:
        if index == len(node.cases):
            return
        arm = node.cases[index]
        if arm.wild:
            found: Condition = True
        elif arm.literal is not None:
            found = comparison(m.state, subject, "==", m.evaluate(arm.literal))
        else:
            found = m.state.test(Term("matches", term_of(subject), arm.pattern), names_of(subject))
        if isinstance(found, Test):
            found = m.state.known(replace(found, at=m.state.site(arm)))
        m.state.branch(found, lambda: m.execute(arm.body), lambda: case(index + 1))

    case(0)


def tried(m: Machine, node: ir.Try) -> None:
    finals = m.state.here.finals
    with m.state.within(finals=(*finals, lambda: m.execute(node.final)) if node.final else finals):
        _tried(m, node)
    if node.final and m.state.live:
        m.execute(node.final)


def _tried(m: Machine, node: ir.Try) -> None:
    state = m.state
    flags = _flags(m, node.body)
    m.execute(node.body)
    fell = state.live

    def caught(body: ir.Block) -> None:
        for key, value in flags.items():
            state.heap[key] = value
        m.execute(body)

    for handler in node.handlers:
        raises = state.fresh("raises").term
        test = state.known(Test(raises, frozenset([Term("handler", id(handler))]), at=state.site(handler), text="except"))
        state.live = True
        state.branch(test, lambda body=handler.body: caught(body), lambda fell=fell: _restore(m, fell))  # type: ignore[misc]
        fell = state.live
    if node.orelse and state.live:
        m.execute(node.orelse)


def _flags(m: Machine, body: ir.Block) -> dict[Key, Value]:
    """What the flags and numbers that a body sets are where it has failed before: as they were, where that is its last statement,
    and unknown where something may fail behind it, too."""
    me = m.state.frame.me
    found: dict[Key, Value] = {}
    for statement in body[1:]:
        match statement:
            case ir.Assign(targets=(ir.Name(name=name),), value=ir.Literal()):
                key: Key = m.state.variable(name)
            case ir.Assign(targets=(ir.Attribute(base=base, name=name),), value=ir.Literal()) if _is_name_of(m, base, me):
                key = (me, name)
            case _:
                continue
        before = m.state.heap.get(key)
        if isinstance(before, Const):
            found[key] = before if statement is body[-1] else m.state.fresh(name)
    return found


def _is_name_of(m: Machine, expression: ir.Expression, me: Value | None) -> bool:
    return me is not None and isinstance(expression, ir.Name) and lookup(m, expression.name) is me


def _restore(m: Machine, live: bool) -> None:
    m.state.live = live


INSTRUCTIONS: Mapping[type, Instruction] = {
    ir.Evaluate: evaluated,
    ir.Return: returned,
    ir.Raise: raised,
    ir.Jump: jumped,
    ir.Import: imported,
    ir.ImportFrom: imported_from,
    ir.If: conditional,
    ir.Match: matched,
    ir.Try: tried,
    ir.With: managed,
}
