"""What the function of a schedule makes of step 0, and how often the loops around come to a call."""

from __future__ import annotations

import pytest
from worth import read

from loopcheck import packs
from loopcheck.check import check_source, read_source
from loopcheck.loop import events

HEAD = """\
import math, functools, argparse
import torch
from torch.optim.lr_scheduler import CosineAnnealingLR, LambdaLR, LinearLR, SequentialLR

parser = argparse.ArgumentParser()
parser.add_argument("--none", type=int, default=0)
args = parser.parse_args()
model = torch.nn.Linear(2, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
warmup = unknown()


def chosen(step):
    if flag:
        return step / warmup
    return step * 0.0


def other(step, scale):
    return scale * chosen(step)


def recursive(step):
    return recursive(step)


def growing(step):
    step += 1
    rate = step / warmup
    return rate


def looping(step):
    while step < 3:
        step = step + 3
    return step


"""


def fact(code: str, verb: str, name: str) -> object:
    """The last known worth of a fact in a program."""
    return [event.facts.get(name) for entry in read(HEAD + code)[1].entries for event in events(entry) if event.verb == verb][-1]


@pytest.mark.parametrize(
    ("function", "begins_at_zero"),
    [
        ("lambda step: math.log2(step + 1) / math.log2(warmup)", True),
        ("lambda step: step / 10", True),
        ("lambda step: step / warmup", True),
        ("lambda step: (step + 1) / warmup", None),
        ("lambda step: (step + 1) / 10", False),
        ("lambda step: min(1.0, step / warmup)", True),
        ("lambda step: max(0.1, step / warmup)", False),
        ("lambda step: 0.5 * (1 + math.cos(math.pi * step / 10))", False),
        ("lambda step: step / warmup if step < warmup else 1.0", True),
        ("lambda step: step / args.none if step < args.none else 1.0", False),
        ("lambda step: step / args.other if step < 0 * args.other else 1.0", False),
        ("lambda step: step ** -0.5", None),
        ("lambda step: unknown(step)", None),
        ("chosen", True),
        ("functools.partial(other, scale=2.0)", True),
        ("[chosen, chosen]", True),
        ("[chosen, lambda step: 1.0]", None),
        ("growing", None),
        ("recursive", None),
        ("looping", None),
        ("unknown", None),
    ],
)
def test_the_factor_that_a_schedule_begins_with(function: str, begins_at_zero: bool | None) -> None:
    assert fact(f"LambdaLR(optimizer, {function})", "build", "from_zero") is begins_at_zero


@pytest.mark.parametrize(
    ("parts", "milestone", "cut"),
    [
        ("LinearLR(optimizer, total_iters=8)", "4", True),
        ("LinearLR(optimizer, total_iters=4)", "8", False),
        ("LinearLR(optimizer, total_iters=8)", "8", False),
        ("LinearLR(optimizer)", "4", True),
        ("LinearLR(optimizer, total_iters=warmup)", "warmup", False),
        ("LinearLR(optimizer, total_iters=warmup)", "other_warmup", None),
        ("LinearLR(optimizer, total_iters=args.epochs * len(train_loader))", "args.epochs", True),
        ("unknown()", "4", None),
    ],
)
def test_a_part_of_a_schedule_that_is_cut_off(parts: str, milestone: str, cut: bool | None) -> None:
    code = f"SequentialLR(optimizer, [{parts}, CosineAnnealingLR(optimizer, 10)], milestones=[{milestone}])"
    assert fact(code, "build", "cut") is cut


@pytest.mark.parametrize(
    ("length", "loops", "overrun"),
    [
        ("args.epochs", ["for epoch in range(args.epochs):"], True),
        ("20", ["for epoch in range(20):"], True),
        ("20", ["for epoch in range(21):"], None),
        ("args.epochs", ["for epoch in range(1, args.epochs):"], None),
        ("args.epochs - 2", ["for epoch in range(args.epochs):"], None),
        ("args.epochs", ["for epoch in range(args.epochs + 2):"], None),
        ("args.epochs", ["for run in range(3):", "for epoch in range(args.epochs):"], None),
        ("args.epochs * len(loader)", ["for epoch in range(args.epochs):", "for x in loader:"], True),
        ("len(loader) * 3", ["for epoch in range(3):", "for x in loader:"], True),
        ("len(loader) * 4", ["for epoch in range(3):", "for x in loader:"], None),
        ("args.epochs", ["for epoch in range(args.epochs):", "for x in loader:"], None),
    ],
)
def test_a_schedule_that_comes_as_often_as_its_last_part_is_long(length: str, loops: list[str], overrun: bool | None) -> None:
    made = f"SequentialLR(optimizer, [LinearLR(optimizer), CosineAnnealingLR(optimizer, {length})], milestones=[5])"
    code = ["loader = torch.utils.data.DataLoader(unknown())", f"scheduler = {made}"]
    code += [f"{'    ' * depth}{loop}" for depth, loop in enumerate(loops)]
    deep = "    " * len(loops)
    code += [f"{deep}model(unknown()).sum().backward()", f"{deep}optimizer.step()", f"{deep}scheduler.step()"]
    assert fact("\n".join(code), "schedule", "overrun") is overrun


