"""Losses that are handed probabilities in one function, whoever computes what these are made of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from loopcheck.api import ACTIVATIONS, CRITERIA, LOGGED, MOVES
from loopcheck.loop import Role
from loopcheck.read.domain.choices import Activation, put_through
from loopcheck.read.domain.values import Api, Class, Function
from loopcheck.read.front import ir
from loopcheck.read.front.index import EDITING, Facts
from loopcheck.read.interpret.logits import WITH_LOGITS
from loopcheck.read.interpret.machine import Machine
from loopcheck.read.vocabulary import criteria, criterion_of
from loopcheck.words import HELD_OUT, INFERENCE, LOSSES, TRAINING, words

_LAYERS = {made: f"{name}()" for name, made in ACTIVATIONS.items()}
_MAKING = {*ACTIVATIONS, *_LAYERS}
_FUNCTIONS = {*ACTIVATIONS, "exp", "log"}
_KNOWN = _MAKING | _FUNCTIONS | {"Sequential"}
_MODES = TRAINING | HELD_OUT | INFERENCE
_UNKNOWN = ""
_TWICE = " of probabilities"
"""What follows the name of an activation in what was put through one of its kind before."""
_Known = Mapping[str, frozenset[str]]
"""Names, each with what its value may be: what has been put through `softmax` last, or a layer or loss that is `softmax()`."""


def tell_of_methods(m: Machine, cls: Class) -> None:
    """A class's methods hand probabilities to losses, as it is written: that needs no object of it."""
    if _may_hand(cls.frame.source.index.within(cls.node)):
        attributes = _attributes(m, cls)
        for method in cls.methods.values():
            _Reader(m, Role("model", cls.name), attributes).block(method.code.body, {})


def tell_of_function(m: Machine, function: Function) -> None:
    """A function that is no method hands probabilities to a loss."""
    if _may_hand(function.frame.source.index.of(function.code)):
        _Reader(m, Role("model", function.code.name), {}).block(function.code.body, {})


def _may_hand(facts: Facts) -> bool:
    if facts.calls.isdisjoint(_MAKING):
        return False
    return not facts.calls.isdisjoint(criteria()) or any(words(name) & LOSSES for name in facts.calls)


def _attributes(m: Machine, cls: Class) -> _Known:
    """What a class binds to each attribute of self."""
    reader = _Reader(m, Role("model", cls.name), {})
    found: dict[str, frozenset[str]] = {}
    for method in cls.methods.values():
        for node in ir.walk(*method.code.body):
            match node:
                case ir.Assign(targets=(ir.Attribute(base=ir.Name(name="self"), name=name),), value=value):
                    found[name] = found.get(name, frozenset()) | reader.worth(value, {})
    return found


