"""Functions of the project that drop activations by the share that a network hands them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from loopcheck.read.domain.values import Api, Class, Function
from loopcheck.read.front import ir
from loopcheck.read.front.bound import bound_names
from loopcheck.read.front.index import Facts
from loopcheck.read.interpret.drops import (
    DROP,
    DROPPING,
    MODES,
    asks_mode,
    flags_of,
    is_attribute,
    is_told,
    is_unset,
    made_of,
    share_in,
)
from loopcheck.read.interpret.helpers import functions_called
from loopcheck.read.interpret.machine import Machine
from loopcheck.words import words


def hands_share(facts: Facts) -> bool:
    """Whether code gives a share of dropout to anything, by its name: `self.attn_dropout`, `self.drop.p`."""
    return any(name == "p" or words(name) & DROP for name in facts.handed)


def handed_on(m: Machine, cls: Class, code: ir.Code, nodes: Iterable[ir.Node]) -> Iterator[tuple[ir.Call, str]]:
    """Those of these nodes of a method that hand the network's share of dropout to a function of the project which drops by it,
    and are not told when; with the keyword or the position of the share."""
    for node in nodes:
        if not isinstance(node, ir.Call) or any(each.star for each in node.arguments) or asks_mode(node):
            continue
        for place, given in enumerate(node.arguments):
            if _is_share(given.value) and not is_unset(cls, given.value):
                helpers = _helpers(m, cls, code, node.function)
                if helpers and all(_drops_by(m, helper, given.keyword, place) for helper in helpers):
                    yield node, given.keyword or str(place)


def _is_share(node: ir.Expression) -> bool:
    """`self.attn_dropout`, `self.drop.p`."""
    inner = node.base if isinstance(node, ir.Attribute) and node.name == "p" else node
    return is_attribute(node) and isinstance(inner, ir.Attribute) and bool(words(inner.name) & DROP)


def _helpers(m: Machine, cls: Class, code: ir.Code, function: ir.Expression) -> list[Function]:
    """The functions of the project that a method calls by a name, or by an attribute that its constructor keeps one in; none
    where it may be another."""
    init = cls.methods.get("__init__")
    match function:
        case ir.Attribute(base=ir.Name(name="self"), name=name):
            kept = made_of(cls, name) if name not in cls.methods else None
            if init is None or kept is None:
                return []
            if not isinstance(kept, ir.Call):
                return functions_called(m, cls.frame, init.code, kept)
            makers = functions_called(m, cls.frame, init.code, kept.function)
            returned = [_returned(each) for each in makers]
            return [each for found in returned for each in found] if all(returned) else []
        case _:
            return functions_called(m, cls.frame, code, function)


def _returned(maker: Function) -> list[Function]:
    """The functions that a function defines and returns one of; none where it may return anything else."""
    nodes = [*ir.walk(*maker.code.body)]
    names = [each.value.name if isinstance(each.value, ir.Name) else "" for each in nodes if isinstance(each, ir.Return)]
    inner = [each.code for each in nodes if isinstance(each, ir.Define)]
    if (
        maker.code.decorators
        or not {each.name for each in inner}.issuperset(names)
        or not bound_names(maker.code.body).isdisjoint(names)
    ):
        return []
    return [Function(each, maker.frame) for each in inner if each.name in names]


def _drops_by(m: Machine, helper: Function, keyword: str, place: int) -> bool:
    """Whether a function drops by a share that it is given at this place, whatever else it is given."""
    code, known = helper.code, helper.code.parameters
    names = [each.name for each in (*known.positional, *known.keyword)]
    name = keyword if keyword in names else known.names[place] if not keyword and place < len(known.names) else ""
    facts = helper.frame.source.index.of(code)
    nodes = [*ir.walk(*code.body)]
    if (
        not name
        or code.decorators
        or name in bound_names(code.body)
        or any(words(each) & MODES for each in (code.name, *facts.mentions))
    ):
        return False
    if any(_may_ask(each.test, name) for each in nodes if isinstance(each, (ir.If, ir.Conditional))):
        return False
    with m.state.within(frame=helper.frame):
        return any(isinstance(each, ir.Call) and _drops_so(m, each, name) for each in nodes)


def _drops_so(m: Machine, node: ir.Call, share: str) -> bool:
    """Whether a call is one of torch's that drop, by the share of this name."""
    match node.function:
        case ir.Attribute(name=name) | ir.Name(name=name) if name in DROPPING and not is_told(node, name):
            given, callee = share_in(node, name), m.evaluate(node.function)
            by_share = isinstance(given, ir.Name) and given.name == share
            return by_share and isinstance(callee, Api) and callee.name.startswith("torch.nn.functional.")
        case _:
            return False


def _may_ask(test: ir.Expression, share: str) -> bool:
    """Whether a test may be of the mode: a flag, or a word that says what is wanted."""
    flags = {each.name for each in flags_of(test)}
    return bool(flags - {share}) or any(isinstance(each, ir.Literal) and isinstance(each.value, str) for each in ir.walk(test))
