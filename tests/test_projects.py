"""Programs of several files: each judge's findings are the marks of all files."""

from __future__ import annotations

from pathlib import Path

import pytest

from loopcheck import packs, testing
from loopcheck.check import check_file
from loopcheck.once import brought_home, first_told
from loopcheck.read.library import Library
from loopcheck.write.apply import mend

PROJECTS = sorted(path.parent for path in (Path(__file__).parent.parent / "fixtures" / "projects").glob("*/train.py"))
Marks = set[tuple[Path, str, int]]


def marked(project: Path) -> Marks:
    return {(file, *mark) for file in project.rglob("*.py") for mark in testing.marks(file)}


def read(project: Path) -> Marks:
    """What the static judge says of all files, wherever it points."""
    reports = [check_file(file, packs.rules()) for file in sorted(project.rglob("*.py"))]
    assert not any(report.problems or report.undecided for report in reports)
    findings = [finding for report in reports for finding in report.findings if finding.elsewhere is None]
    return {(Path(finding.primary.path), finding.rule.name, finding.primary.row) for finding in findings}


def ran(project: Path, runs: testing.Runs) -> Marks:
    run = runs.of(project / "train.py")
    assert run.raised is None
    return {(file, *mark) for file, found in testing.audited(run).items() for mark in found}


each_project = pytest.mark.parametrize("project", PROJECTS, ids=lambda path: path.name)


@each_project
def test_static_judge(project: Path) -> None:
    assert read(project) == marked(project)


@each_project
def test_run_time_judge(project: Path, runs: testing.Runs) -> None:
    assert ran(project, runs) == marked(project)


REPAIRED = {
    "accumulation_config", "bound_as_methods", "objective_object", "options_elsewhere", "trainer_clips_late",
    "trainer_of_a_task", "uniform_factory", "update_predicate",
}  # fmt: skip
"""The others' repairs would lie in several files, or their rules show them only."""


@each_project
def test_repairs_are_approved_by_the_callers(project: Path) -> None:
    repaired = False
    for file in sorted({file for file, _, _ in marked(project)}):
        mended = mend(file.read_bytes(), str(file), packs.rules(), unsafe=True)
        assert mended.withdrawn == ()
        assert len(mended.applied) + len(mended.report.findings) == len(testing.marks(file))
        repaired = repaired or bool(mended.applied)
    assert repaired == (project.name in REPAIRED)


SIBLING = """
from torch.utils.data import DataLoader, DistributedSampler

def make_loader(rows):
    return DataLoader(rows, batch_size=4, sampler=DistributedSampler(rows))
"""
SCRIPT = """
import torch
from torch import nn
from loaders import make_loader
{also}

def main(rows):
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = make_loader(rows)
    for epoch in range(3):
        for x in loader:
            optimizer.zero_grad()
            model(x).sum().backward()
            optimizer.step()
"""


@pytest.mark.parametrize(("also", "found"), [("", True), ("from . import loaders as others", False)])
def test_a_script_in_a_package_has_its_own_folder_on_the_path(also: str, found: bool, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "__init__.py").touch()
    (tmp_path / "work" / "loaders.py").write_text(SIBLING)
    (tmp_path / "work" / "train.py").write_text(SCRIPT.format(also=also))
    rules = [rule for rule in packs.rules() if rule.code == "LC701"]
    assert bool(check_file(tmp_path / "work" / "train.py", rules).findings) is found


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ('sys.path.append("core")', True),
        ("sys.path.insert(0, './core')", True),
        ('sys.path.append("../tools/core")', True),
        ('sys.path.append(f"{core}")', False),
        ('sys.path.append("../../core")', False),
    ],
)
def test_what_a_script_puts_on_the_path_is(said: str, found: bool, tmp_path: Path) -> None:
    """Folders of the project alone, and where it says so in so many words."""
    (tmp_path / "project" / ".git").mkdir(parents=True)
    for folder in ("project/tools/core", "core"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "loaders.py").write_text(SIBLING)
    script = tmp_path / "project" / "tools" / "train.py"
    script.write_text(f"import sys\n{said}\n{SCRIPT.format(also='')}")
    rules = [rule for rule in packs.rules() if rule.code == "LC701"]
    assert bool(check_file(script, rules).findings) is found


MEASURING = """
import torch
from torch import nn

class Judge:
    def __init__(self, test_loader):
        self.test_loader = test_loader

    def accuracy(self, model: nn.Module):
        model.eval()
        return sum((model(x).argmax(1) == y).sum().item() for x, y in self.test_loader)
"""
CALLING = """
import torch
from torch import nn
from utils.judge import Judge

def main(test_loader):
    model = nn.Sequential(nn.Linear(4, 8), nn.Dropout(), nn.Linear(8, 2))
    model.load_state_dict(torch.load("model.pt"))
    with torch.no_grad():
        print(Judge(test_loader).accuracy(model))

main([])
"""


