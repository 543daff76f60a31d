"""A network that fits a head of its own, and drops while it does: programs that differ in one line, of which one is right."""

from __future__ import annotations

from textwrap import dedent

import pytest

from loopcheck import packs
from loopcheck.check import check_source

FITS = """
import torch
import torch.nn.functional as F
from torch import nn


class Probed(nn.Module):
    def __init__(self, body, width, classes, share):
        super().__init__()
        self.body, self.width, self.classes, self.share = body, width, classes, share

    def forward(self, support, labels, query):
        z, asked = self.body(support), self.body(query)
        head = nn.Linear(self.width, self.classes)
        optimizer = torch.optim.SGD(head.parameters(), lr=0.01)
        for epoch in range(100):
            optimizer.zero_grad()
            {fit}
            optimizer.step()
        return head({asked})
"""
LEARNS = "F.cross_entropy(head({}), labels).backward()"


@pytest.mark.parametrize(
    ("fit", "asked", "wrong"),
    [
        (LEARNS.format("nn.Dropout(self.share)(z)"), "asked", False),
        (LEARNS.format("F.dropout(z, self.share)"), "asked", False),
        (LEARNS.format("z"), "F.dropout(asked, self.share)", True),
        ("print(F.cross_entropy(head(F.dropout(z, self.share)), labels))", "asked", True),
    ],
)
def test_what_drops_in_a_loop_that_trains_drops_to_train(fit: str, asked: str, wrong: bool) -> None:
    program = dedent(FITS).format(fit=fit, asked=asked)
    rules = [rule for rule in packs.rules() if rule.code == "LC606"]
    assert bool(check_source(program.encode(), "train.py", rules).findings) is wrong
