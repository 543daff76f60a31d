"""Which layers a network is told to hide: not those of a branch that a variable of its constructor switches off for good."""

from __future__ import annotations

import pytest

from loopcheck import packs
from loopcheck.check import check_source

PROGRAM = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, n, given=False):
        super().__init__()
        {flag}
        if {test}:
            self.layers = {{}}
            for i in range(n):
                self.layers[i] = nn.Linear(4, 4)
        else:
            self.layers = nn.Linear(4, 4)

    def forward(self, x):
        return self.layers(x)


def main(loader):
    net = Net(3)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for x in loader:
        optimizer.zero_grad()
        net(x).mean().backward()
        optimizer.step()
"""


def told(flag: str, test: str) -> bool:
    rules = [rule for rule in packs.rules() if rule.code == "LC405"]
    return bool(check_source(PROGRAM.format(flag=flag, test=test).encode(), "train.py", rules).findings)


@pytest.mark.parametrize(
    ("flag", "test", "comes"),
    [
        ("split = False", "split", False),
        ("split = True", "not split", False),
        ("split = True", "split", True),
        ("split = n > 1", "split", True),
        ("split = False; split = n > 1", "split", True),
        ("pass", "given", True),
        ("for _ in range(n): given = False", "given", True),
    ],
)
def test_layers_are_hidden_where_the_constructor_may_come(flag: str, test: str, comes: bool) -> None:
    assert told(flag, test) is comes
