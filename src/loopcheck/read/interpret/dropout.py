"""Dropout that a network calls as a function, or makes where it applies it, and does not tell whether it trains."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from loopcheck.api import ATTENTIONS, DROPOUT_LAYERS, ZEROS
from loopcheck.loop import Role
from loopcheck.read.domain.values import Api, Class, Const
from loopcheck.read.front import ir
from loopcheck.read.front.index import Facts
from loopcheck.read.interpret.dropping_helpers import handed_on, hands_share
from loopcheck.read.interpret.drops import (
    DROP,
    DROPPING,
    WANTED,
    asks_mode,
    flags_of,
    is_attribute,
    is_told,
    is_unset,
    made_of,
    path_of,
    share_in,
)
from loopcheck.read.interpret.lineage import kind_of
from loopcheck.read.interpret.machine import Machine
from loopcheck.words import LOSSES, NOISY, words


def _is_replaced(cls: Class) -> bool:
    """Whether a class further down in the file has its name: no network is made of this one."""
    return any(
        isinstance(node, ir.Class) and node.name == cls.name and node.span > cls.node.span for node in cls.frame.source.body
    )


def tell_dropout(m: Machine, cls: Class) -> None:
    """A network drops activations in either mode, as its class is written: that needs no object of it."""
    index = cls.frame.source.index
    methods = {each.code: index.of(each.code) for each in cls.methods.values()}
    dropping = [code for code, facts in methods.items() if hands_share(facts) or not facts.calls.isdisjoint(_asked_of(code))]
    noisy = (words(cls.name) | words(cls.name.lower())) & NOISY  # `PreNet` as well
    if not dropping or noisy or _is_replaced(cls) or kind_of(m, cls) != "model":
        return
    role = Role("class", cls.name)
    for code in dropping:
        callers = [facts for facts in methods.values() if code.name in facts.members]
        if code.parameters.names[:1] != ("self",) or words(code.name) & WANTED or any(map(_knows_when, callers)):
            continue
        reached = _in_both_modes(code.body) if _knows_when(methods[code]) else ir.walk(*code.body)
        idle, flagged = _on_demand(code) | _without_share(cls, code) | _while_training(code), _flagged(code)
        nodes = [each for each in reached if each not in idle and not _drops_none(each)]
        told = [*_ungated(m, cls, code, nodes)]
        told += [(call, "helper", share) for call, share in handed_on(m, cls, code, nodes)]
        for call, by, share in told:
            always = None if call in flagged else True
            m.state.emit("drop", [role], call, {"gated": False, "by": by, "always": always}, {"share": share} if share else None)


def _asked_of(code: ir.Code) -> frozenset[str]:
    """What code may drop by; layers are made in a constructor to be kept."""
    return DROPPING if code.name == "__init__" else DROPPING | DROPOUT_LAYERS


def _knows_when(facts: Facts) -> bool:
    """Code that speaks of training, or of noise, may drop when it is meant to."""
    return any(words(name) & WANTED for name in (facts.name, *facts.mentions))


def _in_both_modes(body: ir.Block) -> Iterator[ir.Node]:
    """The calls that code comes to whether a network trains or not, with a share that it was made with or that is written out."""
    for statement in body:
        match statement:
            case ir.If(test=test, then=then, other=other):
                if not asks_mode(test):
                    yield from _in_both_modes((*then, *other))
            case ir.For(body=inner) | ir.While(body=inner) | ir.With(body=inner) | ir.Try(body=inner):
                yield from _in_both_modes(inner)
            case ir.Define() | ir.Class() | ir.Match():
                pass
            case _ if not asks_mode(statement):
                yield from (each for each in ir.walk(statement) if isinstance(each, ir.Call) and _is_settled(each))
        if any(isinstance(each, ir.If) and asks_mode(each.test) and _leaves(each) for each in ir.walk(statement)):
            return


def _on_demand(code: ir.Code) -> frozenset[ir.Node]:
    """What a network does where its caller asks for it: `forward(x, need_perturbed=False)`."""
    given = (*code.parameters.positional, *code.parameters.keyword)
    flags = {each.name for each in given if isinstance(each.default, ir.Literal) and each.default.value is False}
    return frozenset(inside for test, inside in _guarded(code) if isinstance(test, ir.Name) and test.name in flags)


def _guarded(code: ir.Code) -> Iterator[tuple[ir.Expression, ir.Node]]:
    """What stands under a test, with the test."""
    return ((each.test, inside) for each in ir.walk(*code.body) if isinstance(each, ir.If) for inside in ir.walk(*each.then))


def _while_training(code: ir.Code) -> frozenset[ir.Node]:
    """What stands in a loop that goes backward as well: a network that fits a head of its own drops there to train it."""
    loops = (each for each in ir.walk(*code.body) if isinstance(each, (ir.For, ir.While)))
    training = (loop for loop in loops if any(_last(call) == "backward" for call in ir.calls_in(loop.body)))
    return frozenset(inside for loop in training for inside in ir.walk(*loop.body))


def _last(call: ir.Call) -> str:
    return call.function.name if isinstance(call.function, (ir.Name, ir.Attribute)) else ""


def _without_share(cls: Class, code: ir.Code) -> frozenset[ir.Node]:
    """What a network does with a share of 0: the tests around say so, `if self.flash` of `self.flash = self.dropout == 0.0`."""
    return frozenset(
        inside
        for test, inside in _guarded(code)
        if isinstance(inside, ir.Call) and not _zeroed(cls, test).isdisjoint(path_of(each.value) for each in inside.arguments)
    )


def _zeroed(cls: Class, test: ir.Expression, through: frozenset[str] = frozenset()) -> frozenset[tuple[str, str]]:
    """The attributes that are 0 where a test holds. through: attributes that what they were made of was looked at already."""
    match test:
        case ir.Logical(word="and", left=left, right=right):
            return _zeroed(cls, left, through) | _zeroed(cls, right, through)
        case (
            ir.Compare(left=ir.Attribute(base=ir.Name()) as share, operators=("==",), others=(ir.Literal(value=0),))
            | ir.Not(operand=ir.Attribute(base=ir.Name()) as share)
        ):
            return frozenset([path_of(share)])
        case ir.Attribute(base=ir.Name(name="self"), name=name) if name not in through and (made := made_of(cls, name)):
            return _zeroed(cls, made, through | {name})
        case _:
            return frozenset()


def _drops_none(node: ir.Node) -> bool:
    """`F.dropout(F.mse_loss(x, y, reduction="none"))`: some of the samples are learned from, and no network is applied so. Nor is
    anything dropped of zeros."""
    match node:
        case ir.Call(arguments=(ir.Argument(value=ir.Call(function=ir.Name(name=name) | ir.Attribute(name=name))), *_)):
            return bool(words(name) & LOSSES) or name in ZEROS
        case _:
            return False


def _flagged(code: ir.Code) -> frozenset[ir.Node]:
    """What stands under a flag that says whether to drop, `if self.use_dropout`: who sets that may know when."""
    return frozenset(inside for test, inside in _guarded(code) if any(words(flag.name) & DROP for flag in flags_of(test)))


def _leaves(node: ir.If) -> bool:
    return any(isinstance(each, (ir.Return, ir.Raise, ir.Jump)) for each in ir.walk(*node.then, *node.other))


def _is_settled(call: ir.Call) -> bool:
    """Whether nothing but the tensor comes from a variable, which may say the mode."""
    return all(isinstance(each.value, ir.Literal) or is_attribute(each.value) for each in call.arguments[1:])


def _made_here(m: Machine, code: ir.Code) -> frozenset[str]:
    """The variables that are dropout layers, made in this function to be applied in it."""
    nodes = [*ir.walk(*code.body)]
    used = [each.function.name for each in nodes if isinstance(each, ir.Call) and isinstance(each.function, ir.Name)]
    named = [each.name for each in nodes if isinstance(each, ir.Name)]
    return frozenset(
        name
        for each in nodes
        if isinstance(each, ir.Assign) and isinstance(each.value, ir.Call) and _is_layer(m, each.value)
        for target in each.targets
        if isinstance(target, ir.Name) and named.count(name := target.name) == used.count(name) + 1
    )


def _is_layer(m: Machine, node: ir.Expression) -> bool:
    """`nn.Dropout(0.5)`, and not of a share of 0."""
    match node:
        case ir.Call(function=ir.Attribute(name=name) | ir.Name(name=name), arguments=given) if name in DROPOUT_LAYERS:
            made = m.evaluate(node.function)
            off = any(isinstance(each.value, ir.Literal) and not each.value.value for each in given)
            return isinstance(made, Api) and made.name.startswith("torch.nn.") and not off
        case _:
            return False


_MODULES = ("torch.nn.functional.", "xformers.ops.", "flash_attn.")
"""The modules of functions that drop."""


def _ungated(m: Machine, cls: Class, code: ir.Code, nodes: Iterable[ir.Node]) -> Iterator[tuple[ir.Call, str, str]]:
    """Those of these nodes of a function that drop with whatever probability they are told, and are not told when: what each is,
    and the parameter that takes the probability of one that cannot be told."""
    made = frozenset[str]() if code.name == "__init__" else _made_here(m, code)
    for node in nodes:
        match node:
            case ir.Call(function=ir.Name(name=name)) if name in made:
                yield node, "layer", ""
            case ir.Call(function=ir.Call() as maker) if _is_layer(m, maker):
                yield node, "layer", ""
            case ir.Call(function=ir.Attribute(name=name) | ir.Name(name=name)) if name in DROPPING:
                callee = m.evaluate(node.function)
                if isinstance(callee, Api) and callee.name.startswith(_MODULES) and _drops(m, cls, node, name):
                    yield (node, "attention", ATTENTIONS[name][0]) if name in ATTENTIONS else (node, "dropout", "")


def _drops(m: Machine, cls: Class, node: ir.Call, name: str) -> bool:
    if is_told(node, name):
        return False
    share = share_in(node, name)
    if name in ATTENTIONS:
        if is_attribute(share):
            return not is_unset(cls, share)
        return isinstance(share, ir.Literal) and m.evaluate(share) not in (Const(0), Const(0.0))
    return not (isinstance(share, ir.Literal) and not share.value) and not is_unset(cls, share)
