"""What code is handed and hands on, each way beside its twin in which the same is right: elements of lists, functions bound to
objects, samplers, contexts."""

from __future__ import annotations

from pathlib import Path

import pytest
from twins import Twin, told

from loopcheck import packs
from loopcheck.check import check_file
from loopcheck.rule import Confidence

METER = """
class Meter:
    def __init__(self):
        self.sum = 0

    def update(self, value):
        self.sum += value


def {over}(values):
    for i in range(len(values)):
        values[i] = {it}
    return values


net, meter = nn.Linear(4, 2), Meter()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in LOADER:
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(net(x), y)
    loss.backward()
    optimizer.step()
    {bind} = {over}({given})
    meter.update(loss)
"""
ONE = {"over": "gathered", "bind": "[loss]", "given": "[loss]"}
TWO = {"over": "gathered", "bind": "loss, _", "given": "[loss, loss]"}
BY_INDEX = """
net, total = nn.Linear(4, 2), 0
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in LOADER:
    optimizer.zero_grad()
    losses = [nn.functional.mse_loss(net(x), y), nn.functional.mse_loss(net(x), y)]
    sum(losses).backward()
    optimizer.step()
    losses[{index}] = losses[1].item()
    total += losses[1]
"""
BOUND = """
import types


def rest(self):
    self.{it}()


net = nn.Sequential(nn.Linear(4, 2), nn.Dropout())
net.rest = {bound}
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
net.rest()
for x, y in LOADER:
    optimizer.zero_grad()
    nn.functional.mse_loss(net(x), y).backward()
    optimizer.step()
"""
TRACKED = """
import mlflow
import somewhere

net = nn.Sequential(nn.Linear(4, 2), nn.Dropout())
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
with {it}:
    for epoch in range(3):
        for x, y in LOADER:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(x), y).backward()
            optimizer.step()
        net.eval()
        with torch.no_grad():
            print(sum(nn.functional.mse_loss(net(x), y).item() for x, y in TEST_LOADER))
"""
SAMPLED = """
from torchsampler import ImbalancedDatasetSampler
from torchsampler import make_sampler


class Balanced(torch.utils.data.Sampler):
    def __init__(self, data):
        self.data = data

    def __iter__(self):
        return iter(range(len(self.data)))


data = LOADER.dataset
loader = DataLoader(data, sampler={it}, shuffle=True)
"""
ADDED = """
def added(one, two):
    return one + two


one, two = nn.Linear(4, 2), nn.Linear(4, 2)
optimizer = torch.optim.SGD({it}.parameters(), lr=0.1)
for x, y in LOADER:
    added(nn.functional.mse_loss(one(x), y), nn.functional.mse_loss(two(x.relu()), y)).backward()
    optimizer.step()
"""
KEPT = "graph-retained-in-metric"
LEFT = "missing-train-restore"
TWINS: dict[str, Twin] = {
    "each element is a number": (
        "graph-retained-in-metric",
        METER,
        ONE | {"it": "values[i].item()"},
        ONE | {"it": "values[i] * 2"},
    ),
    "each of two is a number": (
        "graph-retained-in-metric",
        METER,
        TWO | {"it": "values[i].item()"},
        TWO | {"it": "values[i] * 2"},
    ),
    "an element of a list is a number": ("graph-retained-in-metric", BY_INDEX, {"index": "1"}, {"index": "0"}),
    "a function is bound": (
        "training-in-eval-mode",
        BOUND,
        {"bound": "rest.__get__(net)", "it": "train"},
        {"bound": "rest.__get__(net)", "it": "eval"},
    ),
    "a method is made": (
        "training-in-eval-mode",
        BOUND,
        {"bound": "types.MethodType(rest, net)", "it": "train"},
        {"bound": "types.MethodType(rest, net)", "it": "eval"},
    ),
    "a tracker keeps what it is given": (
        "missing-train-restore",
        TRACKED,
        {"it": "somewhere.run(net)"},
        {"it": "mlflow.start_run(net)"},
    ),
    "a sampler of the project": ("sampler-and-shuffle", SAMPLED, {"it": "None"}, {"it": "Balanced(data)"}),
    "a sampler out of sight": (
        "sampler-and-shuffle",
        SAMPLED,
        {"it": "make_sampler(data)"},
        {"it": "ImbalancedDatasetSampler(data)"},
    ),
    "of the second of two losses": (
        "missing-zero-grad",
        ADDED,
        {"it": "y.new_zeros(1) and None or nn.Linear(4, 2)"},
        {"it": "two"},
    ),
}