SET_BY_HAND = """\
import torch


class Warmup:
    def __init__(self, optimizer, peak, length):
        self.optimizer, self.peak, self.length, self.done = optimizer, peak, length, 0
        self.step(self.done)

    def rate(self):
        if self.done < self.length:
            return self.peak * self.done / self.length
        return self.peak

    def step(self, done=None):
        self.done = self.done + 1 if done is None else done
        rate = {rate}
        for group in self.optimizer.param_groups:
            group["lr"] = {given}


def train(model, batches, peak, length):
    optimizer = torch.optim.SGD(model.parameters(), lr=peak)
    warmup = Warmup(optimizer, peak, length)
    for x, y in batches:
        optimizer.zero_grad()
        torch.nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
        warmup.step()
"""


@pytest.mark.parametrize(
    ("rate", "given", "shown"),
    [
        ("self.rate()", "rate", True),
        ("self.rate()", "rate / group['width']", True),
        ("self.rate()", "group['scale'] * rate", True),
        ("self.rate()", "1e-8 + rate", None),
        ("self.peak * self.done / self.length", "rate", False),
    ],
)
def test_where_the_rate_of_the_first_step_is_computed(rate: str, given: str, shown: bool | None) -> None:
    program = read_source(SET_BY_HAND.format(rate=rate, given=given).encode(), "train.py")
    built = [each for entry in program.entries for each in events(entry) if each.facts.get("from_zero") is True]
    assert bool(built) is (shown is not None)
    assert [[(what, site.row) for what, site in each.origins] for each in built] == [[("rate", 9)] if shown else []] * len(built)


@pytest.mark.parametrize(
    ("function", "confidence"),
    [
        ("lambda step: 1 - (step - 1) % 10 / 20", "low"),
        ("lambda step: 1 - step % 10 / 20", "high"),
        ("lambda step: 1 - 1 / (step + 2)", "high"),
    ],
)
def test_a_schedule_that_counts_from_one_may_be_stepped_first(function: str, confidence: str) -> None:
    program = f"""
import torch
from torch import nn
from torch.utils.data import DataLoader

net = nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, {function})
for x, y in DataLoader(torch.load("train.pt"), shuffle=True):
    schedule.step()
    optimizer.zero_grad()
    nn.functional.cross_entropy(net(x), y).backward()
    optimizer.step()
"""
    (found,) = check_source(program.encode(), "train.py", packs.rules()).findings
    assert (found.rule.name, str(found.confidence)) == ("scheduler-before-optimizer", confidence)


OWN = """
import torch
from torch import nn
from torch.optim.lr_scheduler import LRScheduler
from torch.utils.data import DataLoader

rate = 0


class WarmUp(LRScheduler):
    def __init__(self, optimizer, total, last_epoch=-1):
        self.total = total
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        return {rates}


net = nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
schedule = WarmUp(optimizer, {given})
for x, y in DataLoader(torch.load("train.pt"), shuffle=True):
    optimizer.zero_grad()
    nn.functional.cross_entropy(net(x), y).backward()
    optimizer.step()
    schedule.step()
"""
RISING = "[lr * self.last_epoch / self.total for lr in self.base_lrs]"


@pytest.mark.parametrize(
    ("rates", "given", "told"),
    [
        (RISING, "100", True),
        (RISING, "100, -1", True),
        (RISING, "100, 5", False),  # it goes on after that epoch
        ("[lr * (self.last_epoch + 1) / self.total for lr in self.base_lrs]", "100", False),
        ("[rate for rate in self.base_lrs]", "100", False),  # no variable around the comprehension
        ("[rate * lr for lr in self.base_lrs]", "100", True),
    ],
)
def test_a_class_of_schedules_may_begin_with_a_rate_of_zero(rates: str, given: str, told: bool) -> None:
    found = check_source(OWN.format(rates=rates, given=given).encode(), "train.py", packs.rules()).findings
    assert [each.rule.name for each in found if each.rule.code == "LC504"] == ["warmup-starts-at-zero"] * told
