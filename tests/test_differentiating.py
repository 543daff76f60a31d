"""Networks out of sight that may take gradients in their forward, for the project has such: no_grad around would break them."""

from __future__ import annotations

from pathlib import Path

import pytest

from loopcheck import packs
from loopcheck.cache import Cache
from loopcheck.check import check_file
from loopcheck.read.library import Library

HEADS = """\
import torch
from torch import nn


class {name}(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, positions):
        return self.slope(positions.requires_grad_(True))

    def slope(self, positions):
        energy = self.inner(positions)
        return energy, -torch.autograd.grad(energy.sum(), positions)[0]
"""
SAVED = """\
import torch

from chem import heads


def load_model(path):
    return torch.load(path)["model"]
"""
COMPARES = """\
from torch.utils.data import DataLoader

from chem.saved import load_model

model = load_model("kept.pt")
model.eval()
found = []
for positions in DataLoader(range(64), batch_size=8):
    energy, forces = model(positions)
    found.append(forces.detach().abs().max().item())
"""
RULES = [rule for rule in packs.rules() if rule.name == "missing-no-grad"]


def project(folder: Path, heads: str = HEADS.format(name="Forces"), saved: str = SAVED) -> Path:
    (folder / "chem").mkdir()
    for name, text in {"README.md": "", "chem/heads.py": heads, "chem/saved.py": saved, "compare.py": COMPARES}.items():
        (folder / name).write_text(text)
    return folder / "compare.py"


def told(file: Path, cache: Cache | None = None) -> list[int]:
    report = check_file(file, RULES, Library([file], cache))
    return [finding.primary.row for finding in report.findings]


def test_what_the_program_imports_has_networks_that_differentiate(tmp_path: Path) -> None:
    assert told(project(tmp_path)) == []


@pytest.mark.parametrize("name", ["GradientPenalty", "EikonalLoss"])
def test_a_loss_takes_gradients_of_others(name: str, tmp_path: Path) -> None:
    assert told(project(tmp_path, HEADS.format(name=name))) == [9]


@pytest.mark.parametrize(
    "heads",
    [
        HEADS.format(name="Forces").replace("self.slope(", "self.inner("),
        HEADS.format(name="Forces").replace("    energy =", "    with torch.enable_grad():\n            energy ="),
        HEADS.format(name="Forces").replace("torch.autograd.grad(energy.sum(), positions)[0]", "energy"),
    ],
    ids=["not in forward", "autograd turned on", "none"],
)
def test_a_network_that_can_do_without_is_told(heads: str, tmp_path: Path) -> None:
    assert told(project(tmp_path, heads)) == [9]


def test_what_the_program_does_not_import_is_not_what_it_applies(tmp_path: Path) -> None:
    assert told(project(tmp_path, saved=SAVED.replace("from chem import heads", ""))) == [9]


@pytest.mark.parametrize(("imports", "rows"), [("importlib.import_module(path)", []), ('importlib.import_module("json")', [9])])
def test_what_the_program_imports_by_a_name_may_be_any_file(imports: str, rows: list[int], tmp_path: Path) -> None:
    saved = SAVED.replace("from chem import heads", "import importlib").replace(
        'torch.load(path)["model"]', f"{imports}.Forces(path)"
    )
    assert told(project(tmp_path, saved=saved)) == rows


def test_a_part_that_a_forward_calls_may_take_the_gradients(tmp_path: Path) -> None:
    whole = "\n\nclass Whole(nn.Module):\n    def forward(self, x):\n        return self.forces.slope(x)\n"
    heads = HEADS.format(name="Forces").replace("self.slope(", "self.inner(")
    assert told(project(tmp_path, heads + whole)) == []


@pytest.mark.parametrize(("name", "applicability"), [("slope", "unsafe"), ("gradient_penalty", "safe")])
def test_where_gradients_are_taken_elsewhere_a_person_looks_at_the_fix(name: str, applicability: str, tmp_path: Path) -> None:
    """Another way through the pass may come there."""
    heads = (
        HEADS.format(name="Forces")
        .replace("self.slope(", "self.inner(")
        .replace("torch.autograd.grad(energy.sum(), positions)[0]", "energy")
    )
    takes = f"\n\ndef {name}(x, energy):\n    return torch.autograd.grad(energy.sum(), x)[0]\n"
    (finding,) = check_file(project(tmp_path, heads + takes), RULES).findings
    assert finding.repair
    assert finding.repair.applicability == applicability