@pytest.mark.parametrize("pair", TWINS.values(), ids=TWINS.keys())
def test_of_these_twins_the_wrong_one_is_told(pair: Twin) -> None:
    assert told(pair) == (False, True)


@pytest.mark.parametrize("pair", TWINS.values(), ids=TWINS.keys())
def test_both_of_these_twins_are_programs(pair: Twin) -> None:
    _, program, *both = pair
    for each in both:
        compile(program.format(**each), "train.py", "exec")


# in several files

MODELS = """\
import torch
from torch import nn


def make(wide):
    return Wide() if wide else Slim()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 2), nn.Dropout())
        self.head = nn.Softmax(dim=1)

    def forward(self, x):
        return self.body(x)

    def predict(self, x):
        return self.head(self.forward(x)).argmax(1)


class Wide(Net):
    pass


class Slim(Net):
    pass
"""
SCRIPT = """\
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from models import make

data = TensorDataset(torch.randn(8, 4), torch.randint(0, 2, (8,)))
net = make(True)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(3):
    net.train()
    for x, y in DataLoader(data, batch_size=2, shuffle=True):
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        optimizer.step()
    net.eval()
    {context}
        print(sum((net.predict(x) == y).sum().item() for x, y in DataLoader(data, batch_size=2)))
"""


def found(folder: Path, *names: str) -> list[tuple[str, str, Confidence]]:
    """What is told in files of a folder, all in all."""
    reports = [check_file(folder / name, packs.rules()) for name in names]
    findings = [each for report in reports for each in report.findings if each.rule.group == "bug"]
    return [(Path(each.primary.path).name, each.rule.name, each.confidence) for each in findings]


@pytest.mark.parametrize(("context", "rules"), [("with torch.no_grad():", []), ("if True:", ["missing-no-grad"])])
def test_who_is_given_a_network_by_a_factory_calls_its_methods(tmp_path: Path, context: str, rules: list[str]) -> None:
    """The script does not know the class, and the file of the networks is read for its methods by itself."""
    (tmp_path / "models.py").write_text(MODELS)
    (tmp_path / "train.py").write_text(SCRIPT.format(context=context))
    assert [rule for _, rule, _ in found(tmp_path, "models.py", "train.py")] == rules


SCORES = """\
def scores(net, batches):
    total = 0
    for x in batches:
        total = total + net(x).mean()
    return total
"""
CHECKED = """\
import torch
from torch import nn
from torch.utils.data import DataLoader

from scores import scores

{begin}
    net = nn.Sequential(nn.Linear(4, 2), nn.Dropout())
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for x in DataLoader(range(8)):
        optimizer.zero_grad()
        net(x).mean().backward()
        optimizer.step()
    net.eval()
    assert scores(net, DataLoader(range(8))).item() > 0
"""


@pytest.mark.parametrize(
    ("file", "begin", "sure"),
    [
        ("tests/test_scores.py", "def test_scores():", Confidence.LOW),
        ("check_scores.py", 'if __name__ == "__main__":', Confidence.HIGH),
    ],
)
def test_what_only_unit_tests_do_is_less_sure(tmp_path: Path, file: str, begin: str, sure: Confidence) -> None:
    """What is done to a function's result is told in the function's file, wherever it is called from."""
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "tests").mkdir()
    (tmp_path / "scores.py").write_text(SCORES)
    (tmp_path / file).write_text(CHECKED.format(begin=begin))
    told_of = found(tmp_path, "scores.py", file)
    assert {confidence for _, rule, confidence in told_of if rule == "missing-no-grad"} == {sure}