@pytest.mark.parametrize(("asked", "found"), [(["main.py", "utils/judge.py"], False), (["utils/judge.py"], True)])
def test_what_is_asked_about_together_belongs_together(asked: list[str], found: bool, tmp_path: Path) -> None:
    """No repository, no project's file, no package: who calls a method is known where its file was asked about as well."""
    for name, text in {"utils/judge.py": MEASURING, "main.py": CALLING}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    library = Library([tmp_path / name for name in asked])
    rules = [rule for rule in packs.rules() if rule.code == "LC602"]
    report = check_file(tmp_path / "utils/judge.py", rules, library)
    assert bool(report.findings) is found


PIPELINE = """
import torch


class Pipeline:
    def __init__(self, encoder, model):
        self.encoder, self.model = encoder, model

    def process(self, images):
        with torch.no_grad():
            codes = self.encoder(images)
        return self.model(codes)
"""
TRAINING = """
import torch
from torch import nn
from pipeline import Pipeline

encoder, model = nn.Linear(4, 8).eval(), nn.Linear(8, 2)
pipeline = Pipeline(encoder, model)
optimizer = torch.optim.Adam(model.parameters())
for x, y in torch.load("train.pt"):
    loss = nn.functional.mse_loss(pipeline.process(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
torch.save(model.state_dict(), "model.pt")
"""
MEASURED = """
import torch
from torch import nn
from pipeline import Pipeline

encoder, model = nn.Linear(4, 8).eval(), nn.Linear(8, 2)
model.load_state_dict(torch.load("model.pt"))
pipeline = Pipeline(encoder, model.eval())
hits = 0
for x, y in torch.load("test.pt"):
    hits += (pipeline.process(x).argmax(1) == y).sum().item()
print(hits)
"""


@pytest.mark.parametrize(("trained", "told"), [(True, "evaluate.py"), (False, "pipeline.py")])
def test_an_evaluation_is_told_where_training_in_another_file_is_left_alone(tmp_path: Path, trained: bool, told: str) -> None:
    """Nobody mends it in the code that both go through."""
    files = {"pyproject.toml": "", "pipeline.py": PIPELINE, "evaluate.py": MEASURED} | ({"train.py": TRAINING} if trained else {})
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    scripts = sorted(tmp_path.glob("*.py"))
    library = Library(scripts)
    rules = [rule for rule in packs.rules() if rule.code == "LC602"]
    reports = brought_home([check_file(each, rules, library) for each in scripts])
    findings = first_told(finding for report in reports for finding in report.findings).values()
    assert [Path(finding.primary.path).name for finding in findings] == [told]


def test_where_it_is_told_depends_on_the_file_that_trains(tmp_path: Path) -> None:
    """Also of a report that comes after another has found that out."""
    for name, text in {"pyproject.toml": "", "pipeline.py": PIPELINE, "evaluate.py": MEASURED, "train.py": TRAINING}.items():
        (tmp_path / name).write_text(text)
    library = Library()
    rules = [rule for rule in packs.rules() if rule.code == "LC602"]
    for _ in range(2):
        with library.noting() as asked:
            check_file(tmp_path / "evaluate.py", rules, library)
        assert any(str(tmp_path / "train.py") in question for question in asked.answers)


NETS = {
    "nets/basis.py": """
import torch.nn as nn


class Basis(nn.Module):
    pass
""",
    "nets/shapes.py": """
import torch
import torch.nn as nn

from nets.basis import Basis


class Shapes(Basis):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(4))
        self.norm = nn.InstanceNorm1d(4, affine=True{tracked})

    def forward(self, x):
        return self.norm(x) * self.scale
""",
    "train.py": """
import torch

from nets.shapes import Shapes

net = Shapes()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
net.train()
for epoch in range(3):
    for x, y in torch.utils.data.DataLoader(torch.load("data.pt"), shuffle=True):
        optimizer.zero_grad()
        (net(x) - y).square().mean().backward()
        optimizer.step()
    net.eval()
    with torch.no_grad():
        for x, y in torch.utils.data.DataLoader(torch.load("held_out.pt")):
            print((net(x) - y).square().mean().item())
""",
}


@pytest.mark.parametrize(("tracked", "found"), [("", False), (", track_running_stats=True", True)])
def test_a_network_whose_base_is_in_a_third_file_is_known(tmp_path: Path, tracked: str, found: bool) -> None:
    """Two folders down from the script that is asked about alone, where nothing says what the project's top is."""
    for name, text in NETS.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text.replace("{tracked}", tracked))
    report = check_file(tmp_path / "train.py", packs.rules())
    assert any(each.rule.name == "missing-train-restore" for each in report.findings) is found
