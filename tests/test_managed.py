"""What a framework runs, and what is called from out of sight."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from loopcheck import packs
from loopcheck.check import check_file
from loopcheck.read import vocabulary
from loopcheck.read.vocabulary import Python

EVALUATES = """
import torch
from abc import ABC
from torch import nn
from torch.utils.data import DataLoader
from somewhere import Runner

class Trainer{bases}:
    def __init__(self, held_out):
        self.model = nn.Sequential(nn.Linear(4, 4), nn.Dropout())
        self.val_loader = DataLoader(held_out)

    def evaluate(self):
        return [self.model(inputs).mean().item() for inputs, _ in self.val_loader]
"""
TRAINS = """
import torch
from torch import nn
from somewhere import Runner

class Trainer{bases}:
    def __init__(self, loader):
        self.model = nn.Linear(4, 4)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)
        self.loader = loader

    def train(self):
        for inputs in self.loader:
            self.{called}()
            self.model(inputs).mean().backward()
            self.optimizer.step()
"""


def found(tmp_path: Path, code: str) -> set[str]:
    """The names of the rules that speak."""
    script = tmp_path / "script.py"
    script.write_text(code)
    return {finding.rule.name for finding in check_file(script, packs.rules()).findings}


def test_what_a_page_writes_out_defines_what_it_says() -> None:
    rows = [*vocabulary._functions().values(), *(row for _, row in vocabulary._families())]
    written = [row for row in rows if isinstance(row, Python)]
    assert written
    for row in written:
        assert row.name in {node.name for node in ast.parse(row.code).body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}


@pytest.mark.parametrize(("bases", "known"), [("", True), ("(ABC)", True), ("(Runner)", False)])
def test_a_base_out_of_sight_may_have_set_mode_and_gradients(tmp_path: Path, bases: str, known: bool) -> None:
    expected = {"missing-eval-mode", "missing-no-grad"} if known else set()
    assert found(tmp_path, EVALUATES.format(bases=bases)) == expected


@pytest.mark.parametrize(("called", "silent"), [("prepare_batch", True), ("log_batch", False)])
def test_a_method_of_a_base_out_of_sight_may_clear_gradients(tmp_path: Path, called: str, silent: bool) -> None:
    expected = set() if silent else {"missing-zero-grad"}
    assert found(tmp_path, TRAINS.format(bases="(Runner)", called=called)) == expected


HOOKED = """
import torch
from lightning import LightningModule

class Task(LightningModule):
    def __init__(self):
        super().__init__()
        self.automatic_optimization = {automatic}
        self.layer = torch.nn.Linear(4, 4)

    def training_step(self, batch, batch_idx):
        loss = self.layer(batch).mean()
        optimizer = self.optimizers()
        {step}
        return loss

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)
"""


@pytest.mark.parametrize(("automatic", "step", "expected"), [
    (True, "self.log('loss', loss)", set()),
    (False, "self.manual_backward(loss); optimizer.step()", {"missing-zero-grad"}),
    (False, "optimizer.zero_grad(); self.manual_backward(loss); optimizer.step()", set()),
])  # fmt: skip
def test_a_hook_is_read_in_the_loop_that_calls_it(tmp_path: Path, automatic: bool, step: str, expected: set[str]) -> None:
    assert found(tmp_path, HOOKED.format(automatic=automatic, step=step)) == expected


BY_NAME = """
import torch
from lightning import LightningModule

class Task(LightningModule):
    def __init__(self):
        super().__init__()
        self.save_hyperparameters()
        self.layer = torch.nn.Linear(4, 4)

    def training_step(self, batch, batch_idx):
        return self.layer(batch).mean()

    def configure_optimizers(self):
        optimizer = torch.optim.SGD(self.parameters(), lr=0.1)
        return [optimizer], [torch.optim.lr_scheduler.{schedule}]
"""


@pytest.mark.parametrize(
    ("schedule", "wrong"),
    [
        ("CosineAnnealingLR(optimizer, T_max=self.hparams.steps)", True),
        ("MultiStepLR(optimizer, milestones=self.hparams.steps)", False),
        ("StepLR(optimizer, step_size=self.hparams.steps)", False),
    ],
)
def test_milestones_are_called_steps_whatever_they_count(tmp_path: Path, schedule: str, wrong: bool) -> None:
    assert found(tmp_path, BY_NAME.format(schedule=schedule)) == ({"scheduler-cadence"} if wrong else set())


TAKEN_OUT = """
import torch
from accelerate import Accelerator
from torch import nn

def profiled(model, loader, optimizer, accelerator):
    raw = accelerator.unwrap_model(model)
    batch = next(iter(loader))
    {loop}
        optimizer.zero_grad()
        loss = {loss}
        loss.backward()
        optimizer.step()

accelerator = Accelerator(mixed_precision="bf16")
model = nn.Linear(4, 2)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
loader = torch.utils.data.DataLoader(torch.randn(64, 4), batch_size=8, shuffle=True)
model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
profiled(model, loader, optimizer, accelerator)
"""


@pytest.mark.parametrize(
    ("loss", "told"),
    [
        ("model(batch).square().mean()", True),
        ("raw(batch).square().mean()", False),
        ("raw.forward(batch).square().mean()", False),
        ("model(raw(batch)).square().mean()", False),
        ("accelerator.unwrap_model(model)(batch).square().mean()", False),
        ("raw(batch).losses['total']", False),
        ("len(raw(batch)) * model(batch).mean()", False),
    ],
)
def test_who_takes_a_model_out_of_its_framework_knows_what_it_would_have_done(tmp_path: Path, loss: str, told: bool) -> None:
    script = TAKEN_OUT.format(loss=loss, loop="for _ in range(3):")
    assert ("raw-backward-under-framework" in found(tmp_path, script)) is told


def test_outside_of_a_loop_too(tmp_path: Path) -> None:
    script = TAKEN_OUT.format(loss="raw(batch).mean()", loop="if True:")
    assert "raw-backward-under-framework" not in found(tmp_path, script)
    assert "raw-backward-under-framework" in found(tmp_path, script.replace("raw(batch)", "model(batch)"))
