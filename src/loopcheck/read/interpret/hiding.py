"""Layers that a network keeps in a plain list or dictionary, where it does not find them when it is asked for its parameters."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from functools import lru_cache

from loopcheck.loop import Role
from loopcheck.read.domain.values import Api, Class, Frame, Symbol, Value
from loopcheck.read.front import ir
from loopcheck.read.front.bound import bound_by
from loopcheck.read.interpret.binding import last_name
from loopcheck.read.interpret.filling import Body, Written, added_to, called, filled, given, makers, path_of, reached
from loopcheck.read.interpret.helpers import own_names, root_of
from loopcheck.read.interpret.lineage import kind_of, lineage
from loopcheck.read.interpret.machine import Machine
from loopcheck.read.vocabulary import has_parameters
from loopcheck.read.vocabulary.layers import copies_layers, is_container

_ON_PURPOSE = frozenset({
    "add_module", "register_module", "register_parameter", "setattr", "__setattr__", "_modules", "_apply", "requires_grad_",
})  # fmt: skip
"""Where a network speaks of one of these, it may know what it does not see."""
_OF_ALL = frozenset({"parameters", "named_parameters", "state_dict"})
"""What a network may be asked for without knowing that: itself, and what it registers."""


def tell_hidden(m: Machine, cls: Class) -> None:
    """A network hides layers from itself, as its class is written: that needs no object of it."""
    init = cls.methods.get("__init__")
    if init is None or _is_replaced(cls):
        return
    making = _making(m, Body(init, cls, {}))
    attributes = _attributes(making, cls)
    asked = [(name, values) for name, values in attributes.items() if _is_missed(name, cls, making)]
    if not asked or kind_of(m, cls) != "model" or _knows(m, cls, making):
        return
    for name, values in asked:
        if not _is_handed_on(m, name, making):
            _tell(m, cls, values, [each for body in making for each in added_to(f"self.{name}", body)])


def _tell(m: Machine, cls: Class, values: Iterable[Written], added: Sequence[Written]) -> None:
    """An attribute that is a list or a dictionary, by one of the values that it is given, hides the layers in it."""
    for value in values:
        if (whole := filled(m, value, added)) is None:
            continue
        layers = [made for each in whole.elements if (made := makers(m, each))]
        alone = whole.counted and len(layers) == 1
        if not alone and any(_learn(m, made) for made in layers):
            bare = all(last_name(each.node) == "Parameter" for made in layers for each in made)
            facts = {"of": "dict" if whole.keyed else "list", "bare": None if whole.nested else bare}
            m.state.emit("hide", [Role("class", cls.name)], value.node, facts)


def _making(m: Machine, init: Body) -> list[Body]:
    """What a constructor runs of its network's methods, itself first, each once: not what applies the layers."""
    found, work = dict[ir.Code, Body](), [init]
    while work:
        body = work.pop()
        if body.code in found or body.code.name == "forward":
            continue
        found[body.code] = body
        work += [each for node in reached(body.code) for each in _own_called(m, body, node)]
    return [*found.values()]


def _own_called(m: Machine, body: Body, node: ir.Node) -> list[Body]:
    """The methods of its network that a function runs by an instruction."""
    match node:
        case ir.Call(function=ir.Attribute(base=ir.Name(name="self"))):
            return called(m, body, node)
        case _:
            return []


def _attributes(making: Iterable[Body], cls: Class) -> dict[str, list[Written]]:
    """The attributes that the methods of a class give values, each with these; not those that are a `ModuleList` under another
    test, to which what is put into them may belong, and not those that are deleted when something else was made of them."""
    found = defaultdict[str, list[Written]](list)
    deleted = set[str]()
    for body in making:
        if body.function.owner is cls:
            nodes = reached(body.code)
            deleted.update(
                path_of(each).removeprefix("self.") for node in nodes if isinstance(node, ir.Forget) for each in node.targets
            )
            for name, value in _bound(nodes):
                found[name].append(Written(value, body))
    lasting = {name: values for name, values in found.items() if name not in deleted}
    return {name: values for name, values in lasting.items() if not any(_is_registered(each.node) for each in values)}


def _is_registered(value: ir.Expression) -> bool:
    """Whether an expression makes a container of torch's, by its name."""
    return isinstance(value, ir.Call) and is_container(f"torch.nn.{last_name(value)}")


