"""Options that are fields of a class of another file, which is not looked at before somebody asks what one is worth."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from loopcheck.cli import program

CONFIG = """
from dataclasses import dataclass, field


@dataclass
class Optim:
    weight_decay: float = {decay}


class Base:
    weight_decay = {decay}


@dataclass
class Config(Base):
    epochs: int = 3
    optim: Optim = field(default_factory=Optim)
"""
TRAIN = """
import torch
from torch import nn

from config import Config


def train(config: Config, loader):
    model = nn.Sequential(nn.Linear(4, 8), nn.LayerNorm(8), nn.Linear(8, 1))
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay={decay})
    for epoch in range(config.epochs):
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(model(x), y).backward()
            optimizer.step()
"""


@pytest.mark.parametrize(
    ("decay", "worth", "told"),
    [
        ("config.optim.weight_decay", "0.01", True),
        ("config.weight_decay", "0.01", True),
        ("config.optim.weight_decay", "0.0", False),
        ("config.weight_decay", "0.0", False),
        ("config.other_decay", "0.01", False),
    ],
)
def test_an_option_is_what_its_class_says(
    decay: str, worth: str, told: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("config.py").write_text(CONFIG.format(decay=worth))
    Path("train.py").write_text(TRAIN.format(decay=decay))
    found = CliRunner().invoke(program, ["check", "--output-format", "concise", "train.py"])
    assert ("LC401" in found.stdout) is told, found.stdout
