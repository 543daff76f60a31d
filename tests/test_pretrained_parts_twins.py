"""A ready-made network in a container, with no class of the project around it, comes in eval mode and is trained in it."""

from __future__ import annotations

import pytest

from loopcheck import packs
from loopcheck.check import check_source

PROGRAM = """
import torch
from lab import loader
from torch import nn
from transformers import BertModel

net = nn.Sequential(BertModel.from_pretrained("bert-base-uncased"), nn.Linear(8, 2))
optimizer = torch.optim.Adam(net.parameters())
{mode}
for x, y in loader:
    optimizer.zero_grad()
    nn.functional.cross_entropy(net(x), y).backward()
    optimizer.step()
"""


@pytest.mark.parametrize(("mode", "told"), [("net.train()", []), ("", ["training-in-eval-mode"])])
def test_no_class_of_the_project_need_be_around_it(mode: str, told: list[str]) -> None:
    report = check_source(PROGRAM.replace("{mode}", mode).encode(), "train.py", packs.rules())
    assert not report.problems
    assert [each.rule.name for each in report.findings if each.rule.group == "bug"] == told
