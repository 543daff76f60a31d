"""Lists and dictionaries as functions fill them, and what makes the layers in them, read as it is written: nothing is called."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from loopcheck.api import MOVES, WRAPPER_NAMES
from loopcheck.read.domain.values import Class, Function
from loopcheck.read.front import ir
from loopcheck.read.front.bound import bound_by
from loopcheck.read.interpret.binding import last_name
from loopcheck.read.interpret.budget import DEEPEST_MAKER
from loopcheck.read.interpret.helpers import functions_called
from loopcheck.read.interpret.lineage import lineage
from loopcheck.read.interpret.machine import Machine

_EMPTY = frozenset({"list", "dict", "tuple", "OrderedDict"})
"""What makes a list or a dictionary of what it is given, and an empty one of nothing."""


@dataclass(frozen=True, eq=False)
class Body:
    """A function as it is written, where another one calls it. me: the class whose object `self` is. given: what its parameters
    stand for. caller: None of the function that is read first."""

    function: Function
    me: Class
    given: Mapping[str, Written]
    caller: Body | None = None

    @property
    def code(self) -> ir.Code:
        return self.function.code

    @property
    def around(self) -> Iterator[Body]:
        """This function and those that call it, the innermost first."""
        yield self
        if self.caller is not None:
            yield from self.caller.around

    @property
    def returned(self) -> list[Written]:
        """What it returns, one for each place; nothing where one of them returns nothing."""
        values = [node.value for node in reached(self.code) if isinstance(node, ir.Return)]
        return [] if None in values else [Written(each, self) for each in values if each is not None]


@dataclass(frozen=True, eq=False)
class Written:
    """An expression, and the function that it stands in."""

    node: ir.Expression
    within: Body

    def of(self, node: ir.Expression) -> Written:
        """Another expression of the same function."""
        return Written(node, self.within)


@dataclass(frozen=True)
class Filled:
    """A list or a dictionary. elements: what is put into it, one for each place. keyed: it is a dictionary. counted: it has just
    the elements that are written out. nested: some are in a list that is an element."""

    elements: tuple[Written, ...]
    keyed: bool = False
    counted: bool = False
    nested: bool = False


def filled(m: Machine, value: Written, added: Sequence[Written] = ()) -> Filled | None:
    """The list or dictionary that an expression makes, with what is put into it there and further down; None of what may be
    something else, or somebody else may have."""
    whole = _made(m, value)
    return _both([whole, _holding(m, added)]) if whole is not None and added else whole


def _made(m: Machine, value: Written) -> Filled | None:
    match value.node:
        case ir.Sequence(elements=inside):
            counted = bool(inside) and not any(isinstance(each, ir.Starred) for each in inside)
            return _holding(m, map(value.of, inside), counted=counted)
        case ir.Mapping(values=inside):
            return _holding(m, map(value.of, inside), keyed=True)
        case ir.Comprehension(element=element, key=key):
            return _holding(m, [value.of(element)], keyed=key is not None)
        case ir.Binary(operator="*", left=ir.Sequence(elements=inside)):
            return _holding(m, map(value.of, inside))
        case ir.Call(function=ir.Name(name=name), arguments=()) if name in _EMPTY:
            return Filled((), keyed=name.endswith("ict"))
        case ir.Call(function=ir.Name(name=name), arguments=(ir.Argument(value=of, keyword=""),)) if name in _EMPTY:
            return filled(m, value.of(of))
        case ir.Call() as call:
            made = [filled(m, each) for body in called(m, value.within, call) for each in body.returned]
            known = [each for each in made if each is not None]
            return _both(known) if known and len(known) == len(made) else None
        case ir.Name(name=name) if len(alone := _held_alone(value.within.code).get(name, ())) == 1:
            return filled(m, value.of(alone[0]), added_to(name, value.within))
        case ir.Name(name=name) if name in value.within.given:
            return filled(m, value.within.given[name])
        case _:
            return None


def _holding(m: Machine, values: Iterable[Written], keyed: bool = False, counted: bool = False) -> Filled:
    """What has these elements; of those that are lists themselves, what is in them."""
    found, nested = list[Written](), False
    for value in values:
        star = isinstance(value.node, ir.Starred)
        inner = filled(m, value.of(value.node.value) if isinstance(value.node, ir.Starred) else value)
        found += [value] if inner is None else inner.elements
        nested |= inner is not None and (not star or inner.nested)
    return Filled(tuple(found), keyed, counted, nested)


def _both(several: Sequence[Filled]) -> Filled:
    """What has the elements of several, and is what the first is."""
    elements = tuple(value for each in several for value in each.elements)
    counted = len(several) == 1 and several[0].counted
    return Filled(elements, several[0].keyed, counted, any(each.nested for each in several))


def makers(m: Machine, value: Written) -> list[Written]:
    """The calls that make what an expression stands for, of functions of the project those that make what they return; none where
    it may be something else, or somebody else may have it."""
    if (behind := _behind(value)) is not None:
        found = [makers(m, each) for each in behind]
        return [each for made in found for each in made] if all(found) else []
    if not isinstance(value.node, ir.Call):
        return []
    if last_name(value.node) == "deepcopy" and value.node.arguments:
        return makers(m, value.of(value.node.arguments[0].value))
    bodies = called(m, value.within, value.node)
    found = [makers(m, each) for body in bodies for each in body.returned]
    if not bodies:
        return [value]
    return [each for made in found for each in made] if all(found) else []


def _behind(value: Written) -> list[Written] | None:
    """What a name stands for that nobody else uses, each that it is given, the arms of `Wide(4) if wide else Slim(4)`, the layer
    of `nn.Linear(4, 4).to(device)` and that of `nn.DataParallel(nn.Linear(4, 4))`; None of what stands for itself."""
    match value.node:
        case ir.Call(function=ir.Attribute(base=base, name=name)) if name in MOVES:
            return [value.of(base)]
        case ir.Call(arguments=(ir.Argument(value=whole, keyword=""), *_)) if last_name(value.node) in WRAPPER_NAMES:
            return [value.of(whole)]
        case ir.Conditional(then=then, other=other):
            return [value.of(then), value.of(other)]
        case ir.Name(name=name) if name in (alone := _held_alone(value.within.code)):
            return [*map(value.of, alone[name])]
        case ir.Name(name=name) if name in value.within.given:
            return [value.within.given[name]]
        case _:
            return None


def called(m: Machine, body: Body, node: ir.Call) -> list[Body]:
    """The functions of the project that a call may be of, each with what it is given; none where it may be of another, or one
    does more than to run to its end."""
    match node.function:
        case ir.Attribute(base=ir.Name(name="self"), name=name):
            methods = (each.methods.get(name) for each in lineage(m, body.me))
            found = [each for each in methods if each is not None][:1]
        case function:
            with m.state.within(frame=body.function.frame):
                found = functions_called(m, body.function.frame, body.code, function)
    around = [*body.around]
    followed = len(around) <= DEEPEST_MAKER and all(_is_plain(each) for each in found)
    if not followed or any(each.code is one.code for each in found for one in around):
        return []
    return [Body(each, body.me, given(body, each, node), body) for each in found]


def _is_plain(function: Function) -> bool:
    """Whether a call of a function runs it to its end, and nothing else."""
    yields = function.frame.source.index.of(function.code).yields
    return not yields and all(last_name(mark) == "staticmethod" for mark in function.code.decorators)


def given(body: Body, function: Function, node: ir.Call) -> dict[str, Written]:
    """What the parameters of a function stand for that it uses once, and does not bind."""
    code, bound = function.code, function.owner is not None and not function.code.decorators
    names = code.parameters.names[1:] if bound else code.parameters.names
    if any(each.star for each in node.arguments):
        return {}
    by_place = [each for each in node.arguments if not each.keyword]
    given = dict(zip(names, by_place, strict=False)) | {each.keyword: each for each in node.arguments if each.keyword}
    times = Counter(each.name for each in reached(code) if isinstance(each, ir.Name))
    return {name: Written(each.value, body) for name, each in given.items() if times[name] == 1}


def added_to(path: str, body: Body) -> list[Written]:
    """What a function puts into a list or dictionary, a name or an attribute, `self.layers`: one for each place, with a star
    before what is another whose elements are put into it."""
    return [Written(value, body) for of, value in _additions(body.code) if of == path]


@lru_cache(maxsize=1024)
def _additions(code: ir.Code) -> tuple[tuple[str, ir.Expression], ...]:
    """What a function puts into lists and dictionaries, each with the path of that."""
    return tuple(each for node in reached(code) if (each := _addition(node)) is not None and each[0])


def _addition(node: ir.Node) -> tuple[str, ir.Expression] | None:
    match node:
        case ir.Call(function=ir.Attribute(base=base, name="append"), arguments=(ir.Argument(value=value),)):
            return path_of(base), value
        case ir.Call(function=ir.Attribute(base=base, name="insert"), arguments=(_, ir.Argument(value=value))):
            return path_of(base), value
        case ir.Call(function=ir.Attribute(base=base, name="extend" | "update"), arguments=(ir.Argument(value=value),)):
            return path_of(base), ir.Starred(value.span, value)
        case ir.Augment(target=base, operator="+", value=value):
            return path_of(base), ir.Starred(value.span, value)
        case ir.Assign(targets=(ir.Subscript(base=base),), value=value):
            return path_of(base), value
        case _:
            return None


def path_of(node: ir.Node) -> str:
    """`layers` of a variable, `self.layers` of an attribute; of anything else, nothing."""
    match node:
        case ir.Name(name=name):
            return name
        case ir.Attribute(base=ir.Name(name="self"), name=name):
            return f"self.{name}"
        case _:
            return ""


@lru_cache(maxsize=1024)
def _held_alone(code: ir.Code) -> Mapping[str, Sequence[ir.Expression]]:
    """What a function gives a name that it uses in one place, besides putting things into it, asking how many there are, setting
    its options and filling its weights: nobody else has what the name stands for."""
    nodes = reached(code)
    uses = Counter(node.name for node in nodes if isinstance(node, ir.Name))
    uses.subtract(name for name, _ in _additions(code) if name in uses)
    uses.subtract(name for node in nodes for name in _asked(node))
    bound = defaultdict[str, list[ir.Expression]](list)
    for name, value in (each for node in nodes for each in _named(node)):
        bound[name].append(value)
    times = Counter(name for node in nodes if _addition(node) is None for name in bound_by(node))
    return {name: given for name, given in bound.items() if times[name] == len(given) and uses[name] == len(given) + 1}


def _asked(node: ir.Node) -> Iterator[str]:
    """The name of which an instruction asks how many it has, `len(layers)`, of which it sets an option, or whose weights it
    fills, `nn.init.zeros_(layer.bias)`."""
    match node:
        case ir.Assign(targets=(ir.Attribute(base=ir.Name(name=name)),)):
            yield name
        case ir.Call(function=ir.Name(name="len"), arguments=(ir.Argument(value=ir.Name(name=name)),)):
            yield name
        case ir.Evaluate(value=ir.Call(function=function, arguments=arguments)) if last_name(function).endswith("_"):
            for given in arguments:
                match given.value:
                    case ir.Attribute(base=ir.Name(name=name), name="weight" | "bias"):
                        yield name


def _named(node: ir.Node) -> Iterator[tuple[str, ir.Expression]]:
    """The name that an instruction gives a value."""
    match node:
        case ir.Assign(targets=(ir.Name(name=name),), value=value) | ir.Annotate(target=ir.Name(name=name), value=value) if value:
            yield name, value


@lru_cache(maxsize=1024)
def reached(code: ir.Code) -> Sequence[ir.Node]:
    """What a function may come to: not the arm of an `if` whose test is a variable that is one literal for good."""
    nodes = [*ir.walk(*code.body)]
    times = Counter(name for node in nodes for name in bound_by(node)) + Counter(code.parameters.names)
    known: dict[str, object] = {}
    for node in nodes:
        match node:
            case ir.Assign(targets=(ir.Name(name=name),), value=ir.Literal(value=value)) if times[name] == 1:
                known[name] = value
    found, work = list[ir.Node](), list[ir.Node](code.body)
    while work:
        node = work.pop()
        found.append(node)
        match node:
            case ir.If(test=ir.Name(name=name)) if name in known:
                work += node.then if known[name] else node.other
            case ir.If(test=ir.Not(operand=ir.Name(name=name))) if name in known:
                work += node.other if known[name] else node.then
            case _:
                work += ir.children(node)
    return found