def _knows(m: Machine, cls: Class, making: Iterable[Body]) -> bool:
    """Whether the network registers layers by hand, means not to, or says itself what its parameters or its state are."""
    family = lineage(m, cls)
    said = [each.frame.source.index.within(each.node) for each in family]
    mentioned = set[str]().union(*(facts.mentions for facts in said), *(each.methods for each in family))
    if not _ON_PURPOSE.isdisjoint(mentioned) or any(not _OF_ALL.isdisjoint(each.methods) for each in family):
        return True
    asked = {of for facts in said for of, name in facts.taken if name in _OF_ALL}
    parts = {
        name for body in making for name, _ in _bound(reached(body.code))
    }  # each is a network, and registered: no list has them
    return not asked <= {"self", *parts}


def _bound(nodes: Sequence[ir.Node]) -> Iterator[tuple[str, ir.Expression]]:
    """The attributes that a function gives values, each with one."""
    for node in nodes:
        match node:
            case (
                ir.Assign(targets=(ir.Attribute(base=ir.Name(name="self"), name=name),), value=value)
                | ir.Annotate(target=ir.Attribute(base=ir.Name(name="self"), name=name), value=value)
            ) if value is not None:
                yield name, value


def _learn(m: Machine, made: Sequence[Written]) -> bool:
    """Whether what one of several calls makes has parameters, whichever it is."""
    return bool(made) and all(_learns(m, each) for each in made)


def _learns(m: Machine, made: Written) -> bool:
    """Whether a call makes a layer with parameters, of torch or of the project."""
    node, body = made.node, made.within
    if not isinstance(node, ir.Call):
        return False
    classes = _meant(body.code, node.function)
    return bool(classes) and all(_of_class_learns(m, made, each) for each in classes)


def _meant(code: ir.Code, function: ir.Expression) -> Sequence[ir.Expression]:
    """What a function calls: where it gives a name of its own to classes alone, `conv = nn.Conv3d`, each of these."""
    own = own_names(code)
    if isinstance(function, ir.Name) and function.name in own:
        bound = [node for node in reached(code) if function.name in bound_by(node)]
        several = [arm for node in bound if isinstance(node, ir.Assign) for arm in _arms(node.value)]
        known = all(isinstance(node, ir.Assign) for node in bound) and function.name not in code.parameters.names
        return several if known and all(_is_others(own, each) for each in several) else []
    return [function] if _is_others(own, function) else []


def _arms(value: ir.Expression) -> Iterator[ir.Expression]:
    """What an expression may be, by a test: `Block if wide else Slim` one of two."""
    match value:
        case ir.Conditional(then=then, other=other):
            yield from (*_arms(then), *_arms(other))
        case _:
            yield value


def _is_others(own: Set[str], node: ir.Expression) -> bool:
    """Whether a path, `nn.Conv3d`, begins with what is no name of a function's own."""
    root = root_of(node)
    return root is not None and root.name not in own


def _of_class_learns(m: Machine, made: Written, function: ir.Expression) -> bool:
    """Whether what a call makes has parameters, where it calls this."""
    with m.state.within(frame=made.within.function.frame):
        callee: Value = m.evaluate(function)
    match callee:
        case Api(name) if is_container(name):
            return any(_learn(m, makers(m, value)) for value in _held_by(m, made))
        case Api(name):
            return has_parameters(name) and not (isinstance(made.node, ir.Call) and _is_frozen(made.node))
        case Class():
            return _is_layered(m, callee, made)
        case Symbol() if isinstance(function, ir.Name):
            return any(_is_layered(m, each, made) for each in _defined_below(m, made.within.function.frame, function.name))
        case _:
            return False


def _defined_below(m: Machine, module: Frame, name: str) -> list[Class]:
    """The class of this name of a module, which has not come to it yet: of its body no more than its words are known."""
    body = module.source.body if module.name == "module" else ()
    with m.state.within(frame=module):
        return [
            Class(each, module, tuple(map(m.evaluate, each.bases)))
            for each in body
            if isinstance(each, ir.Class) and each.name == name
        ]


def _is_layered(m: Machine, cls: Class, made: Written) -> bool:
    """Whether a class is of networks that have parameters, as a call makes one."""
    return kind_of(m, cls) == "model" and _has_layers(m, cls, made)


def _has_layers(m: Machine, cls: Class, made: Written) -> bool:
    """Whether the networks of a class have parameters: it speaks of a layer that does, makes one where it is made, or is given
    one there, `Residual(nn.Linear(4, 4))`."""
    maker = made.within
    taken = cls.frame.source.index.within(cls.node).taken
    learning = {name for of, name in taken if of == "nn" and has_parameters(f"torch.nn.{name}")}
    if learning - {"Parameter"} or (learning and _has_parameters(cls)):
        return True
    init = cls.methods.get("__init__")
    if init is None or any(init.code is each.code for each in maker.around):
        return False
    body = Body(init, cls, given(maker, init, made.node) if isinstance(made.node, ir.Call) else {}, maker)
    nodes = reached(init.code)
    made_there = [*(value for _, value in _bound(nodes)), *(node for node in nodes if isinstance(node, ir.Call))]
    return any(_learn(m, makers(m, Written(each, body))) for each in made_there)


