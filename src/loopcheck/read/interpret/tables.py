"""What a table of functions and classes makes under a key that nobody knows: `NETWORKS[name](classes)`.

No entry that makes a network is interpreted: each may make a large one, and one of them is made. What a rule asks of the network
is asked of the classes, and known where they agree. Of trainers the first is read: it may be the one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from loopcheck.api import MOVES
from loopcheck.loop import Role
from loopcheck.read.domain.values import Class, Function, Instance, Partial, Symbol, Value
from loopcheck.read.front import ir
from loopcheck.read.interpret.lineage import facts_of, kind_of, lineage
from loopcheck.read.interpret.machine import Machine
from loopcheck.read.interpret.moded import layerless
from loopcheck.words import CRITERION, words

_KEEPING = MOVES | {"load_state_dict"}
"""Methods of a network after which it has the layers that it had, in the mode and with the gradients that they had."""


def networks_of(m: Machine, makers: Iterable[Value]) -> list[Class]:
    """The classes of which each of these makes a network; none where one of them makes anything else, or nobody knows what."""
    made = [_class_made(m, each, ()) for each in makers]
    networks = [cls for cls in made if cls is not None and _is_trained(m, cls)]
    return networks if len(networks) == len(made) else []


def variant_of(m: Machine, makers: Sequence[Value]) -> Class | None:
    """The first of classes that are variants of one of the project, trainers say: with that key it is a program that is meant.
    None where one of them makes anything else, or an object that events happen to."""
    classes = [each for each in makers if isinstance(each, Class) and kind_of(m, each) is None]
    families = [{each.node for each in lineage(m, cls)} for cls in classes]
    alike = bool(classes) and len(classes) == len(makers) and set.intersection(*families)
    return classes[0] if alike else None


def one_of(m: Machine, node: ir.Place, made: Value, networks: Iterable[Class]) -> Value:
    """What a call has made, which is a network of one of these classes; in train mode, where none of them chooses its own."""
    if isinstance(made, Symbol) and made.role is None:
        classes = [*dict.fromkeys(networks)]
        made.role = Role("model", "", anew=m.state.here.loops)
        m.state.arms[made.role] = tuple(_unread(m, cls) for cls in classes)
        if not any({"eval", "train"} & facts_of(lineage(m, cls)).calls for cls in classes):
            m.state.emit("build", [made.role], node, {"training": True})
    return made


def _is_trained(m: Machine, cls: Class) -> bool:
    """Whether objects of a class are trained: no losses, which are modules as well."""
    return kind_of(m, cls) == "model" and not words(cls.name) & CRITERION and not layerless(m, cls)


def _unread(m: Machine, cls: Class) -> Role:
    """A network of which nothing is known but its class."""
    role = Role("model", "")
    m.made_of[role] = Instance(cls, m.state.new(cls.name, "instance"), role)
    return role


def _class_made(m: Machine, maker: Value | None, within: tuple[ir.Code, ...]) -> Class | None:
    """The class of what a call makes; None where that cannot be told, or more is done with it. within: the functions around."""
    match maker:
        case Class():
            return maker
        case Partial(function=inner):
            return _class_made(m, inner, within)
        case Function(code, me=None, under=None) if code not in within and not code.decorators:
            returned = [each.value for each in ir.walk(*code.body) if isinstance(each, ir.Return)]
            return _agreed(_class_of(m, maker, value, (*within, code)) for value in returned)
        case _:
            return None


def _agreed(classes: Iterable[Class | None]) -> Class | None:
    """The class, where it is one."""
    found = {*classes}
    return found.pop() if len(found) == 1 else None


def _class_of(m: Machine, function: Function, node: ir.Expression | None, within: tuple[ir.Code, ...]) -> Class | None:
    """The class of what an expression in a function is worth, where that is made there."""
    match node:
        case ir.Call(function=ir.Attribute(base=base, name=name)) if name in MOVES:
            return _class_of(m, function, base, within)
        case ir.Call(function=ir.Name(name=name)) if name not in function.code.parameters.names and not _bound(function, name):
            known = (m.state.heap.get((frame, name)) for frame in function.frame.around())
            found = next((each for each in known if each is not None), None)
            return None if found is None else _class_made(m, m.fetched(found), within)
        case ir.Name(name=name) if _is_kept(function, name):
            return _agreed(_class_of(m, function, value, within) for value in _bound(function, name))
        case _:
            return None


def _bound(function: Function, name: str) -> list[ir.Expression]:
    """What a variable of a function is bound to."""
    assigned = (each for each in ir.walk(*function.code.body) if isinstance(each, ir.Assign))
    return [each.value for each in assigned for target in each.targets if isinstance(target, ir.Name) and target.name == name]


def _is_kept(function: Function, name: str) -> bool:
    """Whether a function returns what a variable is bound to as it was made: all that is done with it is to load its weights, and
    to move it."""
    nodes = [*ir.walk(*function.code.body)]
    uses = [
        each
        for each in nodes
        if (isinstance(each, ir.Return) and _names(each.value, name))
        or (isinstance(each, ir.Assign) and any(_names(target, name) for target in each.targets))
        or (isinstance(each, ir.Attribute) and each.name in _KEEPING and _names(each.base, name))
    ]
    return len(uses) == sum(_names(each, name) for each in nodes)


def _names(node: ir.Node | None, name: str) -> bool:
    return isinstance(node, ir.Name) and node.name == name