def test_who_has_read_the_project_before_knows_what_has_changed(tmp_path: Path) -> None:
    file, cache = project(tmp_path), Cache(tmp_path / "kept")
    assert told(file, cache) == []
    (tmp_path / "chem/heads.py").write_text("")
    assert told(file, cache) == [9]


EXTRACTORS = """\
import torch
from torch import nn


def slope(positions, energy):
    return torch.autograd.grad(energy.sum(), positions)[0]


class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 1)

    def forward(self, positions):
        return self.layer(positions)

    def jacobian(self, positions, energy):
        return {plain}


class Wide(Plain):
    def jacobian(self, positions, energy):
        return {wide}
"""
ALIGNED = """\
import sys

import torch
from torch import nn
from torch.utils.data import DataLoader

from extractors import Plain, Wide


class Aligner(nn.Module):
    def __init__(self, extractor):
        super().__init__()
        self.extractor = extractor
        self.rate = nn.Linear(1, 1)

    def forward(self, positions):
        return self.rate(self.solve(positions))

    def solve(self, positions):
        energy = self.extractor(positions)
        return energy - self.steps(positions, energy)

    def steps(self, positions, energy):
        return self.extractor.jacobian(positions, energy)


model = Aligner(Wide() if "wide" in sys.argv else Plain())
model.load_state_dict(torch.load("kept.pt"))
model.eval()
for positions in DataLoader(range(64), batch_size=8):
    print(model(positions).mean().item())
"""


@pytest.mark.parametrize(
    ("plain", "wide", "rows"),
    [("energy", "slope(positions, energy)", []), ("slope(positions, energy)", "energy", []), ("energy", "energy", [31])],
)
def test_what_a_forward_calls_of_its_parts_may_take_gradients(plain: str, wide: str, rows: list[int], tmp_path: Path) -> None:
    (tmp_path / "README.md").touch()
    (tmp_path / "extractors.py").write_text(EXTRACTORS.format(plain=plain, wide=wide))
    (tmp_path / "align.py").write_text(ALIGNED)
    assert told(tmp_path / "align.py") == rows


ENERGY = """\
import torch
from torch import nn


def simulate(pos, vel, steps, energy):
    for i in range(steps):
        pos = pos.detach()
        pos.requires_grad = True
        slope = {slope}
        with torch.no_grad():
            vel = vel - 0.5 * slope
            pos = pos + vel
    return pos.detach(), vel.detach()


class Sampler:
    def __init__(self, energy, dims):
        self.recon = energy
        self.prior = torch.distributions.Normal(0, 1)

    def energy(self, x, z, t):
        return -self.prior.log_prob(z) + t * self.recon(x, z)

    def ais(self, x):
        z = torch.randn(len(x), 3)
        w = 0
        for t0, t1 in [(0, 0.5), (0.5, 1)]:
            w = w + self.energy(x, z, t0)

            def run(z):
                return self.energy(x, z, t1)

            z, _ = simulate(z, torch.zeros(3), 5, run)
        return w


class Runner:
    def __init__(self, config):
        self.config = config

    def test_ais(self, test_loader):
        decoder = nn.Sequential(nn.Linear(3, 3), nn.Dropout())
        decoder.load_state_dict(torch.load("a"))

        def energy(x, z):
            out = decoder(z)
            return nn.functional.mse_loss(out, x, reduction="none").sum(1)

        sampler = Sampler(energy, 3)
        total = 0.0
        for x, y in test_loader:
            total += sampler.ais(x).mean().item() * len(x)
            print(total)
"""


@pytest.mark.parametrize(
    ("slope", "rows"),
    [("torch.autograd.grad(energy(pos).sum(), pos)[0]", []), ("energy(pos).sum()", [46])],
    ids=["taken", "not taken"],
)
def test_a_function_that_is_handed_out_may_be_differentiated(slope: str, rows: list[int], tmp_path: Path) -> None:
    (tmp_path / "sample.py").write_text(ENERGY.format(slope=slope))
    assert told(tmp_path / "sample.py") == rows