@dataclass(frozen=True)
class _Reader:
    """Reads functions along their ways, and tells the losses that are given probabilities on one.

    told_of: whom that is told of. attributes: what those of self are. inside: a function that is read as another one calls it.
    """

    m: Machine
    told_of: Role
    attributes: _Known
    inside: Function | None = None

    def block(self, body: ir.Block, known: _Known) -> _Known | None:
        """What is known after these statements; None where nobody gets there."""
        for statement in body:
            after = self._statement(statement, known)
            if after is None:
                return None
            known = after
        return known

    def _statement(self, statement: ir.Statement, known: _Known) -> _Known | None:
        match statement:
            case ir.If(test=test, then=then, other=other):
                return self._branch(test, then, other, known)
            case ir.For(body=body) | ir.While(body=body) | ir.Try(body=body):
                self.block(body, _sure(_without(known, statement)))
                return _without(known, statement)
            case ir.With(body=body, target=target):
                return self.block(body, _without(known, *([] if target is None else [target])))
            case ir.Return() | ir.Raise() | ir.Jump():
                self._look(statement, known)
                return None
            case ir.Assign(targets=(ir.Name(name=name),), value=value):
                self._look(value, known)
                return {**known, name: self.worth(value, known)}
            case ir.Define() | ir.Class() | ir.Match():
                return _without(known, statement)
            case _:
                self._look(statement, known)
                return _without(known, statement)

    def _branch(self, test: ir.Expression, then: ir.Block, other: ir.Block, known: _Known) -> _Known | None:
        """What is known after both arms. What holds on some ways alone may not hold on those that lead into an arm, and what is
        different only while nothing is trained is meant so."""
        arms = [arm for arm in (self.block(then, _sure(known)), self.block(other, _sure(known))) if arm is not None]
        if not arms:
            return None
        one, two = arms[0], arms[-1]
        after = {name: one.get(name, _ANYTHING) | two.get(name, _ANYTHING) for name in _changed((*then, *other))}
        by_mode = any(isinstance(node, (ir.Name, ir.Attribute)) and words(node.name) & _MODES for node in ir.walk(test))
        return {**known, **(_sure(after) if by_mode else after)}

    # expressions

    def worth(self, node: ir.Expression, known: _Known) -> frozenset[str]:
        """What a value has been put through last, or the layer or loss that it is, on each way that leads here."""
        match node:
            case ir.Name(name=name):
                return known.get(name, _ANYTHING)
            case ir.Call(function=ir.Attribute(base=base, name=name)) if name in MOVES:
                return self.worth(base, known)
            case ir.Call(arguments=arguments):
                called = self._called(node, known)
                if called == "exp":
                    whole = self.worth(_tensor(node), known) == {"log_softmax"}
                    return frozenset(["softmax"]) if whole else _ANYTHING
                if called == "log":
                    whole = self.worth(_tensor(node), known) == {"softmax"}
                    return frozenset([LOGGED]) if whole else _ANYTHING
                if called == "Sequential" and arguments and not arguments[-1].star:
                    return self.worth(arguments[-1].value, known)
                if called in WITH_LOGITS:
                    return frozenset([self._activated(node, called, known)])
                return frozenset([called]) if called in ACTIVATIONS or called.endswith("()") else _ANYTHING
            case _:
                return _ANYTHING

    def _activated(self, node: ir.Call, how: str, known: _Known) -> str:
        """What an activation makes of a tensor, with its place: of probabilities on all ways, what was put through it twice."""
        site, given = self.m.state.site(node), self.worth(_tensor(node), known)
        if given <= WITH_LOGITS.keys():
            for before in given:
                if twice := put_through(before, how, site).twice:
                    return Activation(f"{how}{_TWICE}", site, twice)
        return Activation(how, site)

    def _called(self, node: ir.Call, known: _Known) -> str:
        """The function of torch that a call comes to: `softmax` also of a layer that was made; `softmax()` of what makes that."""
        match node.function:
            case ir.Attribute(base=ir.Name(name="self"), name=name) if name in self.attributes:
                return _applied(self.attributes[name])
            case ir.Name(name=name) if name in known:
                return _applied(known[name])
            case ir.Call() as maker:
                return _applied(self.worth(maker, known))
            case ir.Name(name=name) | ir.Attribute(name=name) if name in _KNOWN or name in criteria():
                api = self.m.evaluate(node.function)
                if isinstance(api, Api):
                    return _of_torch(api.name)
                tensor = isinstance(node.function, ir.Attribute) and name in _FUNCTIONS
                return name if tensor else _UNKNOWN
            case _:
                return _UNKNOWN

    def _look(self, node: ir.Node, known: _Known) -> None:
        """Tell the losses in a piece of code that are given probabilities."""
        if isinstance(node, (ir.Conditional, ir.Logical, ir.Comprehension)):
            known = _sure(known)
        for inner in ir.children(node):
            self._look(inner, known)
        if not isinstance(node, ir.Call):
            return
        called = self._called(node, known)
        if called in CRITERIA and self.inside is None:
            for how in self.worth(_tensor(node), known) & _TOLD:
                self.m.state.emit("criterion", [self.told_of], node, {"loss": called, "given": str(how), "each": False})
        elif called == "log" and self.inside is not None:
            self._logged(node, self.worth(_tensor(node), known))
        elif called == _UNKNOWN and self.inside is None:
            self._follow(node, known)

    def _logged(self, node: ir.Call, ways: frozenset[str]) -> None:
        """Tell the activations whose logarithm a loss computes, where all that were applied took probabilities for logits."""
        for how in ways if all(each.endswith(_TWICE) for each in ways) else ():
            if isinstance(how, Activation) and how.twice:
                before, site = how.twice
                facts = {"loss": WITH_LOGITS[str(before)], "given": str(before)}
                origins = ((str(before), before.site),) if before.site else ()
                self.m.state.emit("criterion", [self.told_of], node, facts, origins=origins).at = site

    def _follow(self, node: ir.Call, known: _Known) -> None:
        """Read a function of this file that computes a loss, by its name, as this call hands it probabilities."""
        if not isinstance(node.function, ir.Name) or not words(node.function.name) & LOSSES or node.function.name in known:
            return
        given = [(each, self.worth(each.value, known)) for each in node.arguments]
        if any(each.star for each, _ in given) or not any(how <= WITH_LOGITS.keys() for _, how in given):
            return
        loss = self.m.evaluate(node.function)
        if isinstance(loss, Function) and loss.frame.source is self.m.state.frame.source and not loss.code.decorators:
            plain = zip(loss.code.parameters.names, (how for each, how in given if not each.keyword), strict=False)
            handed = {**dict(plain), **{each.keyword: how for each, how in given if each.keyword}}
            _Reader(self.m, self.told_of, {}, loss).block(loss.code.body, handed)


