"""Dropout that a network's code calls as a function, and does not tell whether the network trains."""

from __future__ import annotations

from collections.abc import Iterator

from loopcheck.api import ATTENTION, DROPOUTS
from loopcheck.loop import Role
from loopcheck.read.domain.values import Api, Class, Const
from loopcheck.read.front import ir
from loopcheck.read.front.index import Facts
from loopcheck.read.interpret.lineage import kind_of
from loopcheck.read.interpret.machine import Machine
from loopcheck.words import NOISY, TRAINING, words


def tell_dropout(m: Machine, cls: Class) -> None:
    """A network drops activations in either mode, as its class is written: that needs no object of it."""
    index = cls.frame.source.index
    methods = {each.code: index.of(each.code) for each in cls.methods.values()}
    dropping = [code for code, facts in methods.items() if not facts.calls.isdisjoint(_DROPPING)]
    if not dropping or words(cls.name) & NOISY or kind_of(m, cls) != "model":
        return
    role = Role("class", cls.name)
    for code in dropping:
        around = [facts for facts in methods.values() if facts is methods[code] or code.name in facts.members]
        if code.parameters.names[:1] == ("self",) and not any(map(_knows_when, around)):
            for call, by in _ungated(m, code):
                m.state.emit("drop", [role], call, {"gated": False, "by": by})


def _knows_when(facts: Facts) -> bool:
    """Code that speaks of training, or is named for noise, drops when it is meant to."""
    return any(words(name) & (TRAINING | NOISY) for name in (facts.name, *facts.mentions))


_DROPPING = frozenset({*DROPOUTS, ATTENTION})


def _ungated(m: Machine, code: ir.Code) -> Iterator[tuple[ir.Call, str]]:
    """The calls that drop with whatever probability they are told, and are not told when."""
    for node in ir.walk(*code.body):
        match node:
            case ir.Call(function=ir.Attribute(name=name) | ir.Name(name=name)) if name in _DROPPING:
                callee = m.evaluate(node.function)
                if isinstance(callee, Api) and callee.name.startswith("torch.nn.functional.") and _drops(m, node, name):
                    yield node, "attention" if name == ATTENTION else "dropout"


def _drops(m: Machine, node: ir.Call, name: str) -> bool:
    given = {each.keyword: each.value for each in node.arguments if each.keyword}
    placed = [each.value for each in node.arguments if not each.keyword]
    if any(each.star for each in node.arguments):
        return False
    if name == ATTENTION:
        share = given.get("dropout_p", placed[4] if len(placed) > 4 else None)
        return _is_attribute(share) or (isinstance(share, ir.Literal) and m.evaluate(share) not in (Const(0), Const(0.0)))
    share = given.get("p", placed[1] if len(placed) > 1 else None)
    return len(placed) < 3 and not (isinstance(share, ir.Literal) and not share.value)


def _is_attribute(node: ir.Expression | None) -> bool:
    """`self.dropout`, `self.attn_drop.p`: what the network was made with."""
    while isinstance(node, ir.Attribute):
        if isinstance(node.base, ir.Name):
            return node.base.name == "self"
        node = node.base
    return False
