"""What a scheduler plans, by its formula: nothing of it is run."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from torch.optim.lr_scheduler import LRScheduler

POINTS = 200


def curve(scheduler: LRScheduler) -> list[tuple[int, float]]:
    """The learning rates of the first group over the whole schedule; empty for a kind whose plan is not a formula."""
    formula = _FORMULAS.get(type(scheduler).__name__)
    try:
        return formula(scheduler) if formula else []
    except (AttributeError, KeyError, IndexError, TypeError):  # another version of torch calls things otherwise
        return []


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
