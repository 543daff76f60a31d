"""Training in two stages, each with an optimizer of its own for other parts of one model: programs of which one is right."""

from __future__ import annotations

from textwrap import dedent

import pytest

from loopcheck import packs
from loopcheck.check import check_source

STAGES = """
import torch
from lab import loader
from torch import nn
from torch.optim import AdamW


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.head = nn.Linear(8, 8), nn.Linear(8, 2)

    def forward(self, x):
        return self.head(self.body(x))


def run(model, optimizer, scaler):
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", torch.float16):
            loss = nn.functional.cross_entropy(model(x), y)
        scaler.scale(loss).backward()
        {unscaled}
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()


model = Net().cuda()
scaler = torch.amp.GradScaler()
run(model, AdamW({first}, lr=1e-3), scaler)
run(model, AdamW({second}, lr=1e-4), scaler)
"""
WHOLE = "model.parameters()"
HEAD = "model.head.parameters()"
GROUPS = '[{"params": model.body.parameters(), "lr": 1e-5}, {"params": model.head.parameters()}]'


@pytest.mark.parametrize("first", [WHOLE, HEAD, GROUPS])
@pytest.mark.parametrize("second", [WHOLE, GROUPS])
@pytest.mark.parametrize(("unscaled", "wrong"), [("scaler.unscale_(optimizer)", False), ("pass", True)])
def test_what_a_later_optimizer_unscales_is_no_longer_an_earlier_ones(
    first: str, second: str, unscaled: str, wrong: bool
) -> None:
    program = dedent(STAGES.replace("{first}", first).replace("{second}", second).replace("{unscaled}", unscaled))
    rules = [rule for rule in packs.rules() if rule.code == "LC201"]
    assert bool(check_source(program.encode(), "train.py", rules).findings) is wrong
