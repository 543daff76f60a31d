"""Classes that keep a loss scale to themselves, and whose methods nobody in sight calls: read as a user composes them."""

from __future__ import annotations

from pathlib import Path

import pytest

from loopcheck import packs
from loopcheck.check import check_file
from loopcheck.finding import Finding
from loopcheck.rule import Confidence

WRAPPER = """
import torch
from torch.optim import Optimizer

{before}
class Amp{bases}:
    def __init__(self, optim: Optimizer, device{given}):
        self.optim = optim
        self.scaler = {scaler}

    def backward(self, loss):
        self.scaler.scale(loss).backward()

    def clip(self, params):
        {unscale}torch.nn.utils.clip_grad_norm_(params, 1.0)

    def step(self):
        {step}self.scaler.step(self.optim){update}
{after}
"""
PLAIN = {
    "before": "",
    "bases": "",
    "given": "",
    "scaler": "torch.amp.GradScaler(device)",
    "unscale": "self.scaler.unscale_(self.optim)\n        ",
    "step": "",
    "update": "",
    "after": "",
}
UPDATES = "\n        self.scaler.update()"
UPDATE, CLIP = "missing-scaler-update", "clip-scaled-gradients"
FLAGGED = """if not self.unscaled:
            self.scaler.unscale_(self.optim)
        self.unscaled = True
        """
USER = """
def train(amp, losses):
    for loss in losses():
        amp.backward(loss)
        {0}
        amp.step()
        {1}
"""

TRAINS = """

def train(model, loader):
    amp = Amp(torch.optim.SGD(model.parameters(), lr=0.1), "cuda")
    for batch in loader:
        amp.backward(model(batch).sum())
        amp.step()
"""


def told(path: Path, **parts: str) -> set[str]:
    return {finding.rule.name for finding in findings(path, **parts)} & {UPDATE, CLIP}


def findings(path: Path, **parts: str) -> tuple[Finding, ...]:
    path.write_text(WRAPPER.format(**{**PLAIN, **parts}))
    return tuple(check_file(path, packs.rules()).findings)


@pytest.mark.parametrize(
    ("parts", "names"),
    [
        ({}, {UPDATE}),
        ({"update": UPDATES}, set()),
        ({"unscale": "", "update": UPDATES}, {CLIP}),
        ({"unscale": ""}, {CLIP, UPDATE}),
        ({"scaler": "torch.amp.GradScaler(device) if device else None"}, {UPDATE}),
        ({"scaler": "torch.amp.GradScaler(device, enabled=False)"}, set()),
        ({"after": "    def state_dict(self):\n        return self.scaler.state_dict()"}, {UPDATE}),
    ],
)
def test_its_methods_are_called_in_turn(parts: dict[str, str], names: set[str], tmp_path: Path) -> None:
    assert told(tmp_path / "amp.py", **parts) == names


@pytest.mark.parametrize(
    "parts",
    [
        {"given": ", scaler", "scaler": "scaler"},
        {
            "given": ", scaler: torch.amp.GradScaler",
            "scaler": "scaler",
            "after": "    def renew(self):\n        self.scaler = torch.amp.GradScaler()",
        },
        {"given": ", scaler=None", "scaler": "scaler or torch.amp.GradScaler(device)"},
        {"given": ", amp=None", "scaler": "amp or torch.amp.GradScaler(device)"},
        {"after": "    def update(self):\n        self.scaler.update()"},
        {"after": "    @property\n    def grad_scaler(self):\n        return self.scaler"},
        {"after": "    def close(self):\n        finish(self.scaler)"},
        {"after": USER.format("", "amp.scaler.update()")},
        {"after": USER.format("", "scale = amp.scaler\n        scale.update()")},
        {"before": "from somewhere import Strategy\n", "bases": "(Strategy)"},
    ],
)
def test_a_scale_that_others_may_update_is_theirs(parts: dict[str, str], tmp_path: Path) -> None:
    assert told(tmp_path / "amp.py", **parts) == set()


@pytest.mark.parametrize(
    "parts",
    [
        {"after": "    def unscale(self):\n        self.scaler.unscale_(self.optim)"},
        {"after": "    def divide(self, grads):\n        torch._foreach_div_(grads, self.scaler.get_scale())"},
        {"after": USER.format("amp.scaler.unscale_(amp.optim)\n        amp.clip(1)", "")},
        {"unscale": FLAGGED},
    ],
)
def test_a_scale_that_others_may_take_out_is_not_clipped(parts: dict[str, str], tmp_path: Path) -> None:
    assert told(tmp_path / "amp.py", **{"unscale": "", "update": UPDATES, **parts}) == set()


@pytest.mark.parametrize(("said", "names"), [("amp.scaler.update()", set()), ("print(amp.scaler)", {UPDATE})])
def test_a_file_that_imports_it_may_update_the_scale(said: str, names: set[str], tmp_path: Path) -> None:
    (tmp_path / "README.md").touch()
    (tmp_path / "user.py").write_text(
        f"import torch\nfrom amp import Amp\n\ndef finish(amp):\n    {said}\n    torch.save(1, 'x')\n"
    )
    assert told(tmp_path / "amp.py") == names


def test_who_calls_them_in_sight_is_believed(tmp_path: Path) -> None:
    after = "\ndef train(model, loader):\n    amp = Amp(torch.optim.SGD(model.parameters(), lr=0.1), 'cuda')\n    amp.step()\n"
    assert told(tmp_path / "amp.py", after=after) == set()


def test_what_rests_on_the_order_of_calls_that_nobody_makes_in_sight_is_not_sure(tmp_path: Path) -> None:
    (finding,) = (each for each in findings(tmp_path / "amp.py") if each.rule.name == UPDATE)
    assert (finding.confidence, finding.because) == (Confidence.MEDIUM, "who calls these methods in this order is not in sight")
    (finding,) = (each for each in findings(tmp_path / "amp.py", after=TRAINS) if each.rule.name == UPDATE)
    assert finding.confidence is Confidence.HIGH


def test_a_fix_stays_out_of_the_code_that_stands_for_the_user(tmp_path: Path) -> None:
    (finding,) = (each for each in findings(tmp_path / "amp.py", step="return ") if each.rule.name == UPDATE)
    assert (finding.repair, finding.unmended) == (None, "the function ends there")
