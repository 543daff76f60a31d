"""What settings choose is chosen alike wherever they are asked: programs that differ in one line, of which one is right."""

from __future__ import annotations

from textwrap import dedent

import pytest

from loopcheck import packs
from loopcheck.check import check_source

SETTINGS = """
import lightning as L
import torch
import torch.nn.functional as F
from pydantic import BaseSettings
from torch import nn


class Settings(BaseSettings):
    pass


class SoftMiss(nn.Module):
    def forward(self, shares, labels):
        return 1 - shares.gather(1, labels[:, None]).mean()


class Grader(L.LightningModule):
    def __init__(self, options: dict | None = None):
        super().__init__()
        self.save_hyperparameters()
        self.options = options or {{}}
        self.head = nn.Linear(8, 4)
        kind = self.options.get("kind", "plain")
        if kind == "plain":
            self.criterion = nn.CrossEntropyLoss()
        elif kind == "smooth":
            self.criterion = nn.CrossEntropyLoss(label_smoothing=0.1)
        elif kind == "soft":
            self.criterion = SoftMiss()
        else:
            self.criterion = nn.CrossEntropyLoss()

    def measured(self, batch):
        marks = self.head(batch["x"])
        kind = self.options.get("kind", "plain")
        if kind == "{kind}":
            marks = F.softmax(marks, dim=1)
        return self.criterion(marks, batch["y"])

    def training_step(self, batch, number):
        return self.measured(batch)

    def validation_step(self, batch, number):
        self.log("loss", self.measured(batch))

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)


def run(settings, loader, path):
    grader = Grader({given})
    trainer = L.Trainer(max_epochs=3)
    trainer.fit(grader, loader)
    if path:
        grader = Grader.load_from_checkpoint(path)
    trainer.validate(grader, loader)


settings = Settings()
run(settings, settings.loader, settings.path)
"""
GATED = """
import torch
import torch.nn.functional as F
from lab import SoftMiss, loader
from torch import nn

gate, head = nn.Linear(8, 1), nn.Linear(8, 4)
optimizer = torch.optim.SGD(head.parameters(), lr=0.1)
for x, y in loader:
    score = gate(x.mean(0))
    if score > 0:
        criterion = nn.CrossEntropyLoss()
    else:
        criterion = SoftMiss()
    marks = head(x)
    if {asked}:
        marks = F.softmax(marks, dim=1)
    optimizer.zero_grad()
    criterion(marks, y).backward()
    optimizer.step()
"""


def told(program: str) -> bool:
    rules = [rule for rule in packs.rules() if rule.code == "LC801"]
    return bool(check_source(program.encode(), "train.py", rules).findings)


@pytest.mark.parametrize(
    "given", ["settings.loss.model_dump()", 'settings.model_dump(mode="json")', "settings.loss_of(settings)"]
)
@pytest.mark.parametrize(("kind", "wrong"), [("soft", False), ("plain", True)])
def test_a_record_of_settings_is_no_network_that_is_applied(given: str, kind: str, wrong: bool) -> None:
    assert told(dedent(SETTINGS).format(given=given, kind=kind)) is wrong


@pytest.mark.parametrize("asked", ["score.detach() {} 0", "score {} 0", "score.detach().detach() {} 0"])
@pytest.mark.parametrize(("sign", "wrong"), [("<=", False), (">", True)])
def test_numbers_compare_alike_with_a_graph_and_without(asked: str, sign: str, wrong: bool) -> None:
    assert told(dedent(GATED).format(asked=asked.format(sign))) is wrong
