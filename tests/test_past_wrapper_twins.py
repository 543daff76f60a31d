"""Training past the wrapper of a model, by a method of it and after it was let go: programs of which one is right."""

from __future__ import annotations

from textwrap import dedent

import pytest

from loopcheck import packs
from loopcheck.check import check_source

PAIR = """
import os

import torch
import torch.distributed as dist
from lab import average_gradients, loader
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Maker(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.head = nn.Linear(8, 8), nn.Linear(8, 8)

    def decode(self, z):
        return self.head(z)


class Pair(nn.Module):
    def __init__(self):
        super().__init__()
        self.maker, self.judge = Maker(), nn.Linear(8, 1)

    def forward(self, x):
        return -self.judge(self.maker.decode(self.maker.body(x))).mean()

    def update(self, x):
        made = self.maker.decode(self.maker.body(x))
        loss = -self.judge(self.maker.head(made)).mean()
        loss.backward()
        return loss.detach()

    def check(self, x):
        with torch.no_grad():
            return self.judge(self.maker.head(self.maker.body(x))).mean()


class Trainer:
    def __init__(self, pair, optimizer, spread):
        self.pair = pair
        self.optimizer = optimizer
        self.spread = spread

    def step(self, x):
        self.optimizer.zero_grad()
        pair = {pair}
        {trained}
        self.optimizer.step()

    def train(self):
        for x, _ in loader:
            self.step(x)


dist.init_process_group("nccl")
pair = Pair().cuda()
optimizer = torch.optim.Adam(pair.maker.parameters(), lr=1e-4)
spread = int(os.environ["WORLD_SIZE"]) > 1
if spread:
    pair = DDP(pair)
Trainer(pair, optimizer, spread).train()
"""
PAST = "self.pair.module if self.spread else self.pair"
LET_GO = """
import torch
import torch.distributed as dist
from lab import loader
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Trainer:
    def __init__(self, first, second, optimizers):
        self.first, self.second, self.optimizers = first, second, optimizers
        {kept}

    def train(self):
        for x, _ in loader:
            for optimizer in self.optimizers:
                optimizer.zero_grad()
            z = self.first(x)
            z = z + self.first(x * 2)
            loss = self.second(z).mean() + self.second(z * 2).mean()
            loss.backward()
            for optimizer in self.optimizers:
                optimizer.step()


dist.init_process_group("nccl")
first, second = nn.Linear(8, 8).cuda(), nn.Linear(8, 1).cuda()
optimizers = [torch.optim.Adam(first.parameters()), torch.optim.Adam(second.parameters())]
first, second = DDP(first), DDP(second)
Trainer(first, second, optimizers).train()
"""


def told(program: str) -> int:
    rules = [rule for rule in packs.rules() if rule.code == "LC709"]
    return len(check_source(program.encode(), "train.py", rules).findings)


@pytest.mark.parametrize(
    ("pair", "trained", "found"),
    [
        (PAST, "pair.update(x)", 1),
        (PAST, "print(pair.check(x)), pair.update(x)", 1),
        (PAST, "pair.update(x), average_gradients(pair)", 0),
        (PAST, "print(pair.check(x)), self.pair(x).backward()", 0),
        ("self.pair", "pair(x).backward()", 0),
        (PAST, "pair(x).backward()", 1),
    ],
)
def test_a_method_that_trains_its_model_applies_it_past_the_wrapper(pair: str, trained: str, found: int) -> None:
    assert told(dedent(PAIR).format(pair=pair, trained=trained)) == found


@pytest.mark.parametrize(
    ("kept", "found"),
    [
        ("self.first, self.second = first.module, second.module", 2),
        ("self.first = first.module", 1),
        ("self.plain = first.module", 0),
    ],
)
def test_where_a_wrapper_was_let_go_is_one_place_to_mend(kept: str, found: int) -> None:
    assert told(dedent(LET_GO).format(kept=kept)) == found
