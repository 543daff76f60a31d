"""Files that hold no word of training, and are followed for what they do with a network, or because a network may stand there."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from loopcheck.cli import program

NET = """\
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.drop, self.last = nn.Linear(4, 8), nn.Dropout(0.1), nn.Linear(8, 4)

    def forward(self, x):
        return self.last(self.drop(self.first(x)))
"""
FUNCTION = """\
import torch


def sample(
    net, noise, steps=10
):
    for _ in range(steps):
        noise = noise - net(noise).to(torch.float32)
    return noise
"""
CLASS = """\
import torch


class Sampler:
    def __init__(self, net):
        self.net = net

    def __call__(self, noise):
        return self.net(noise).to(torch.float32)
"""
CALLBACK = """\
import torch


def sample(chosen, noise):
    return chosen.pick(noise).to(torch.float32)
"""
MAIN = """\
import torch

from net import Net
from sampling import {name}

net = Net()
net.load_state_dict(torch.load("net.pt"))
{mode}
with torch.no_grad():
    for _ in range(10):
        print({used}.mean())
"""
DERIVED = """\
from net import Net


class Derived(Net):
    pass
"""
OF_DERIVED = """\
import torch
from torch.utils.data import DataLoader

from derived import Derived

net = Derived()
net.load_state_dict(torch.load("net.pt"))
{mode}
with torch.no_grad():
    for x, y in DataLoader(torch.load("held_out.pt"), batch_size=4):
        print((net(x) == y).sum().item())
"""


def _told(folder: Path, files: dict[str, str]) -> bool:
    for name, text in {"setup.py": "", "net.py": NET, **files}.items():
        (folder / name).write_text(text, encoding="utf-8")
    given = ["check", "--no-cache", "--select", "LC601", "--output-format", "concise", str(folder / "main.py")]
    return "LC601" in CliRunner().invoke(program, given).output


@pytest.mark.parametrize(("mode", "told"), [("pass", True), ("net.eval()", False)])
@pytest.mark.parametrize(
    ("sampling", "name", "used"),
    [(FUNCTION, "sample", "sample(net, torch.randn(4, 4))"), (CLASS, "Sampler", "Sampler(net)(torch.randn(4, 4))")],
    ids=["function", "class"],
)
def test_a_file_that_applies_what_it_is_given_is_followed(
    tmp_path: Path, sampling: str, name: str, used: str, mode: str, told: bool
) -> None:
    assert _told(tmp_path, {"sampling.py": sampling, "main.py": MAIN.format(mode=mode, name=name, used=used)}) is told


ENCODES = """\
import torch


class Tools:
    @staticmethod
    def measure({given}, batches):
        return sum({given}.encode(torch.tensor(batch)).mean().item() for batch in batches)
"""
ENCODES_ALONE = """\
import torch


def measure({given}, batches):
    return sum({given}.encode(torch.tensor(batch)).mean().item() for batch in batches)
"""
ENCODED = """\
import torch
from torch import nn

from sampling import {named}


class Coder(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.1), nn.Linear(8, 4))

    def encode(self, x):
        return self.layers(x)


net = Coder()
net.load_state_dict(torch.load("net.pt"))
with torch.no_grad():
    print({measure}(net, torch.load("held_out.pt")))
"""


@pytest.mark.parametrize(("given", "told"), [("model", True), ("tokenizer", False)])
@pytest.mark.parametrize(
    ("helper", "named", "measure"),
    [(ENCODES, "Tools", "Tools.measure"), (ENCODES_ALONE, "measure", "measure")],
    ids=["method", "function"],
)
def test_a_file_that_asks_a_network_is_followed(
    tmp_path: Path, helper: str, named: str, measure: str, given: str, told: bool
) -> None:
    files = {"sampling.py": helper.format(given=given), "main.py": ENCODED.format(named=named, measure=measure)}
    assert _told(tmp_path, files) is told


def test_a_file_that_applies_nothing_is_not(tmp_path: Path) -> None:
    main = MAIN.format(mode="pass", name="sample", used="sample(net, torch.randn(4, 4))")
    assert not _told(tmp_path, {"sampling.py": CALLBACK, "main.py": main})


@pytest.mark.parametrize(("mode", "told"), [("pass", True), ("net.eval()", False)])
def test_a_class_whose_base_another_file_has_may_be_a_network(tmp_path: Path, mode: str, told: bool) -> None:
    assert _told(tmp_path, {"derived.py": DERIVED, "main.py": OF_DERIVED.format(mode=mode)}) is told


LOADED = """\
import torch
from safetensors.torch import load_file
from torch import nn
from torch.utils.data import DataLoader

from helpers import cleaned

net = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.1), nn.Linear(8, 4))
{load}
out = []
with torch.no_grad():
    for x, _ in DataLoader(torch.load("inputs.pt"), batch_size=4):
        out.append(net(x))
torch.save(torch.cat(out), "out.pt")
"""


@pytest.mark.parametrize(
    ("load", "told"),
    [
        ('net.load_state_dict(torch.load("net.pt"))', True),
        ('net.load_state_dict({k.replace("module.", ""): v for k, v in torch.load("net.pt").items()})', True),
        ('kept = {}\nfor k, v in torch.load("net.pt").items():\n    kept[k[7:]] = v\nnet.load_state_dict(kept)', True),
        ('net.load_state_dict(cleaned(torch.load("net.pt")))', True),
        ('net.load_state_dict(load_file("net.safetensors"))', True),
        ("net.load_state_dict(net.state_dict())", False),
        ("pass", False),
    ],
)
def test_a_network_with_weights_from_elsewhere_is_there_to_be_used(tmp_path: Path, load: str, told: bool) -> None:
    assert _told(tmp_path, {"main.py": LOADED.format(load=load)}) is told
