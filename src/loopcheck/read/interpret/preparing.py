"""Methods that are there to be called first: they make what a constructor has left for later, or set modes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence, Set
from functools import lru_cache

from loopcheck.read.domain.values import NONE, Function, Instance
from loopcheck.read.front import ir
from loopcheck.read.front.bound import bound_by
from loopcheck.read.front.relevance import SHORT, makes, speaks, trains
from loopcheck.read.interpret.composing import facts_of, family
from loopcheck.read.interpret.machine import Machine

_MODES = frozenset({"eval", "train"})


def makers(m: Machine, instance: Instance, offered: Sequence[Function]) -> Iterator[Function]:
    """Those of an object's methods that make what it has under a name and lacks: nothing has bound it yet, and no other method
    does. What trains makes more than that, and what makes no network is not needed."""
    promising = [each for each in offered if _prepares(each)]
    if not promising:
        return
    binding = defaultdict[str, set[ir.Code]](set)
    for method in family(m, instance.cls):
        if method.code.name != "__init__":
            for name in _made(method.code):
                binding[name].add(method.code)
    for method in promising:
        alone = (name for name in _made(method.code) if len(binding[name]) == 1)
        if any(m.state.heap.get((instance, name)) in (None, NONE) for name in alone):
            yield method


def _prepares(method: Function) -> bool:
    """Whether a method may make networks, and trains none."""
    facts = facts_of(method)
    return not trains(facts) and (speaks(facts) or makes(facts))


@lru_cache(maxsize=1024)
def _made(code: ir.Code) -> Set[str]:
    """The attributes that a method binds, but for those that it lets go of: `self.model = None`."""
    nodes = (node for node in ir.walk(*code.body) if not _lets_go(node))
    return frozenset(name[5:] for node in nodes for name in bound_by(node) if name.startswith("self."))


def _lets_go(node: ir.Node) -> bool:
    return isinstance(node, ir.Assign) and isinstance(node.value, ir.Literal) and node.value.value is None


def sets_modes(method: Function) -> bool:
    """Whether a method sets modes and does nothing else that takes long: `def freeze(self): self.net.eval()`."""
    facts = facts_of(method)
    return not _MODES.isdisjoint(facts.calls) and facts.statements <= SHORT and not (facts.over or facts.members)
