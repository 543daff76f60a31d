"""What a scheduler plans: by its formula, or by stepping a copy of it, where that can do nothing else."""

from __future__ import annotations

import builtins
import copy
import math
from collections.abc import Callable
from functools import partial
from types import FunctionType
from typing import Any

from torch import Tensor
from torch.optim.lr_scheduler import LRScheduler, ReduceLROnPlateau

POINTS = 200


MOST = 5_000
"""Steps of a schedule that are gone through."""


def curve(scheduler: LRScheduler) -> list[tuple[int, float]]:
    """The learning rates of the first group over the whole schedule; empty for a kind whose plan is not a formula."""
    formula = _FORMULAS.get(type(scheduler).__name__)
    try:
        return formula(scheduler) if formula else []
    except (AttributeError, KeyError, IndexError, TypeError):  # another version of torch calls things otherwise
        return []


def double(scheduler: LRScheduler) -> LRScheduler | None:
    """A copy of a scheduler that was just made, which moves nothing of the program's; None where to step it could do more.

    It is one of torch's, follows no metric, and calls no code of the program's but arithmetic.
    """
    if not _harmless(scheduler):
        return None
    optimizer = scheduler.optimizer
    stand_in = _StandIn([{key: value for key, value in group.items() if key != "params"} for group in optimizer.param_groups])
    if any(isinstance(value, Tensor) for group in stand_in.param_groups for value in group.values()):
        return None
    copied: LRScheduler = copy.deepcopy(scheduler, {id(optimizer): stand_in})
    return copied


def rehearsed(scheduler: LRScheduler, steps: int) -> list[tuple[int, float]]:
    """The learning rates of the first group for so many steps of a `double`, which has none of them behind it."""
    steps = min(steps, MOST)
    group = scheduler.optimizer.param_groups[0]
    rates = [float(group["lr"])]
    for _ in range(steps):
        scheduler.step()
        rates.append(float(group["lr"]))
    stride = max(1, steps // POINTS)
    return [(at, rates[at]) for at in dict.fromkeys([*range(0, steps, stride), steps])]


class _StandIn:
    """What a scheduler asks of its optimizer."""

    _opt_called = True

    def __init__(self, groups: list[dict[str, Any]]) -> None:
        self.param_groups = groups
        self.step = _stepped


def _stepped() -> None:
    """Nothing: an optimizer without parameters."""


_stepped._wrapped_by_lr_sched = True  # type: ignore[attr-defined]


def _harmless(scheduler: LRScheduler) -> bool:
    inside = getattr(scheduler, "_schedulers", ())
    called = [*getattr(scheduler, "lr_lambdas", ()), getattr(scheduler, "_scale_fn_custom", None)]
    return (
        type(scheduler).__module__ == LRScheduler.__module__
        and not isinstance(scheduler, ReduceLROnPlateau)
        and (not inside or hasattr(scheduler, "_update_lr"))  # without, it warns of what it does itself
        and all(each is None or _is_arithmetic(each) for each in called)
        and all(map(_harmless, inside))
    )


_ARITHMETIC = frozenset("max min abs float int round pow math cos sin pi exp log sqrt floor ceil".split())  # noqa: SIM905


def _is_arithmetic(function: Any) -> bool:
    """A function of numbers that calls nothing but those of Python, and keeps nothing."""
    if isinstance(function, partial):
        given = [*function.args, *function.keywords.values()]
        return all(isinstance(each, (int, float, str)) for each in given) and _is_arithmetic(function.func)
    if not isinstance(function, FunctionType):
        return False
    kept = [cell.cell_contents for cell in function.__closure__ or ()]
    scope = {**vars(builtins), **function.__globals__}
    used = [(name, scope.get(name)) for name in function.__code__.co_names]
    known = all(name in _ARITHMETIC or isinstance(value, (int, float)) for name, value in used)
    plain = all(scope.get(name) in (getattr(builtins, name, None), math) for name in _ARITHMETIC & scope.keys())
    return known and plain and all(isinstance(each, (int, float)) for each in kept)


def _over(end: int, rate: Callable[[int], float]) -> list[tuple[int, float]]:
    stride = max(1, end // POINTS)
    return [(at, rate(at)) for at in [*range(0, end, stride), end]]


def _cosine(scheduler: Any) -> list[tuple[int, float]]:
    end, low, high = scheduler.T_max, scheduler.eta_min, scheduler.base_lrs[0]
    return _over(end, lambda at: low + (high - low) * (1 + math.cos(math.pi * at / end)) / 2)


def _polynomial(scheduler: Any) -> list[tuple[int, float]]:
    end, power, high = scheduler.total_iters, scheduler.power, scheduler.base_lrs[0]
    return _over(end, lambda at: float(high * (1 - at / end) ** power))


def _one_cycle(scheduler: Any) -> list[tuple[int, float]]:
    group = scheduler.optimizer.param_groups[0]
    straight = scheduler._anneal_func_type == "linear"

    def rate(at: int) -> float:
        start = 0.0
        for phase in scheduler._schedule_phases:
            if at <= phase["end_step"] or phase is scheduler._schedule_phases[-1]:
                share = min(1.0, (at - start) / ((phase["end_step"] - start) or 1))
                begin, end = group[phase["start_lr"]], group[phase["end_lr"]]
                return float(begin + (end - begin) * (share if straight else (1 - math.cos(math.pi * share)) / 2))
            start = phase["end_step"]
        return 0.0

    return _over(scheduler.total_steps - 1, rate)


_FORMULAS: dict[str, Callable[[Any], list[tuple[int, float]]]] = {
    "CosineAnnealingLR": _cosine,
    "PolynomialLR": _polynomial,
    "OneCycleLR": _one_cycle,
}