def _has_parameters(cls: Class) -> bool:
    """Whether a class makes a parameter by itself that is trained."""
    codes = (each.code for each in cls.node.body if isinstance(each, ir.Define))
    calls = (node for code in codes for node in ir.walk(*code.body) if isinstance(node, ir.Call))
    return any(last_name(call) == "Parameter" and not _is_frozen(call) for call in calls)


def _is_frozen(call: ir.Call) -> bool:
    """Whether what a call makes is not trained: `nn.Parameter(gamma, requires_grad=False)`."""
    said = (each.value for each in call.arguments if each.keyword == "requires_grad")
    return any(isinstance(value, ir.Literal) and value.value is False for value in said)


def _held_by(m: Machine, made: Written) -> list[Written]:
    """What a container is given, one by one."""
    node = made.node
    given = [made.of(each.value) for each in node.arguments] if isinstance(node, ir.Call) else []
    inside = [(value, filled(m, value)) for value in given]
    return [each for value, whole in inside for each in (whole.elements if whole else [value])]


def _is_replaced(cls: Class) -> bool:
    """Whether the file has another class of this name further down: it is that which anybody makes objects of."""
    bodies = cls.frame.source.index.bodies
    return cls.frame.parent is None and any(row > cls.node.span[0] and each.name == cls.name for row, each in bodies.items())


def _is_missed(name: str, cls: Class, making: Iterable[Body]) -> bool:
    """Whether a network may use what it keeps in an attribute, and nothing else has it."""
    return _is_applied(name, cls, {body.code for body in making}) and not _used_elsewhere(name, cls)


def _is_applied(name: str, cls: Class, making: Set[ir.Code]) -> bool:
    """Whether a network with a forward may use what it keeps, in another method than those that make it."""
    others = [method for method in cls.methods.values() if method.code not in making]
    said = (method.frame.source.index.of(method.code).mentions for method in others)
    return "forward" not in cls.methods or any(name in mentions for mentions in said)


def _is_handed_on(m: Machine, name: str, making: Iterable[Body]) -> bool:
    """Whether a constructor gives what it keeps in an attribute, or a part of that, to something else, which may register it."""
    for body in making:
        nodes = reached(body.code)
        parts = _parts(f"self.{name}", nodes)
        for node in nodes:
            match node:
                case ir.Assign(value=value) if _stem(value) in parts:
                    return True
                case ir.Call(function=function, arguments=given) if any(_stem(each.value) in parts for each in given):
                    if not _is_builtin(m, body, function):
                        return True
    return False


def _parts(path: str, nodes: Iterable[ir.Node]) -> Set[str]:
    """The paths of a list and of what loops over it take out of it."""
    over = (node for node in nodes if isinstance(node, ir.For) and path in map(path_of, ir.walk(node.iterable)))
    return {path, *(name for loop in over for name in bound_by(loop))}


def _stem(node: ir.Expression) -> str:
    """The path of what an expression is an item of, or all items of, `self.layers` of `self.layers[0]` and of itself."""
    match node:
        case ir.Subscript(base=base) | ir.Starred(value=base):
            return _stem(base)
        case _:
            return path_of(node)


def _is_builtin(m: Machine, body: Body, function: ir.Expression) -> bool:
    """Whether a call is of one of Python's own functions, `len(self.layers)`."""
    if not isinstance(function, ir.Name) or function.name in own_names(body.code):
        return False
    with m.state.within(frame=body.function.frame):
        callee = m.evaluate(function)
    return isinstance(callee, Api) and callee.name.startswith("builtins.")


def _used_elsewhere(name: str, cls: Class) -> bool:
    """Whether something else holds the layers too, or has copies of them, or somebody asks a network for them:
    `nn.Sequential(*self.layers)`, `nn.TransformerEncoder(self.layers[0], 6)`."""
    if any(name in taken for of, taken in cls.frame.source.index.uses.items() if of != "self"):
        return True
    return any(name in _contained(method.code) for method in cls.methods.values())


@lru_cache(maxsize=4096)
def _contained(code: ir.Code) -> frozenset[str]:
    """The attributes that a function gives to networks of networks, and to those that copy what they are given."""
    calls = (node for node in ir.walk(*code.body) if isinstance(node, ir.Call))
    taking = (node for node in calls if is_container(made := f"torch.nn.{last_name(node)}") or copies_layers(made))
    inside = ir.walk(*(given.value for node in taking for given in node.arguments))
    return frozenset(each.name for each in inside if isinstance(each, ir.Attribute))
