"""What schedulers plan: what they come to do, found without doing anything."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from functools import partial

import pytest
import torch
from torch.optim import Optimizer
from torch.optim import lr_scheduler as schedulers

from loopcheck.record.curves import double, rehearsed

TOTAL = 40
SAID: list[int] = []


def warmed(step: int, warmup: int, total: int) -> float:
    return step / max(1, warmup) if step < warmup else max(0.0, (total - step) / (total - warmup))


def speaks(step: int) -> float:
    SAID.append(step)
    return 1.0


def optimizer() -> Optimizer:
    groups = [{"params": [torch.nn.Parameter(torch.zeros(2))], "lr": lr} for lr in (0.1, 0.5)]
    return torch.optim.SGD(groups, momentum=0.9)


PLANNED: list[Callable[[Optimizer], schedulers.LRScheduler]] = [
    lambda o: schedulers.StepLR(o, 5),
    lambda o: schedulers.MultiStepLR(o, [3, 9]),
    lambda o: schedulers.ConstantLR(o),
    lambda o: schedulers.LinearLR(o),
    lambda o: schedulers.ExponentialLR(o, 0.9),
    lambda o: schedulers.CyclicLR(o, 0.01, 0.1, step_size_up=4),
    lambda o: schedulers.CosineAnnealingWarmRestarts(o, 7),
    lambda o: schedulers.OneCycleLR(o, 0.2, total_steps=50),
    lambda o: schedulers.LambdaLR(o, lambda step: (1 + math.cos(step / TOTAL)) / 2),
    lambda o: schedulers.LambdaLR(o, partial(warmed, warmup=4, total=40)),
    lambda o: schedulers.MultiplicativeLR(o, lambda step: 0.95),
    lambda o: schedulers.SequentialLR(o, [schedulers.LinearLR(o, 0.1, total_iters=5), schedulers.CosineAnnealingLR(o, 25)], [5]),
    lambda o: schedulers.ChainedScheduler([schedulers.ConstantLR(o, total_iters=4), schedulers.ExponentialLR(o, 0.9)], o),
]


@pytest.mark.parametrize("make", PLANNED)
def test_what_is_planned_is_what_is_done(make: Callable[[Optimizer], schedulers.LRScheduler]) -> None:
    moved = optimizer()
    scheduler = make(moved)
    copied = double(scheduler)
    assert copied is not None
    begun = [float(group["lr"]) for group in moved.param_groups]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        planned = rehearsed(copied, 30)
    assert [float(group["lr"]) for group in moved.param_groups] == begun
    done = begun[:1]
    for _ in range(30):
        moved.step()
        scheduler.step()
        done.append(float(moved.param_groups[0]["lr"]))
    assert [at for at, _ in planned] == [*range(31)]
    assert [rate for _, rate in planned] == pytest.approx(done, abs=1e-12)


def test_a_long_schedule_is_told_in_some_points() -> None:
    copied = double(schedulers.ExponentialLR(optimizer(), 0.999))
    assert copied is not None
    planned = rehearsed(copied, 10**9)
    assert len(planned) <= 210
    assert planned[-1][0] == 5_000
    assert planned[-1][1] == pytest.approx(0.1 * 0.999**5_000)


class Own(schedulers.StepLR):
    """One of the program's, which could do anything."""


@pytest.mark.parametrize(
    "make",
    [
        lambda o: schedulers.LambdaLR(o, speaks),
        lambda o: schedulers.LambdaLR(o, lambda step: 1.0 + len(SAID)),
        lambda o: schedulers.LambdaLR(o, [lambda step: 1.0, math.exp]),
        lambda o: schedulers.ReduceLROnPlateau(o),
        lambda o: schedulers.SequentialLR(o, [schedulers.LinearLR(o), schedulers.LambdaLR(o, speaks)], [5]),
        lambda o: Own(o, 3),
    ],
)
def test_nothing_is_said_where_more_could_happen(make: Callable[[Optimizer], schedulers.LRScheduler]) -> None:
    scheduler = make(optimizer())
    before = [*SAID]
    assert double(scheduler) is None
    assert before == SAID
