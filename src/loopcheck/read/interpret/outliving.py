"""What outlives the pass that puts something into it: a variable from before the loop, a list that keeps all that it gets."""

from __future__ import annotations

from functools import lru_cache

from loopcheck.read.domain.here import Pass
from loopcheck.read.domain.values import Function, Instance
from loopcheck.read.front import ir
from loopcheck.read.interpret.growing import begins_and_goes_on, is_same_place
from loopcheck.read.interpret.lineage import method_of
from loopcheck.read.interpret.machine import Machine
from loopcheck.words import LOSSES, MICRO, words


def innermost(m: Machine) -> Pass | None:
    """The innermost pass that comes round again; not one over micro-batches, which ends soon."""
    return next((each for each in reversed(m.state.here.passes) if not each.alone and not _is_window(each)), None)


def _is_window(turn: Pass) -> bool:
    """Whether a loop is one over the micro-batches of a window, as its bound says, or what it runs over that is no data."""
    return bool(words(turn.bound) & MICRO) or bool(words(turn.over.partition("\n")[0]) & MICRO and not turn.exhausts)


def outlives(m: Machine, target: ir.Expression, turn: Pass) -> bool:
    """Whether what is added to was there before this pass."""
    root, path = target, ""
    while isinstance(root := _entered(root), (ir.Attribute, ir.Subscript)):
        if isinstance(root, ir.Attribute):
            path = f".{root.name}"
        root = root.base
    if not isinstance(root, ir.Name):
        return False
    here = m.state.frame.source.path, m.active[-1].code if m.active else None
    if turn.function == here and not path:
        return root.name not in _bound_anew(turn.node)
    if not path:
        return _is_from_around(m, root.name, turn) and root.name not in _bound_anew(turn.node)
    owner = m.state.heap.get((m.state.frame, root.name))
    if not isinstance(owner, Instance) or (turn.function == here and f"{root.name}{path}" in _bound_anew(turn.node)):
        return False
    number = owner.term.operands[-1]
    return owner.term.head == "formal" or (isinstance(number, int) and number < turn.first)


_TAKING = frozenset({"clear", "pop", "popleft", "remove"})
"""Methods that take something out of a list."""


def _is_from_around(m: Machine, name: str, turn: Pass) -> bool:
    """Whether a variable is the module's, or that of the function around whose loop calls this one, and nobody empties it: no
    function binds it anew, or takes something out of it."""
    around = (each for each in m.state.frame.around() if (each, name) in m.state.heap)
    owner = next(around, None)
    if owner is None or owner is m.state.frame or m.state.frame.me is not None:
        return False
    index = owner.source.index
    if name in index.shared or not _TAKING.isdisjoint(index.uses.get(name, ())):
        return False
    calls = m.active[-2].code if m.active[1:] and m.active[-1].frame is owner else None
    return owner.parent is None or (calls is not None and turn.function == (owner.source.path, calls))


def is_taken_from(m: Machine, target: ir.Expression, turn: Pass) -> bool:
    """Whether the code that adds to a list takes something out of it as well, itself or by a method of the object that has it: it
    holds so many, however many passes there are."""
    here = m.state.frame.source.path, m.active[-1].code if m.active else None
    loop = turn.node.body if isinstance(turn.node, (ir.For, ir.While)) else ()
    own = loop if turn.function == here and loop else m.active[-1].code.body if m.active else ()
    holder = _holder(target)
    if holder in _taken_from(own):
        return True
    owner = m.state.frame.me if holder.startswith("self.") else None
    methods = _methods_called(loop) | _methods_called(own) if isinstance(owner, Instance) else ()
    found = [method_of(m, owner.cls, name, owner) for name in methods] if isinstance(owner, Instance) else []
    return any(isinstance(each, Function) and holder in _taken_from(each.code.body) | _emptied(each.code.body) for each in found)


@lru_cache(maxsize=4096)
def _methods_called(body: ir.Block) -> frozenset[str]:
    """The names of the methods that code calls."""
    calls = (each.function for each in ir.walk(*body) if isinstance(each, ir.Call))
    return frozenset(each.name for each in calls if isinstance(each, ir.Attribute))


@lru_cache(maxsize=4096)
def _emptied(body: ir.Block) -> frozenset[str]:
    """What code binds to something else than it was: `self.values` of `self.values = []`."""
    bound = (each for each in ir.walk(*body) if isinstance(each, ir.Assign))
    names = ((name, each.value) for each in bound for name in map(written, each.targets))
    return frozenset(name for name, value in names if name and name not in map(written, ir.walk(value)))


@lru_cache(maxsize=4096)
def _taken_from(body: ir.Block) -> frozenset[str]:
    """The lists that code takes something out of: `window.pop(0)`, `del window[0]`, `window = window[-10:]`."""
    found = set[str]()
    for node in ir.walk(*body):
        match node:
            case ir.Call(function=ir.Attribute(base=taken, name=name)) if name in _TAKING:
                found.add(_holder(taken))
            case ir.Assign(targets=(ir.Name() | ir.Attribute() as target,), value=ir.Subscript(base=taken, index=None)) if (
                is_same_place(target, taken)
            ):
                found.add(_holder(taken))
            case ir.Forget(targets=targets):
                found |= {_holder(each.base) for each in targets if isinstance(each, ir.Subscript)}
    return frozenset(found - {""})


def _holder(node: ir.Expression) -> str:
    """What holds a list, as it is written: `stats` of `stats["loss"]`."""
    while isinstance(node := _entered(node), ir.Subscript):
        node = node.base
    return written(node)


def _entered(node: ir.Expression) -> ir.Expression:
    """The dictionary in which something is found or put: `stats` of `stats.setdefault(key, [])`."""
    match node:
        case ir.Call(function=ir.Attribute(base=base, name="get" | "setdefault")):
            return base
        case _:
            return node


def written(node: ir.Node) -> str:
    """`total`, `self.total`; of anything else, nothing."""
    match node:
        case ir.Name(name=name):
            return name
        case ir.Attribute(base=ir.Name(name=of), name=name):
            return f"{of}.{name}"
        case _:
            return ""


@lru_cache(maxsize=4096)
def _bound_anew(loop: ir.Place) -> frozenset[str]:
    """What the passes of a loop bind anew, each of them or at the end of a window: `total` of `total = 0`."""
    found = set(map(written, ir.walk(loop.target))) if isinstance(loop, ir.For) else set[str]()
    nodes = [*ir.walk(*loop.body)] if isinstance(loop, (ir.For, ir.While)) else []
    begins = [begins_and_goes_on(each) for each in nodes if isinstance(each, ir.If)]
    top = _statements(loop.body) if isinstance(loop, (ir.For, ir.While)) else []
    for node in nodes:
        if isinstance(node, ir.Assign):
            read = set(map(written, ir.walk(node.value)))
            zero = not any(words(name) & LOSSES for name in read)
            parts = (each.elements if isinstance(each, ir.Sequence) else (each,) for each in node.targets)
            targets = [] if node in begins else [target for each in parts for target in each]
            found |= {name for name in map(written, targets) if name and name not in read and (zero or node in top)}
    return frozenset(found)


def _statements(body: ir.Block) -> list[ir.Node]:
    """The statements that every pass comes to."""
    return [inner for each in body for inner in (_statements(each.body) if isinstance(each, ir.With) else [each])]
