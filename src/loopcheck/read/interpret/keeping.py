"""A model that another name keeps as the best one so far: no copy, so it goes on learning under that name as well."""

from __future__ import annotations

from collections.abc import Iterator

from loopcheck.loop import Role
from loopcheck.read.domain.parts import parts_of, role_of
from loopcheck.read.domain.values import NONE, Api, Arguments, Bound, Function, Instance, Items, Object, Symbol, Value
from loopcheck.read.front import ir
from loopcheck.read.front.bound import bound_names
from loopcheck.read.interpret.machine import Machine
from loopcheck.words import BEST, FILLS, words


def keep_best(m: Machine, node: ir.Assign, value: Value) -> None:
    """`best_model = model`, under a test in a loop: the name is kept, and not what the model is now."""
    if m.state.here.loops and m.state.here.guards:
        for target in node.targets:
            for at, written, each in _parts(target, node.value, value):
                if _says_best(m, at) and _is_place(written) and not _says_best(m, written):
                    _keep(m, written, each)


def _parts(target: ir.Expression, written: ir.Expression, value: Value) -> Iterator[tuple[ir.Expression, ir.Expression, Value]]:
    """What is bound to what: of `best, best_model = loss, model`, each by itself."""
    match target, written, value:
        case ir.Sequence(elements=targets), ir.Sequence(elements=elements), Items(values, None) if (
            len(targets) == len(elements) == len(values)
        ):
            yield from zip(targets, elements, values, strict=True)
        case _:
            yield target, written, value


def _keep(m: Machine, written: ir.Expression, value: Value) -> None:
    """A model is kept as it is, unless another one is to learn from then on."""
    roles = [role_of(part) for part in parts_of(value)]
    models = [role for role in roles if role is not None and role.kind == "model" and role.evidence != "named"]
    if len(models) == len(roles) and not _is_left(m, m.code(written)):
        for role in models:
            kept = m.state.bests[role] = Role("state", "", of=(role,), anew=role.anew)
            m.state.emit("snapshot", [kept], written, {"of": "itself"})


def _is_left(m: Machine, name: str) -> bool:
    """Whether the arm of a branch that is read binds a name, to another object maybe."""
    match m.state.here.arm:
        case ir.If(then=then, other=other), bool(outcome):
            return name in bound_names(then if outcome else other)
        case _:
            return False


def use_best(m: Machine, node: ir.Expression, value: Value) -> None:
    """What is kept as the best model is made use of, by itself or in a tuple: as it is by now."""
    for _, at, each in _parts(node, node, value):
        if _says_best(m, at):
            _use(m, at, each)


def hand_back_best(m: Machine, node: ir.Expression, value: Value) -> None:
    """What was kept as the best weights is returned, by itself, in a tuple or in a dict: as it is by then, whoever gets it."""
    for _, at, each in _parts(node, node, value):
        match at, each:
            case ir.Mapping(values=written), Items(values, tuple()) if len(written) == len(values):
                for inner in zip(written, values, strict=True):
                    _hand_back(m, *inner)
            case _:
                _hand_back(m, at, each)


def _hand_back(m: Machine, node: ir.Expression, value: Value) -> None:
    roles = [role_of(part) for part in _known(m, value) if part != NONE]
    states = [role for role in roles if role is not None and role.kind == "state"]
    if states and len(states) == len(roles) and _says_best(m, node):
        m.state.emit("recall", states, node, {"saved": False})


def _use(m: Machine, node: ir.Expression, value: Value) -> None:
    if isinstance(value, Symbol):  # of which the loop around tells at its end what a pass leaves there
        m.state.emit_of_left("recall", value.term, node)
        return
    found = [m.state.bests.get(role) if (role := role_of(part)) else None for part in _known(m, value) if part != NONE]
    kept = [each for each in found if each is not None]
    if kept and len(kept) == len(found):
        m.state.emit("recall", kept, node)


def _known(m: Machine, value: Value) -> Iterator[Value]:
    """What a value may be; of what a loop found there, that."""
    for part in parts_of(value):
        yield from parts_of(m.state.entered.get(part.term, part)) if isinstance(part, Symbol) else (part,)


def use_best_in_call(m: Machine, node: ir.Call, callee: Value, given: Arguments) -> None:
    """The best model is applied, asked for its state, or handed to what is no function of Python's own; what fills it with other
    weights keeps those."""
    function = node.function
    filled = [function.base] if isinstance(function, ir.Attribute) and function.name == "load_state_dict" else []
    filled += [each.value for each in node.arguments] if words(_last(function)) & FILLS else []
    if any(_says_best(m, each) for each in filled):
        m.state.emit("restore", m.state.bests.values(), node)
        return
    match callee:
        case Bound(base, "state_dict") if isinstance(function, ir.Attribute):
            use_best(m, function.base, base)
        case Object() | Instance():
            use_best(m, function, callee)
        case Api() | Function() | Symbol() if not _is_harmless(callee):
            for argument, value in _pairs(node, given):
                use_best(m, argument, value)


def _is_harmless(callee: Value) -> bool:
    return isinstance(callee, Api) and callee.name.startswith("builtins.")


def _last(node: ir.Expression) -> str:
    return node.name if isinstance(node, (ir.Name, ir.Attribute)) else ""


def _pairs(node: ir.Call, given: Arguments) -> Iterator[tuple[ir.Expression, Value]]:
    """The arguments of a call that unpacks nothing, each as it is written and with what it is worth."""
    if any(each.star for each in node.arguments):
        return
    plain = [each.value for each in node.arguments if not each.keyword]
    yield from zip(plain, given.values, strict=False)
    yield from ((each.value, given.keywords[each.keyword]) for each in node.arguments if each.keyword in given.keywords)


def _is_place(node: ir.Expression) -> bool:
    """Whether an expression is a name, or what lies under one: `self.record["model"]`."""
    match node:
        case ir.Name():
            return True
        case ir.Attribute(base=base) | ir.Subscript(base=base, index=ir.Literal()):
            return _is_place(base)
        case _:
            return False


def _says_best(m: Machine, node: ir.Expression) -> bool:
    return _is_place(node) and bool(words(m.code(node)) & BEST)
