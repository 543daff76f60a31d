"""A network in train mode that is applied to the same again and again draws samples on purpose (Monte Carlo dropout)."""

from __future__ import annotations

import pytest

from loopcheck import packs
from loopcheck.check import check_source

PROGRAM = """
import torch
from torch import nn

model = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.2), nn.Linear(8, 1))
model.load_state_dict(torch.load("model.pt"))

def predict(model, x, val_loader, samples=20):
    model.train()
    found = []
    with torch.no_grad():
        {loop}
    return torch.cat(found).mean(0)

print(predict(model, torch.randn(8, 4), val_loader))
"""
LOOPS = {
    "for _ in range(samples): found.append(model(x))": False,
    "for i in range(samples):\n            y = model(x)\n            found.append(y * (i + 1))": False,
    "for i in range(samples): found.append(model(x[i : i + 1]))": True,
    "for i in range(samples):\n            batch = x[i : i + 1]\n            found.append(model(batch))": True,
    "for batch, _ in val_loader: found.append(model(batch))": True,
}


@pytest.mark.parametrize(("loop", "told"), LOOPS.items())
def test_what_differs_is_drawn(loop: str, told: bool) -> None:
    rules = [rule for rule in packs.rules() if rule.name == "missing-eval-mode"]
    assert bool(check_source(PROGRAM.format(loop=loop).encode(), "predict.py", rules).findings) is told
