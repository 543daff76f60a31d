"""Which loops are unrolled: those over a few known objects, each of which is worth a pass of its own."""

from __future__ import annotations

from functools import lru_cache
from typing import TypeGuard

from loopcheck.read.domain.counts import number
from loopcheck.read.domain.filenames import is_path
from loopcheck.read.domain.parts import keys_of, leaves_of, role_of
from loopcheck.read.domain.terms import Term
from loopcheck.read.domain.values import (
    NO_ARGUMENTS,
    NONE,
    Bound,
    Choice,
    Const,
    Function,
    Instance,
    Items,
    Params,
    Stream,
    Symbol,
    Value,
)
from loopcheck.read.front import ir
from loopcheck.read.interpret.budget import MOST_KEYS, MOST_UNROLLED
from loopcheck.read.interpret.lineage import method_of
from loopcheck.read.interpret.machine import Machine
from loopcheck.read.interpret.members import is_repeated


def begun_by_hand(m: Machine, node: ir.For, iterable: Value) -> Value:
    """What an object of the project hands out, where its `__iter__` is a generator: that is run as if it were called by name."""
    if isinstance(iterable, Instance) and iterable.role is None:
        method = method_of(m, iterable.cls, "__iter__", iterable)
        if isinstance(method, Function) and method.frame.source.index.of(method.code).yields:
            return m.invoke(node, method, NO_ARGUMENTS)
    return iterable


def handed_out(iterable: Value) -> Value:
    """What a loop over a value runs over: of a dict, its keys."""
    return Items(keys_of(iterable)) if isinstance(iterable, Items) and iterable.keys else iterable


def counted_through(m: Machine, node: ir.For, iterable: Value) -> Items | None:
    """The numbers of a list's objects, where a loop counts through them and takes each by its number: `for i in range(len(nets))`
    and `nets[i]`."""
    match node.target, iterable:
        case ir.Name(name=counter), Stream(of=(), start=0, counts=True, end=Term() as end) if (many := _many(end)) is not None:
            pass
        case _:
            return None
    taken = [each.base for each in ir.walk(*node.body) if _takes(each, counter)]
    lists = [each for each in map(m.evaluate, taken) if isinstance(each, Items)]
    if any(many <= len(each.values) and unrollable(node, each) and all(map(_is_object, each.values)) for each in lists):
        return Items(tuple(map(Const, range(many))))
    return None


def _many(end: Term) -> int | None:
    """Up to which number a loop counts: one that is written, or the length of a list whose elements are known."""
    match end.head, end.operands:
        case "call", ("builtins.len", Term(head="items", operands=(Term(head="items", operands=elements),))):
            return len(elements)
        case _:
            return number(end)


def _takes(node: ir.Node, counter: str) -> TypeGuard[ir.Subscript]:
    """Whether it is an element of a list that has a name, by this number."""
    match node:
        case ir.Subscript(base=ir.Name() | ir.Attribute(base=ir.Name()), index=ir.Name(name=name)):
            return name == counter
        case _:
            return False


def all_unrollable(node: ir.For, iterable: Choice) -> bool:
    """Whether whichever list a loop is over is worth passes of its own, or has none, for nothing was appended on such a pass: by
    settings alone nobody would loop over nothing."""
    filled = [leaf for leaf in leaves_of(iterable) if not (iterable.test.counter and leaf == Items(()))]
    return bool(filled) and all(isinstance(leaf, Items) and unrollable(node, leaf) for leaf in filled)


def unrollable(node: ir.For, iterable: Items) -> bool:
    """Whether a loop is over so few known objects that each is worth a pass of its own."""
    of_keys = all(isinstance(value, Const) for value in iterable.values)
    most = MOST_KEYS if of_keys else MOST_UNROLLED
    if not 0 < len(iterable.values) <= most or iterable.keys is not None or is_repeated(iterable):
        return False
    among = any(role_of(value) for value in iterable.values)  # `vars(self).values()`: beside networks, numbers that it has
    worth = all(
        (among and isinstance(value, Const))
        or _is_object(value)
        or isinstance(value, (Function, Instance, Params, Items))
        or (isinstance(value, Bound) and role_of(value.base) is not None)
        or (isinstance(value, Symbol) and (value.term.head == "copy" or is_path(value.term)))
        or (isinstance(value, Const) and isinstance(value.value, str) and " " not in value.value)  # a key, and no prompt
        for value in iterable.values
    )
    return worth and not leaves_loop(node.body)


def _is_object(value: Value) -> bool:
    """Whether a value is an object, whichever it is, or none where a test leaves it out."""
    found = [leaf for leaf in leaves_of(value) if leaf != NONE]
    return bool(found) and all(role_of(leaf) is not None for leaf in found)


@lru_cache(maxsize=4096)
def leaves_loop(block: ir.Block) -> bool:
    """Whether code breaks or continues the loop that it stands in."""
    for statement in block:
        match statement:
            case ir.Jump():
                return True
            case ir.If(then=then, other=other):
                inner: tuple[ir.Block, ...] = (then, other)
            case ir.With(body=body):
                inner = (body,)
            case ir.Try(body=body, handlers=handlers, orelse=orelse, final=final):
                inner = (body, *(each.body for each in handlers), orelse, final)
            case ir.Match(cases=cases):
                inner = tuple(each.body for each in cases)
            case ir.For(orelse=orelse) | ir.While(orelse=orelse):
                inner = (orelse,)
            case _:
                continue
        if any(map(leaves_loop, inner)):
            return True
    return False
