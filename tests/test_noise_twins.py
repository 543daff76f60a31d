"""What a trained generator makes of noise, by a method of its own: programs that differ in one line, of which one is right."""

from __future__ import annotations

from textwrap import dedent

import pytest

from loopcheck import packs
from loopcheck.check import check_source

PROGRAM = """
import torch
from lab import loader
from torch import nn


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(8, 8), nn.BatchNorm1d(8), nn.Linear(8, 2))
        self.decoder = nn.Sequential(nn.Linear(2, 8), nn.BatchNorm1d(8), nn.Linear(8, 8))

    def forward(self, x):
        return self.decoder(self.encoder(x))

    def sample(self, z):
        return self.decoder(z)


def train():
    model = Generator()
    optimizer = torch.optim.Adam(model.parameters())
    for epoch in range(10):
        for x in loader:
            optimizer.zero_grad()
            (model(x) - x).pow(2).mean().backward()
            optimizer.step()
    return model


model = train()
with torch.no_grad():
    z = {data}
    print(model.{method}(z).cpu().numpy())
"""


@pytest.mark.parametrize(
    ("data", "method", "wrong"),
    [
        ("torch.randn(64, 2)", "sample", False),
        ("torch.randn(size=(64, 2)).to('cuda')", "sample", False),
        ("torch.randn(64, 8)", "forward", False),
        ("torch.load('codes.pt')", "sample", True),
        ("torch.load('held_out.pt')", "forward", True),
    ],
)
def test_what_is_made_of_noise_may_be_made_in_train_mode(data: str, method: str, wrong: bool) -> None:
    program = dedent(PROGRAM).replace("{data}", data).replace("{method}", method)
    rules = [rule for rule in packs.rules() if rule.code == "LC601"]
    assert bool(check_source(program.encode(), "train.py", rules).findings) is wrong
