"""Which names stand for a wrapper around a model, as `ddp` does in `ddp = DistributedDataParallel(model)`, and not for itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from loopcheck.api import WRAPPER_NAMES, WRAPPING
from loopcheck.read.domain.heap import Key
from loopcheck.read.domain.parts import roles_in
from loopcheck.read.domain.values import Api, Const, Frame, Function, Instance, Object, Symbol
from loopcheck.read.front import ir
from loopcheck.read.interpret.machine import Machine
from loopcheck.read.interpret.names import lookup
from loopcheck.read.vocabulary import Same, methods


class _Wrappers:
    """The owner of what is known of names that stand for wrappers."""


class _Named:
    """The owner of the names that have wrappers, or had something else where there is none: they are bound on every way."""


WRAPPERS = _Wrappers()
NAMED = _Named()


PAST = "past"
"""What is known of a name that goes on standing for a model itself, when another one stands for a wrapper around it."""


class _Apart:
    """The owner of what is known of names that stand for a model as a framework hands it out."""


APART = _Apart()


def note_wrapper(m: Machine, target: ir.Expression, value: ir.Expression) -> None:
    """A name is bound, to a wrapper or to something else; of several, each to its part."""
    if isinstance(target, ir.Sequence):
        paired = isinstance(value, ir.Sequence) and len(value.elements) == len(target.elements)
        for at, each in enumerate(target.elements):
            part = value.elements[at] if paired and isinstance(value, ir.Sequence) else value
            _note(m, each, part, None if paired else at)
    else:
        _note(m, target, value)


def _note(m: Machine, target: ir.Expression, value: ir.Expression, at: int | None = None) -> None:
    """at: of what a call hands back, that part alone."""
    known = m.state.heap.of(WRAPPERS)
    held = _standing(m, value, at) if m.state.inert is None else ""
    key = _key(m, target) if held or known else None
    if key is not None and (held or key in known):
        m.state.heap[(WRAPPERS, key)] = Const(held)  # after a branch, too, whatever it was before
    if key is not None and held == "module" and isinstance(value, ir.Call):
        _note_kept(m, key)
    apart = is_apart(m, value)
    if (apart or m.state.heap.of(APART)) and (key := _key(m, target)):
        m.state.heap[(APART, key)] = Const(apart)


def _note_kept(m: Machine, wrapped: Key) -> None:
    """A model has a wrapper from here on: what other names stand for is the model itself."""
    heap = m.state.heap
    if not heap.is_new_in_arm(wrapped):
        heap[(NAMED, wrapped)] = Const(True)
    model = heap.get(wrapped)
    if model is None or not (roles := roles_in(model)) or any(role.anew for role in roles):
        return
    for key in heap.names_of(model, (Frame, Instance)):
        if key != wrapped and (WRAPPERS, key) not in heap:
            heap[(WRAPPERS, key)] = Const(PAST)


def goes_past(m: Machine, node: ir.Expression) -> bool:
    """Whether an expression is the model itself where there is a wrapper around it: `ddp.module`, or a name that it has kept."""
    return _standing(m, node) == PAST


def wrapper_written(m: Machine, node: ir.Expression) -> str:
    """How the wrapper is written where an expression goes past it: `ddp` of `ddp.module`, and of the name beside it; empty where
    it has no such name."""
    match node:
        case ir.Attribute(base=base) if _unwraps(node):
            return m.code(base)
        case ir.Name() | ir.Attribute() if (key := _key(m, node)) is not None:
            owner, value = key[0], m.state.heap.get(key)
            beside = [] if value is None else m.state.heap.names_of(value, (type(owner),))
            wrapping = [name for of, name in beside if of is owner and _is_named_wrapper(m, (of, name))]
            around = f"{m.code(node.base)}." if isinstance(node, ir.Attribute) else ""
            return f"{around}{wrapping[0]}" if wrapping else ""
        case _:
            return ""


def _is_named_wrapper(m: Machine, key: Key) -> bool:
    return m.state.heap.get((WRAPPERS, key)) == Const("module") and (NAMED, key) in m.state.heap


def is_apart(m: Machine, node: ir.Expression) -> bool:
    """Whether an expression is a model that goes past its framework on purpose, `accelerator.unwrap_model(model)`."""
    match node:
        case ir.Call(function=ir.Attribute(name="unwrap_model")):
            return True
        case ir.Name() | ir.Attribute() if m.state.heap.of(APART):
            key = _key(m, node)
            return key is not None and m.state.heap.get((APART, key)) == Const(True)
        case _:
            return False


def given_wrappers(m: Machine, call: ir.Place, names: tuple[str, ...]) -> dict[str, str]:
    """The parameters of a function, by their names in order, that a call gives wrappers, or what goes past one."""
    if not isinstance(call, ir.Call) or not m.state.heap.of(WRAPPERS):
        return {}
    named = [(each.keyword or (names[at] if at < len(names) else ""), each.value) for at, each in enumerate(call.arguments)]
    return {name: held for name, value in named if name and (held := _standing(m, value))}


def hand_over(m: Machine, frame: Frame, given: dict[str, str]) -> None:
    """A function has these parameters."""
    for name, held in given.items():
        m.state.heap[(WRAPPERS, (frame, name))] = Const(held)


def wrapper(m: Machine, node: ir.Expression) -> str:
    """The attribute under which what an expression is worth has the model, `module`; empty where it is no wrapper."""
    return held if (held := _standing(m, node)) != PAST else ""


def _standing(m: Machine, node: ir.Expression, at: int | None = None) -> str:
    """What an expression stands for: of a wrapper the attribute under which it has the model, `PAST` of the model in one, and
    empty of what is neither, or not known.

    at: that part of what a call hands back.
    """
    match node:
        case ir.Call(function=ir.Name(name=name)) if at is not None:
            callee = m.state.settled(lookup(m, name))
            return _returned(callee.code, at) if isinstance(callee, Function) else ""
        case _ if at is not None:
            return ""
        case ir.Call(function=ir.Attribute(base=base, name=name)) if isinstance(methods().get(("model", name)), Same):
            return _standing(m, base)
        case ir.Call(function=ir.Name() | ir.Attribute() as function) if function.name in WRAPPER_NAMES:
            callee = m.evaluate(function)
            return WRAPPING.get(callee.name, "") if isinstance(callee, Api) and node.arguments else ""
        case ir.Call(function=ir.Name(name=name)):
            callee = m.state.settled(lookup(m, name))
            return _returned(callee.code) if isinstance(callee, Function) else ""
        case ir.Attribute(base=base) if _unwraps(node) and wrapper(m, base):
            return PAST
        case ir.Conditional(then=then, other=other):
            stands = [_standing(m, then), _standing(m, other)]
            if _unwraps(then) or _unwraps(other):
                return PAST if PAST in stands else ""
            around = [each for each in stands if each != PAST]
            return next(filter(None, around), "") if around else PAST
        case ir.Name() | ir.Attribute() if m.state.heap.of(WRAPPERS):
            key = _key(m, node)
            held = None if key is None else m.state.heap.get((WRAPPERS, key))
            return str(held.value) if isinstance(held, Const) else ""
        case _:
            return ""


@lru_cache(maxsize=4096)
def _returned(code: ir.Code, at: int | None = None) -> str:
    """What `_standing` says of what a function returns, where it makes the wrapper on some way: it returns one as it is made, or
    a name that it binds to one, or the model in it alone.

    at: the part of what it returns that is asked about.
    """
    made = dict[str, str]()
    parted = _parted(code.body)
    returned: list[ir.Expression] = []
    for node in ir.walk(*code.body):
        match node:
            case ir.Assign(targets=(ir.Name(name=name),), value=value) if around := _made(value):
                made[name] = around
            case ir.Return(value=ir.Sequence(elements=parts)) if at is not None and at < len(parts):
                returned.append(parts[at])
            case ir.Return(value=value) if value is not None and at is None:
                returned.append(value)
    past = [each for each in returned if _is_parted(each, parted, made)]
    stands = (made.get(each.name, "") if isinstance(each, ir.Name) else _made(each) for each in returned if each not in past)
    return next(filter(None, stands), PAST if past else "")


def _is_parted(node: ir.Expression, parted: frozenset[str], made: Mapping[str, str]) -> bool:
    """Whether an expression is the model in a wrapper that the function has made, `ddp.module`, or a name of that."""
    match node:
        case ir.Name(name=name):
            return name in parted
        case ir.Attribute(base=ir.Name(name=name)):
            return _unwraps(node) and name in made and name not in parted
        case _:
            return False


def _parted(body: ir.Block) -> frozenset[str]:
    """The names that are bound to the model in a wrapper at last, on every way: `net = net.module` after `net = DDP(net)`."""
    made, parted = set[str](), set[str]()
    for statement in body:
        for each in ir.walk(statement):
            if isinstance(each, ir.Assign):
                parted.difference_update(_bound(each))
                made.update(_bound(each) if _made(each.value) else ())
        match statement:
            case ir.Assign(targets=(ir.Name(name=name),), value=ir.Attribute(base=ir.Name(name=of)) as value) if of in made:
                parted.update({name} if _unwraps(value) else ())
            case _:
                pass
    return frozenset(parted)


def _bound(node: ir.Assign) -> Iterator[str]:
    """The variables that an assignment binds."""
    return (each.name for target in node.targets for each in ir.walk(target) if isinstance(each, ir.Name))


def _made(node: ir.Expression) -> str:
    match node:
        case ir.Call(function=ir.Name(name=name) | ir.Attribute(name=name)) if name in _REPLICATE:
            return "module"
        case _:
            return ""


_REPLICATE = frozenset({"DistributedDataParallel", "DDP"})


def _unwraps(node: ir.Expression) -> bool:
    """Whether an expression is the model in a wrapper: `ddp.module`."""
    return isinstance(node, ir.Attribute) and node.name in WRAPPING.values()


def _key(m: Machine, node: ir.Expression) -> Key | None:
    """The variable or the attribute that an expression names."""
    match node:
        case ir.Name(name=name):
            frames = (frame for frame in m.state.frame.home(name).around() if (frame, name) in m.state.heap)
            return next(((frame, name) for frame in frames), None)
        case ir.Attribute(base=ir.Name() as base, name=name):
            owner = m.evaluate(base)
            return (
                (owner, name)
                if isinstance(owner, (Instance, Symbol))
                else (owner.role, name)
                if isinstance(owner, Object)
                else None
            )
        case _:
            return None
