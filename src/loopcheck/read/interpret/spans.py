"""How long a schedule is, and from where it counts: read off the function or the class that computes its rates, as it stands."""

from __future__ import annotations

from collections.abc import Sequence, Set

from loopcheck.api import COUNTED
from loopcheck.read.domain.counts import of_batches, unit
from loopcheck.read.domain.parts import term_of
from loopcheck.read.domain.terms import Term
from loopcheck.read.domain.values import Frame, Function, Instance, Items, Value
from loopcheck.read.front import ir
from loopcheck.read.front.bound import bound_names
from loopcheck.read.interpret.factors import as_function
from loopcheck.read.interpret.lineage import lineage
from loopcheck.read.interpret.machine import Machine
from loopcheck.read.interpret.members import of_file
from loopcheck.read.interpret.numbers import FUNCTIONS


def keeps_its_rates(m: Machine, made: Instance, rates: Function) -> bool:
    """Whether the method `get_lr` of a class of schedules gives after each step the rates that it gave before, as only what its
    object was told decides them: it reads nothing that torch counts, and does nothing else with the object."""
    if not rates.code.parameters.names or rates.code.decorators or any("." in name for name in bound_names(rates.code.body)):
        return False
    nodes, known = [*ir.walk(*rates.code.body)], {rates.code.parameters.names[0], "super"}
    names = [each for each in nodes if isinstance(each, ir.Name) and each.name in known]
    read = [each.name for each in nodes if isinstance(each, ir.Attribute) and each.base in names]
    own = {name for each in lineage(m, made.cls) for name in each.methods}
    return len(read) == len(names) and (COUNTED | own).isdisjoint(read)


def counts_on(m: Machine, function: Value | None) -> bool:
    """Whether a function of the number of a step adds to it what a file says, `epoch + start_epoch`; of several functions all."""
    if isinstance(function, Items) and function.values:
        return all(counts_on(m, each) for each in function.values)
    if not isinstance(function, Function):
        return False
    own = set(function.code.parameters.names)
    sums = [each for each in ir.walk(*function.code.body) if isinstance(each, ir.Binary) and each.operator == "+"]
    pairs = [pair for each in sums for pair in ((each.left, each.right), (each.right, each.left))]
    added = [other for count, other in pairs if isinstance(count, ir.Name) and count.name in own and _is_named(other, own)]
    with m.state.within(frame=function.frame):
        return any(of_file(m.evaluate(each)) for each in added)


def counts_from_one(function: Function) -> bool:
    """Whether a function of the number of a step takes one from it, `(step - 1) % cycle`: the first step is 1."""
    own = function.code.parameters.names
    differences = (each for each in ir.walk(*function.code.body) if isinstance(each, ir.Binary) and each.operator == "-")
    return any(
        isinstance(each.left, ir.Name) and each.left.name in own and isinstance(each.right, ir.Literal) and each.right.value == 1
        for each in differences
    )


def span_of(m: Machine, function: Value | None) -> Term | None:
    """What a function of the number of a step divides this by, or compares it with: the end of a schedule, or of a part of it.
    None where these count different things, or nothing that is known."""
    function = as_function(m, function)
    if not isinstance(function, Function) or function.code.decorators:
        return None
    names = function.code.parameters.names[1:] if function.method else function.code.parameters.names
    return _divisor(m, function, names[:1])


def span_of_class(m: Machine, rates: Function) -> Term | None:
    """The same of the method `get_lr` of a class of schedules, for which torch counts the steps in `self.last_epoch`."""
    if rates.me is None or not rates.code.parameters.names or rates.code.decorators:
        return None
    return _divisor(m, rates, [f"{rates.code.parameters.names[0]}.last_epoch"])


def _divisor(m: Machine, function: Function, counts: Sequence[str]) -> Term | None:
    """What a function divides by or compares with what is called like one of these counts."""
    nodes = [*ir.walk(*function.code.body)]
    divisions = [each for each in nodes if isinstance(each, ir.Binary) and each.operator in ("/", "//", "%")]
    again = {_whole(each.left) for each in divisions}  # `step / epochs / len(loader)`
    pairs = [(each.left, each.right) for each in divisions]
    pairs += [(each.left, each.others[0]) for each in nodes if isinstance(each, ir.Compare) and len(each.others) == 1]
    own = set(counts)
    if any(_counts(_whole(each.left), own) for each in again.intersection(divisions) if isinstance(each, ir.Binary)):
        return None
    ends = [_whole(right) for left, right in pairs if _counts(_whole(left), own) and not isinstance(right, ir.Literal)]
    if not all(_is_computed(each) for each in ends):
        return None
    with m.state.within(frame=_of_method(m, function)):
        found = [term_of(m.evaluate(each)) for each in ends]
    told = {unit(each): each for each in found if each.head != "constant"}  # of a warm-up that is written nobody knows
    return next(iter(told.values())) if len(told) == 1 and not any(map(of_batches, found)) else None


def _of_method(m: Machine, function: Function) -> Frame:
    """The variables around the code of a function; of a method, with the object that it is bound to."""
    names = function.code.parameters.names
    if function.me is None or not names:
        return function.frame
    frame = Frame(function.frame.source, function.code.name, function.frame)
    m.state.heap[(frame, names[0])] = function.me
    return frame


def _counts(node: ir.Expression, own: Set[str]) -> bool:
    """Whether an expression is the number of a step, from wherever it is counted."""
    match node:
        case ir.Binary(operator="-", left=left, right=right):  # what is left of a run, `steps - step`
            return _counts(_whole(left), own) or _counts(_whole(right), own)
        case ir.Binary(operator="+", left=left):
            return _counts(_whole(left), own)
        case ir.Binary(operator="*", left=left, right=right):  # `math.pi * step / steps`
            return _counts(_whole(left), own) or _counts(_whole(right), own)
        case ir.Attribute(base=ir.Name(name=me), name=name):
            return f"{me}.{name}" in own
        case _:
            return isinstance(node, ir.Name) and node.name in own


def _whole(node: ir.Expression) -> ir.Expression:
    """A number, without the `float(…)` around it."""
    match node:
        case ir.Call(function=ir.Name(name="float"), arguments=(ir.Argument(value=value),)):
            return value
        case _:
            return node


def _is_computed(node: ir.Expression) -> bool:
    """Whether nothing happens where an expression is evaluated: a number of names, `max(1, total - warmup)`."""
    calls = [each.function for each in ir.walk(node) if isinstance(each, ir.Call)]
    return all(isinstance(each, ir.Name) and each.name in FUNCTIONS.keys() | {"len", "round"} for each in calls)


def _is_named(node: ir.Expression, own: Set[str]) -> bool:
    """A variable, or an attribute or an item of one, that is none of these."""
    while isinstance(node, (ir.Attribute, ir.Subscript)):
        node = node.base
    return isinstance(node, ir.Name) and node.name not in own
