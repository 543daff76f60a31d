"""What instructions bind: the names and attributes of self that a piece of code gives values to."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from loopcheck.read.front import ir


def targets_of(target: ir.Expression) -> Iterator[ir.Expression]:
    """The names, attributes and items that a target binds, one by one: a tuple's, and what a star stands before."""
    match target:
        case ir.Sequence(elements=elements):
            for element in elements:
                yield from targets_of(element)
        case ir.Starred(value=value):
            yield from targets_of(value)
        case _:
            yield target


@lru_cache(maxsize=4096)
def bound_names(block: ir.Block) -> frozenset[str]:
    """The names and attributes of self that code binds, nested functions excepted."""
    return frozenset(name for node in ir.walk(*block) for name in bound_by(node))


def bound_by(node: ir.Node) -> Iterator[str]:
    """The names and attributes of self that an instruction itself binds."""
    match node:
        case ir.Assign(targets=targets):
            pass
        case ir.Augment(target=target) | ir.Annotate(target=target) | ir.For(target=target):
            targets = (target,)
        case ir.With(target=target) if target is not None:
            targets = (target,)
        case ir.Walrus(name=name):
            yield name
            return
        case _:
            return
    for target in (each for whole in targets for each in targets_of(whole)):
        match target:
            case ir.Name(name=name):
                yield name
            case ir.Attribute(base=ir.Name(name=owner), name=name):
                yield f"{owner}.{name}"