_ANYTHING = frozenset([_UNKNOWN])
_TOLD = {*ACTIVATIONS, LOGGED}


def _of_torch(name: str) -> str:
    """A function of torch by its last name, `softmax`; of a class of layers or losses what it makes, `softmax()`."""
    package, _, last = name.rpartition(".")
    if criterion_of(name):
        return last
    if made := criterion_of(f"{name}()"):
        return f"{made}()"
    if package.startswith("torch.nn"):
        return last if last in ACTIVATIONS or last == "Sequential" else _LAYERS.get(last, _UNKNOWN)
    return last if package == "torch" and last in _FUNCTIONS else _UNKNOWN


def _applied(layers: frozenset[str]) -> str:
    """What calling one of these does, where all do the same."""
    layer = next(iter(layers)) if len(layers) == 1 else _UNKNOWN
    return layer[:-2] if layer.endswith("()") else _UNKNOWN


def _tensor(node: ir.Call) -> ir.Expression:
    """What a function of one tensor is given, or the tensor whose method it is."""
    for each in node.arguments:
        if each.keyword in ("", "input") and not each.star:
            return each.value
    return node.function.base if isinstance(node.function, ir.Attribute) else node.function


def _sure(known: _Known) -> _Known:
    """What holds on every way."""
    return {name: found if _UNKNOWN not in found else _ANYTHING for name, found in known.items()}


def _without(known: _Known, *nodes: ir.Node) -> _Known:
    """What is known when these may have bound names and changed values in place."""
    changed = set(_changed(nodes))
    return {name: found for name, found in known.items() if name not in changed} if changed else known


def _changed(nodes: Iterable[ir.Node]) -> Iterator[str]:
    for node in ir.walk(*nodes):
        match node:
            case ir.Assign(targets=targets):
                yield from _names(targets)
            case ir.Augment(target=target) | ir.Annotate(target=target) | ir.For(target=target) | ir.With(target=target) if (
                target
            ):
                yield from _names([target])
            case ir.Walrus(name=name):
                yield name
            case ir.Call(function=ir.Attribute(base=ir.Name(name=name), name=to)) if to.endswith("_") or to in EDITING:
                yield name


def _names(nodes: Iterable[ir.Node]) -> Iterator[str]:
    return (node.name for node in ir.walk(*nodes) if isinstance(node, ir.Name))
