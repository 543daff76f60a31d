"""What an assignment adds to what its target was: a sum, a mean that moves, or a tensor that is put together with others."""

from __future__ import annotations

from collections.abc import Iterator

from loopcheck.api import GATHERS
from loopcheck.read.front import ir


def path(node: ir.Expression) -> tuple[str, ...] | None:
    """A dotted name, as its parts."""
    match node:
        case ir.Name(name=name):
            return (name,)
        case ir.Attribute(base=base, name=name):
            whole = path(base)
            return None if whole is None else (*whole, name)
        case (
            ir.Subscript(base=base, index=ir.Literal(value=str() as key))
            | ir.Call(
                function=ir.Attribute(base=base, name="get"), arguments=(ir.Argument(value=ir.Literal(value=str() as key)), *_)
            )
        ):
            whole = path(base)
            return None if whole is None else (*whole, key)
        case (
            ir.Subscript(base=base, index=ir.Name(name=key))
            | ir.Call(function=ir.Attribute(base=base, name="get"), arguments=(ir.Argument(value=ir.Name(name=key)), *_))
        ):
            whole = path(base)
            return None if whole is None else (*whole, f"[{key}]")
        case _:
            return None


def added_to(whole: ir.Expression, value: ir.Expression) -> tuple[ir.Expression, ...]:
    """What is bound to a target besides what that was: `loss` of `mean = 0.9 * mean + 0.1 * loss`, `loss` of
    `mean = (mean * i + loss) / (i + 1)`; nothing of what is no such sum."""
    match value:
        case ir.Binary(operator="+", left=left, right=right):
            for kept, added in ((left, right), (right, left)):
                if any(is_same_place(each, whole) for each in _factors(kept)):
                    return (added,)
            return ()
        case ir.Binary(operator="/", left=left):
            return added_to(whole, left)
        case _:
            return ()


def joined_to(whole: ir.Expression, value: ir.Expression) -> tuple[ir.Expression, ...]:
    """What a target is put together with: `out` of `outs = torch.cat((outs, out))`; nothing of what is put together otherwise."""
    match value:
        case ir.Call(
            function=ir.Attribute(name=name) | ir.Name(name=name), arguments=(ir.Argument(value=ir.Sequence(elements=parts)), *_)
        ) if name in GATHERS and any(is_same_place(each, whole) for each in parts):
            return tuple(each for each in parts if not is_same_place(each, whole))
        case _:
            return ()


def goes_on(whole: ir.Expression, value: ir.Expression) -> bool:
    """Whether what is bound to a target is what that was, and more."""
    return bool(added_to(whole, value) or joined_to(whole, value))


def begins_and_goes_on(node: ir.If) -> ir.Assign | None:
    """The assignment by which a target begins that is put together with more on all passes but the first: `outs = out` of
    `if outs is None: outs = out` and `else: outs = torch.cat((outs, out))`; None where it does something else."""
    match node.then, node.other:
        case ((ir.Assign(targets=(whole,), value=one) as first,), (ir.Assign(targets=(target,), value=another) as second,)) if (
            is_same_place(whole, target) and _is_at_first(node.test)
        ):
            return first if joined_to(whole, another) else second if joined_to(whole, one) else None
        case _:
            return None


def _is_at_first(test: ir.Expression) -> bool:
    """Whether a test asks for the first pass: `i == 0`, `outs is None`, `len(outs) == 0`; not `i % 10 == 0`."""
    match test:
        case ir.Not(operand=ir.Name()):
            return True
        case ir.Compare(left=left, operators=("==" | "!=" | "is" | "is not" | ">",), others=(ir.Literal(value=None | 0),)):
            return not any(isinstance(each, ir.Binary) for each in ir.walk(left))
        case _:
            return False


def is_same_place(one: ir.Expression, other: ir.Expression) -> bool:
    """Whether two expressions are one name, or lie under one by the same attributes and keys."""
    return path(one) == path(other) is not None


def _factors(node: ir.Expression) -> Iterator[ir.Expression]:
    """What a product is made of."""
    match node:
        case ir.Binary(operator="*" | "/", left=left, right=right):
            yield from (*_factors(left), *_factors(right))
        case _:
            yield node
