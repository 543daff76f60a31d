"""What a loop does to each of many models alike, and to nothing else: it is done to what holds them, all of it."""

from __future__ import annotations

from loopcheck.read.front import ir
from loopcheck.read.vocabulary import methods


def done_to_all(body: ir.Block, name: str) -> bool:
    """Whether a body does to a variable what can be done to any module, whichever it is: `net.eval()`, and no more."""
    return bool(body) and all(done_to(statement, name) for statement in body)


def is_done_to(node: ir.Expression, name: str) -> bool:
    """Whether an expression calls a method that all modules have, of a variable or of what such a method returns."""
    match node:
        case ir.Call(function=ir.Attribute(base=base, name=method), arguments=given) if ("model", method) in methods():
            itself = isinstance(base, ir.Name) and base.name == name
            told = {each.name for argument in given for each in ir.walk(argument.value) if isinstance(each, ir.Name)}
            return name not in told and (itself or is_done_to(base, name))
        case _:
            return False


def done_to(statement: ir.Node, name: str) -> bool:
    """Whether a statement does to a variable what can be done to any module."""
    match statement:
        case ir.Evaluate(value=value) | ir.Return(value=ir.Call() as value):
            return is_done_to(value, name)
        case ir.For(target=ir.Name(name=inner), iterable=iterable, body=body, orelse=()):
            return is_done_to(iterable, name) and all(_sets_flag(each, inner) for each in body)
        case _:
            return False


def _sets_flag(statement: ir.Node, name: str) -> bool:
    """`p.requires_grad = False`, or `p.requires_grad_(False)`."""
    match statement:
        case ir.Assign(targets=(ir.Attribute(base=ir.Name(name=of)),), value=ir.Literal()):
            return of == name
        case _:
            return isinstance(statement, ir.Evaluate) and is_done_to(statement.value, name)
