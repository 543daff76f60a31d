"""One finding for one defect: what one change mends is told once, at the place where a person would make it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from textwrap import dedent

import pytest

from loopcheck import packs
from loopcheck.finding import Finding
from loopcheck.job import Job, work
from loopcheck.once import first_told
from loopcheck.rule import Confidence


def told(folder: Path, *only: str, **files: str) -> list[tuple[str, int, str]]:
    return [(Path(each.primary.path).name, each.primary.row, each.rule.code) for each in findings(folder, *only, **files)]


def findings(folder: Path, *only: str, **files: str) -> list[Finding]:
    """What is told of a project, or of some of its files."""
    (folder / ".git").mkdir()
    for name, text in files.items():
        name = name.replace("_ipynb", ".ipynb") if name.endswith("_ipynb") else f"{name}.py"
        (folder / name).write_text(dedent(text).lstrip(), encoding="utf-8")
    asked = [folder / name for name in only] or sorted(each for each in folder.iterdir() if each.is_file())
    return [each for outcome in work(asked, Job(packs.rules())) for each in outcome.report.findings]


# --- a function that several files call

LEARNER = """
    import torch
    from torch import nn


    class Learner:
        def __init__(self, network):
            self.network = network
            self.optimizer = torch.optim.SGD(network.parameters(), lr=0.1)
            self.network.train()

        def _epoch(self, loader, training):
            self.network.train(training)
            total = 0.0
            for inputs, targets in loader:
                loss = nn.functional.cross_entropy(self.network(inputs), targets)
                if training:
                    self.optimizer.zero_grad()
                    loss.backward()
                    self.optimizer.step()
                total += loss.item() * len(targets)
            return total / len(loader.dataset)

        def _train(self, loader):
            for inputs, targets in loader:
                loss = nn.functional.cross_entropy(self.network(inputs), targets)
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()

        @torch.no_grad()
        def _accuracy(self, loader):
            return sum((self.network(inputs).argmax(1) == targets).sum().item() for inputs, targets in loader)
"""
HEIR = """
    import torch
    from torch import nn
    from torch.utils.data import DataLoader

    from learner import Learner


    class Own(Learner):
        def __init__(self):
            super().__init__(nn.Sequential(nn.Linear(8, 16), nn.Dropout(0.1), nn.Linear(16, 3)))

        def fit(self, train_set, test_set):
            loader, test_loader = DataLoader(train_set, 16, shuffle=True), DataLoader(test_set, 16)
            for epoch in range(2):
                {epoch}
"""
SHARED = HEIR.format(epoch="self._epoch(loader, True)\n                print(self._epoch(test_loader, False))")
STAYS = HEIR.format(
    epoch="self._train(loader)\n                self.network.eval()\n                print(self._accuracy(test_loader))"
)
MENDED = STAYS.replace("self._train(loader)\n", "self.network.train()\n                self._train(loader)\n")


def test_a_pass_that_several_files_call_is_one(tmp_path: Path) -> None:
    [finding] = findings(tmp_path, learner=LEARNER, one=SHARED, other=SHARED, third=SHARED)
    assert (Path(finding.primary.path).name, finding.primary.row, finding.rule.code) == ("one.py", 16, "LC602")
    shown = [(Path(note.span.path).name, note.text) for note in finding.related]
    assert shown == [("learner.py", "forward"), ("other.py", "call"), ("third.py", "call")]


def test_what_one_change_in_the_function_mends_is_one(tmp_path: Path) -> None:
    """`train()` at the head of the inherited loop undoes what each heir does."""
    assert told(tmp_path, learner=LEARNER, one=STAYS, other=STAYS, third=MENDED) == [("one.py", 16, "LC603")]


def test_siblings_are_told_each_in_its_file(tmp_path: Path) -> None:
    own = SHARED.replace("from learner import Learner\n", LEARNER)
    assert told(tmp_path, one=own, other=own) == [("one.py", 48, "LC602"), ("other.py", 48, "LC602")]


def test_the_call_that_evaluates_is_put_under_a_context_by_itself(tmp_path: Path) -> None:
    [finding] = findings(tmp_path, one=SHARED.replace("from learner import Learner\n", LEARNER))
    assert finding.repair
    assert finding.repair.message == "put `print(…)` under `with torch.no_grad():`"


# --- a call that does other things as well

RUNS = """
    import torch
    from torch import nn


    def one_run(network, loader, others, epochs=2):
        optimizer = torch.optim.SGD(network.parameters(), lr=0.1)
        for epoch in range(epochs):
            network.train()
            for images, labels in loader:
                loss = nn.functional.cross_entropy(network(images), labels)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            compared = compare(network, others)


    def compare(f, pairs):
        f.eval()
        losses = []
        for images, labels in pairs:
            losses.append(nn.functional.cross_entropy(f(images), labels))
        return sum(losses) / len(losses)
