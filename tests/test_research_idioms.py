"""Ways in which research code puts its training loop together: right as they stand, and wrong where one line is another."""

from __future__ import annotations

import pytest

from loopcheck import packs
from loopcheck.check import check_source

HEAD = """
import torch
from torch import nn

net = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Dropout(), nn.Linear(8, 2))
"""
STEP_HOOK = """
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
optimizer.register_step_pre_hook(lambda *_: nn.utils.clip_grad_norm_(net.parameters(), 1.0))
optimizer.register_step_post_hook(lambda optimizer, args, kwargs: optimizer.zero_grad())
for x, y in train_loader:
    nn.functional.cross_entropy(net(x), y).backward()
    optimizer.step()
"""
SCALED_STEP_HOOK = """
class Trainer:
    def __init__(self, model):
        self.model, self.scaler, self.steps = model, torch.amp.GradScaler(), 0
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        self.optimizer.register_step_post_hook(self.stepped)
    def stepped(self, optimizer, args, kwargs):
        optimizer.zero_grad()
        self.steps += 1
    def batch(self, x, y):
        with torch.autocast("cuda"):
            loss = nn.functional.cross_entropy(self.model(x), y)
        self.scaler.scale(loss).backward()
        self.scaler.step(self.optimizer)
        self.scaler.update()

trainer = Trainer(net)
for x, y in train_loader:
    trainer.batch(x, y)
"""
PROGRAMS = {
    "step hook": STEP_HOOK,
    "scaled step hook": SCALED_STEP_HOOK,
}
BUGS = [
    (STEP_HOOK, "optimizer.zero_grad()", "None", "LC103"),
    (STEP_HOOK, "register_step_pre_hook", "register_step_post_hook", "LC101"),
    (SCALED_STEP_HOOK, "optimizer.zero_grad()", "pass", "LC103"),
]


def told(program: str) -> list[str]:
    report = check_source(f"{HEAD}{program}".encode(), "train.py", packs.rules())
    return [finding.rule.code for finding in report.findings if finding.rule.group == "bug"]


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=list(PROGRAMS))
def test_what_is_right_is_not_told(program: str) -> None:
    assert told(program) == []


@pytest.mark.parametrize(("program", "line", "instead", "code"), BUGS)
def test_what_is_wrong_is_told(program: str, line: str, instead: str, code: str) -> None:
    assert line in program
    assert told(program.replace(line, instead, 1)) == [code]
