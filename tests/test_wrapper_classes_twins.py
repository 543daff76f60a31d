"""Classes that derive from a wrapper around a model: an object of one stands for the model. Programs of which one is right."""

from __future__ import annotations

from textwrap import dedent

import pytest

from loopcheck import packs
from loopcheck.check import check_source

SPREAD = """
import torch
from lab import Body, gathered, held_out, loader, scattered
from torch import nn


class Plain(nn.DataParallel):
    def gather(self, outputs, device):
        return gathered(outputs, device, dim=self.dim)


class Heir(Plain):
    def scatter(self, inputs, kwargs, devices):
        return scattered(inputs, devices), [{{}} for _ in devices]


class Sized(nn.DataParallel):
    def __init__(self, module, sizes, dim=0):
        super().__init__(module, dim=dim)
        self.sizes = sizes

    def scatter(self, inputs, kwargs, devices):
        return scattered(inputs, devices, self.sizes), [{{}} for _ in devices]


body, head = nn.Linear(8, 8), nn.Linear(8, 2)
optimizers = [torch.optim.SGD(body.parameters(), lr=0.1), torch.optim.SGD(head.parameters(), lr=0.1)]
network = {wrapped}
for epoch in range(3):
    network.train()
    for x, y in loader:
        {cleared}
        loss = network(x, y).mean()
        loss.backward()
        for optimizer in optimizers:
            optimizer.step()
    network.eval()
    hits = 0
    {graph}
        for x, y in held_out:
            hits += (network(x).argmax(1) == y).sum().item()
    print(hits)
"""
NETWORKS = [
    "Plain(nn.Sequential(body, head))",
    "Heir(nn.Sequential(body, head)).cuda()",
    "Sized(nn.Sequential(body, head), [1, 3])",
]


def told(code: str, **lines: str) -> bool:
    program = dedent(SPREAD).format(**{"cleared": "network.zero_grad()", "graph": "with torch.no_grad():", **lines})
    rules = [rule for rule in packs.rules() if rule.code == code]
    return bool(check_source(program.encode(), "train.py", rules).findings)


@pytest.mark.parametrize("wrapped", NETWORKS)
@pytest.mark.parametrize(("cleared", "wrong"), [("network.zero_grad()", False), ("pass", True)])
def test_it_is_cleared_as_the_model_is(wrapped: str, cleared: str, wrong: bool) -> None:
    assert told("LC103", wrapped=wrapped, cleared=cleared) is wrong


@pytest.mark.parametrize("wrapped", NETWORKS)
@pytest.mark.parametrize(("graph", "wrong"), [("with torch.no_grad():", False), ("if True:", True)])
def test_it_is_applied_as_the_model_is(wrapped: str, graph: str, wrong: bool) -> None:
    assert told("LC602", wrapped=wrapped, graph=graph) is wrong
