"""Methods that the project calls by name alone: what their callers see to is not theirs to see to."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from loopcheck import packs
from loopcheck.check import check_file
from loopcheck.rule import Confidence

NETWORK = """\
import torch
from torch import nn


class Learner:
    def __init__(self):
        self.net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
        self.optimizer = torch.optim.Adam(self.net.parameters())

    def fit(self, batches):
        self.net.train()
        for x, y in batches:
            self.optimizer.zero_grad()
            nn.functional.mse_loss(self.net(x), y).backward()
            self.optimizer.step()

    def validate(self, val_loader):
        self.net.eval()
        total = 0.0
        for x, y in val_loader:
            total += nn.functional.mse_loss(self.net(x), y).item()
        return total
"""
CALLER = """\
import torch


def show(learner, rows):
    with torch.no_grad():
        print(learner.validate(rows))
"""
DECORATED = CALLER.replace("def show", "@torch.inference_mode()\ndef show").replace("    with torch.no_grad():\n    ", "")
OPEN = CALLER.replace("torch.no_grad()", "open('words.txt') as file")
LATER = """\
import torch


def show(learner, rows):
    with torch.no_grad():
        def later():
            print(learner.validate(rows))
    later()
"""
INNER = """\
class Base:
    def {0}(self, rows):
        return self.{1}(rows)
"""


def _in_turn(*names: str) -> dict[str, str]:
    """A file for each method that calls the one before, and one that calls the last under `no_grad`."""
    inner = {f"{one}.py": INNER.format(one, other) for other, one in pairwise(("validate", *names))}
    return {**inner, "show.py": CALLER.replace("validate", names[-1])}


@pytest.mark.parametrize(
    ("callers", "confidence"),
    [
        ({"show.py": CALLER}, Confidence.LOW),
        ({"show.py": DECORATED}, Confidence.LOW),
        ({"show.py": CALLER, "more.py": CALLER}, Confidence.LOW),
        ({"show.py": OPEN}, Confidence.HIGH),
        ({"show.py": CALLER, "more.py": OPEN}, Confidence.HIGH),
        ({"show.py": LATER}, Confidence.HIGH),  # who runs it later may record
        ({"show.py": CALLER, "../old/more.py": OPEN}, Confidence.LOW),  # that of another program
        ({"../old/more.py": CALLER}, Confidence.LOW),
        (_in_turn("check"), Confidence.LOW),
        (_in_turn("check", "measure", "look"), Confidence.LOW),
        (_in_turn("check", "measure", "look", "try_out"), Confidence.HIGH),
        ({**_in_turn("check"), "more.py": OPEN.replace("validate", "check")}, Confidence.HIGH),
        ({"check.py": INNER.format("check", "validate")}, Confidence.HIGH),
        ({"check.py": INNER.format("validate", "validate")}, Confidence.HIGH),
    ],
)
def test_all_that_calls_a_method_has_autograd_off(tmp_path: Path, callers: dict[str, str], confidence: Confidence) -> None:
    (tmp_path / "README.md").write_text("Learners.")
    for folder in ("new", "old"):
        (tmp_path / folder).mkdir()
    (tmp_path / "new" / "network.py").write_text(NETWORK)
    for name, text in callers.items():
        (tmp_path / "new" / name).write_text(text)
    found = check_file(tmp_path / "new" / "network.py", packs.rules()).findings
    assert {each.confidence for each in found if each.rule.name == "missing-no-grad"} == {confidence}