"""
CELL = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import runs
network = nn.Sequential(nn.Linear(8, 16), nn.Dropout(), nn.Linear(16, 3))
rows = TensorDataset(torch.randn(64, 8), torch.randint(0, 3, (64,)))
loader = DataLoader(rows, 8, shuffle=True)
test_loader = DataLoader(rows, 8)
runs.one_run(network, loader, test_loader)
"""
NOTEBOOK = json.dumps(
    {
        "cells": [{"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": CELL.strip()}],
        "metadata": {},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
)


def test_a_pass_is_told_where_it_is_mended_and_not_at_a_call_that_trains(tmp_path: Path) -> None:
    [finding] = findings(tmp_path, runs=RUNS, run_ipynb=NOTEBOOK)
    assert (Path(finding.primary.path).name, finding.primary.row, finding.rule.code) == ("runs.py", 21, "LC602")
    assert [(Path(note.span.path).name, note.text) for note in finding.related] == [("run.ipynb", "call")]
    assert finding.elsewhere is None
    assert finding.unmended.endswith("run.ipynb alone")


def test_where_that_file_is_not_asked_about_it_is_told_at_the_call(tmp_path: Path) -> None:
    [finding] = findings(tmp_path, "run.ipynb", runs=RUNS, run_ipynb=NOTEBOOK)
    assert (Path(finding.primary.path).name, finding.primary.row) == ("run.ipynb", 9)
    assert finding.elsewhere
    assert Path(finding.elsewhere.path).name == "runs.py"


SCORES = """
    import torch
    from torch import nn


    def loss_of(network, images, labels):
        return nn.functional.cross_entropy(network(images), labels)


    def train(network: nn.Module, train_loader, test_loader):
        optimizer = torch.optim.SGD(network.parameters(), lr=0.1)
        for epoch in range(3):
            network.train()
            for images, labels in train_loader:
                optimizer.zero_grad()
                loss_of(network, images, labels).backward()
                optimizer.step()
            network.eval()
            for images, labels in test_loader:
                print(loss_of(network, images, labels).item())
"""


def test_what_training_comes_by_as_well_is_not_put_under_a_context(tmp_path: Path) -> None:
    [finding] = findings(tmp_path, scores=SCORES)
    assert finding.primary.row == 19
    assert finding.repair
    assert finding.repair.message == "put `for images, labels in test_loader:` under `with torch.no_grad():`"


# --- several forwards of one function

LOOKS = """
    import torch
    from torch import nn


    def look(network: nn.Module, images, labels, noise):
        network.eval()
        {body}
"""
SEQUENCE = """first = network(images)
        print((first.argmax(1) == labels).float().mean().item())
        second = network(images + noise)
        print((second.argmax(1) == labels).float().mean().item())"""


ARMS = """if noise > 0:
            outputs = network(images + noise * torch.randn_like(images))
            print("noisy", (outputs.argmax(1) == labels).float().mean().item())
        else:
            outputs = network(images)
            print("clean", (outputs.argmax(1) == labels).float().mean().item())"""
OWN = "show(labels)\n        "
PASSES = """right = 0
        if noise > 0:
            for image, label in zip(images, labels):
                right += (network(image + noise).argmax() == label).item()
        else:
            for image, label in zip(images, labels):
                right += (network(image).argmax() == label).item()
        show(right)"""
LATER = """for image in images:
            print(network(image).argmax().item())
        show(labels)
        for label in labels:
            print(network(label).argmax().item())"""


@pytest.mark.parametrize(
    ("body", "rows"),
    [
        (SEQUENCE, [7]),
        (ARMS, [8]),
        (OWN + SEQUENCE, [8]),
        (OWN + ARMS, [9]),
        (PASSES, [10]),
        (LATER, [8, 11]),
    ],
)
def test_forwards_that_one_context_takes_in_are_one(body: str, rows: list[int], tmp_path: Path) -> None:
    text = LOOKS.format(body=body) + "\n\n    def show(labels):\n        print(labels)\n"
    assert told(tmp_path, looks=text) == [("looks.py", row, "LC602") for row in rows]


def test_the_others_are_shown(tmp_path: Path) -> None:
    [finding] = findings(tmp_path, looks=LOOKS.format(body=ARMS))
    assert [(note.span.row, note.text) for note in finding.related] == [(6, "evaluate"), (11, "forward")]


MODED = """
    import torch
    from torch import nn


    def main(train_loader, test_loader, noise):
        network = nn.Sequential(nn.Linear(8, 16), nn.Dropout(), nn.Linear(16, 3))
        optimizer = torch.optim.SGD(network.parameters(), lr=0.1)
        for images, labels in train_loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(network(images), labels).backward()
            optimizer.step()
        test(network, test_loader, noise)


    @torch.no_grad()
    def test(network, test_loader, noise):
        right = 0
        if noise > 0:
            for images, labels in test_loader:
                right += (network(images + noise).argmax(1) == labels).sum().item()
        {otherwise}:
            for images, labels in test_loader:
                right += (network(images).argmax(1) == labels).sum().item()
        print(right)
"""


@pytest.mark.parametrize("otherwise", ["else", "elif noise < 0"])
def test_a_pass_in_train_mode_is_one_whichever_arm_makes_it(otherwise: str, tmp_path: Path) -> None:
    [finding] = findings(tmp_path, moded=MODED.format(otherwise=otherwise))
    assert (finding.primary.row, finding.rule.code) == (20, "LC601")
    assert finding.repair
    assert finding.repair.message == "insert `network.eval()` before `if noise > 0:`"


def test_passes_under_tests_of_their_own_are_several(tmp_path: Path) -> None:
    found = findings(tmp_path, moded=MODED.format(otherwise="if noise < 1"))
    made = "insert `network.eval()` before `for images, labels in test_loader:`"
    assert [(each.primary.row, each.repair and each.repair.message) for each in found] == [(20, made), (23, made)]


# --- how sure one is


def test_one_is_as_sure_as_of_the_surest_of_those_that_it_stands_for(tmp_path: Path) -> None:
    """A function that nothing in its own file comes to is called by another file."""
    [finding] = findings(tmp_path, one=SHARED.replace("from learner import Learner\n", LEARNER))
    at_home = replace(finding, confidence=Confidence.LOW, because="nothing calls it")
    at_its_call = replace(finding, primary=replace(finding.primary, path="caller.py"), elsewhere=finding.primary)
    [told_once] = first_told([at_its_call, at_home]).values()
    assert (told_once.primary, told_once.confidence) == (finding.primary, finding.confidence)
    assert told_once.because == finding.because
