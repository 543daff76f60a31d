"""An operator that is called, in place or not: a loss that it divides by the window is divided."""

from __future__ import annotations

import pytest

from loopcheck import packs
from loopcheck.check import check_source

PROGRAM = """
import torch
from torch import nn

steps = 4
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for i, (x, y) in enumerate(loader):
    loss = nn.functional.cross_entropy(model(x), y)
    {operation}
    loss.backward()
    if (i + 1) % steps == 0:
        optimizer.step()
        optimizer.zero_grad()
"""
OPERATIONS = {
    "loss = loss / steps": True,
    "loss = loss.div(steps)": True,
    "loss = loss.true_divide(other=steps)": True,
    "loss = torch.div(loss, steps)": True,
    "loss = torch.mul(loss, 1 / steps)": True,
    "loss = loss.mul(1.0 / steps)": True,
    "loss.div_(steps)": True,
    "loss.mul_(1 / steps)": True,
    "loss = loss.mul(0.5)": False,
    "loss.mul(1 / steps)": False,
    "loss = loss.add(steps)": False,
}


@pytest.mark.parametrize(("operation", "divided"), OPERATIONS.items())
def test_a_window_is_divided_by_an_operator_by_another_name(operation: str, divided: bool) -> None:
    rules = [rule for rule in packs.rules() if rule.name == "unscaled-accumulation-loss"]
    report = check_source(PROGRAM.format(operation=operation).encode(), "train.py", rules)
    assert bool(report.findings) is not divided
