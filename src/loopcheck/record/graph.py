"""What a loss was made of, read from its autograd graph."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, TypeAlias

import torch
from torch import Tensor

from loopcheck.api import ACTIVATIONS, LOGGED

Key: TypeAlias = tuple[int, str]
"""Tells one autograd node from all others of the run without keeping it, and what it holds, alive."""

_SAME_VALUE = {"ViewBackward0", "SqueezeBackward0", "SqueezeBackward1", "UnsqueezeBackward0", "ToCopyBackward0"}
_SAME_VALUE |= {"CloneBackward0", "AliasBackward0", "NegBackward0", "ReshapeAliasBackward0", "ExpandBackward0"}
_SAME_VALUE |= {"TransposeBackward0", "PermuteBackward0", "UnsafeViewBackward0"}
_ACTIVATIONS = {f"{made}Backward0": how for how, made in ACTIVATIONS.items()}
_MOST_NODES = 5_000


def key(node: Any) -> Key:
    return node._sequence_nr(), node.name()


def tensors(value: object, depth: int = 3) -> Iterator[Tensor]:
    """The tensors in what a model takes or gives: nested lists, tuples, dicts and plain objects of them."""
    if isinstance(value, Tensor):
        yield value
    elif depth and isinstance(value, (list, tuple)):
        for each in value:
            yield from tensors(each, depth - 1)
    elif depth and isinstance(value, dict):
        for each in value.values():
            yield from tensors(each, depth - 1)
    elif depth and hasattr(value, "__dataclass_fields__"):
        yield from tensors(vars(value), depth - 1)


def roots(values: object) -> list[Any]:
    """The autograd nodes that these values came out of."""
    return [each.grad_fn for each in tensors(values) if each.grad_fn is not None]


def reached(starts: list[Any], outputs: Collection[Key], most: int = _MOST_NODES) -> set[Key]:
    """Which of these outputs lie behind the nodes, looking no further behind any of them."""
    found: set[Key] = set()
    seen = set(starts)
    work = list(starts)
    while work and len(seen) < most:
        node = work.pop()
        if (here := key(node)) in outputs:
            found.add(here)
            continue
        for behind, _ in node.next_functions:
            if behind is not None and behind not in seen:
                seen.add(behind)
                work.append(behind)
    return found


def size(starts: list[Any]) -> int:
    """How many nodes there are behind these, themselves included."""
    seen = set(starts)
    work = list(starts)
    while work:
        for behind, _ in work.pop().next_functions:
            if behind is not None and behind not in seen:
                seen.add(behind)
                work.append(behind)
    return len(seen)


def scaling(loss: Tensor, scaled: Collection[Key]) -> Key | None:
    """The output of a GradScaler that the loss is, whatever was done to it since."""
    node: Any = loss.grad_fn
    while node is not None and key(node) not in scaled:
        node = _ahead(node)
    return None if node is None else key(node)


def activation(given: Tensor) -> str | None:
    """The function of `ACTIVATIONS` that a tensor was put through last, or LOGGED; None where it was another, or there is no
    graph."""
    node: Any = given.grad_fn
    while node is not None and node.name() in _SAME_VALUE - {"NegBackward0"}:
        node = _ahead(node)
    if node is not None and node.name() == "ExpBackward0":
        behind = node.next_functions[0][0]
        return "softmax" if behind is not None and behind.name() == "LogSoftmaxBackward0" else None
    if node is not None and node.name() == "LogBackward0":
        behind = node.next_functions[0][0]
        return LOGGED if behind is not None and behind.name() == "SoftmaxBackward0" else None
    return None if node is None else _ACTIVATIONS.get(node.name())


def divided_twice(loss: Tensor) -> bool:
    """The loss was divided by one and the same number, above 1, more than once."""
    node: Any = loss.grad_fn
    divisors: list[float] = []
    while node is not None and not isinstance(node, torch.autograd.function.BackwardCFunction):
        factor = _constant(node) if node.name() == "DivBackward0" else None
        divisors += [factor] if factor is not None and factor > 1 else []
        node = _ahead(node)
    return len(set(divisors)) < len(divisors)


def averaged(loss: Tensor, scaled: Collection[Key]) -> bool | None:
    """The loss was divided by a number, or multiplied by one below 1, after it was computed. None where it cannot be told."""
    return None if loss.grad_fn is None else _averaged(loss.grad_fn, scaled)


def _averaged(node: Any, scaled: Collection[Key]) -> bool | None:
    while True:
        if isinstance(node, torch.autograd.function.BackwardCFunction):
            return None  # a Function of the user's own may do anything
        name = node.name()
        if name in ("AddBackward0", "SubBackward0"):
            parts = {_averaged(part, scaled) for part, _ in node.next_functions if part is not None}
            return parts.pop() if len(parts) == 1 else None
        if name in ("DivBackward0", "MulBackward0") and key(node) not in scaled:
            factor = _constant(node)
            if factor is not None and (abs(factor) > 1 if name == "DivBackward0" else abs(factor) < 1):
                return True
        behind = _ahead(node)
        if behind is None:
            return False
        node = behind


def _ahead(node: Any) -> Any:
    """The node behind one that only scales or reshapes its single input; None at the loss's own kernel."""
    inputs = [behind for behind, _ in node.next_functions if behind is not None]
    name = node.name()
    if len(inputs) != 1 or not (name in _SAME_VALUE or name in ("DivBackward0", "MulBackward0")):
        return None
    return inputs[0]


def _constant(node: Any) -> float | None:
    """The number that a value was multiplied or divided by; None for a tensor that needs a gradient, or is on a device."""
    if sum(behind is not None for behind, _ in node.next_functions) != 1:
        return None
    factor = getattr(node, "_saved_other", None)
    if factor is None:
        factor = getattr(node, "_saved_self", None)
    if isinstance(factor, Tensor):
        return float(factor) if factor.numel() == 1 and factor.device.type == "cpu" else None
    return None if factor is None else float(factor)
