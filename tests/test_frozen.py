"""A network whose parameters may need no gradient records no graph for sure: what freezes it, and who leaves that open."""

from __future__ import annotations

from textwrap import dedent

import pytest

from loopcheck import packs
from loopcheck.check import check_source

HEAD = """
import torch
from torch import nn
from lab import Encoder, options

encoder = Encoder.load("encoder.pt")
{done}
probe = nn.Linear(4, 2)
optimizer = torch.optim.SGD(probe.parameters(), lr=0.1)
for x, y in train_loader:
    optimizer.zero_grad()
    nn.functional.cross_entropy(probe(x), y).backward()
    optimizer.step()
encoder.eval()
hits = 0
for x, y in val_loader:
    hits += (encoder(x).argmax(1) == y).sum().item()
print(hits)
"""
PROGRAMS = {
    "": True,
    "encoder.freeze()": False,
    "whole = options.load()\nencoder = whole.eval()": True,
    "whole = options.load()\nwhole.freeze()\nencoder = whole.eval()": False,
    "encoder.freeze()\nencoder.unfreeze()": True,
    "encoder.requires_grad_(False)": False,
    "encoder.requires_grad_(options.tune)": False,
    "encoder.requires_grad_(options.tune)\nencoder.requires_grad_(True)": True,
    "for p in encoder.parameters():\n    p.requires_grad = False": False,
    "for p in encoder.parameters():\n    p.requires_grad = options.tune": False,
    "for p in encoder.parameters():\n    p.requires_grad = True": True,
    "for p in encoder.parameters():\n    p.requires_grad_(False)": False,
    "for p in encoder.parameters():\n    p.requires_grad_(requires_grad=options.tune)": False,
    "for p in encoder.parameters():\n    p.requires_grad_(False)\nfor p in encoder.parameters():\n    p.requires_grad_()": True,
    "for p in encoder.head.parameters():\n    p.requires_grad_(False)": True,
    "for p in encoder.head.parameters():\n    p.requires_grad = options.tune": True,
    "for name, p in encoder.named_parameters():\n    if 'head' in name:\n        p.requires_grad = options.tune": True,
    "if options.tune:\n    encoder.requires_grad_(True)\nelse:\n    encoder.freeze()": False,
}


@pytest.mark.parametrize(("done", "graph"), PROGRAMS.items())
def test_an_evaluation_is_told_where_something_needs_a_gradient(done: str, graph: bool) -> None:
    program = dedent(HEAD).format(done=done)
    rules = [rule for rule in packs.rules() if rule.name == "missing-no-grad"]
    assert bool(check_source(program.encode(), "train.py", rules).findings) is graph


RESERVOIR = """
import torch
import torchvision
from torch import nn
from lab import weights

class Reservoir(nn.Module):
    def __init__(self, size, train_gain=True):
        super().__init__()
        {held}
        self.gain = nn.Parameter(torch.ones(size))
        if not train_gain:
            {frozen}

    def forward(self, x):
        return torch.tanh({applied} * self.gain)

net = Reservoir(4, train_gain=False)
net.load_state_dict(weights)
net.eval()
hits = 0
for x, y in val_loader:
    hits += (net(x).argmax(1) == y).sum().item()
print(hits)
"""


@pytest.mark.parametrize(
    ("held", "frozen", "applied", "graph"),
    [
        ("pass", "self.gain.requires_grad = False", "x", False),
        ("self.inner = nn.Linear(size, size)", "self.gain.requires_grad = False", "self.inner(x)", True),
        ("self.inner = torchvision.models.resnet18()", "self.gain.requires_grad = False", "self.inner(x)", True),
        ("pass", "self.gain.data.fill_(1.0)", "x", True),
    ],
)
def test_a_network_of_parameters_alone_may_have_frozen_each(held: str, frozen: str, applied: str, graph: bool) -> None:
    program = dedent(RESERVOIR).format(held=held, frozen=frozen, applied=applied)
    rules = [rule for rule in packs.rules() if rule.name == "missing-no-grad"]
    assert bool(check_source(program.encode(), "train.py", rules).findings) is graph


BACKBONE = """
import torch
import torchvision
from torch import nn


class Small(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.backbone = torchvision.models.resnet18(weights="DEFAULT")
        self.head = nn.Linear(1000, dim)

    def forward(self, x):
        return self.head(self.backbone(x))


class Large(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.backbone = torchvision.models.resnet50(weights="DEFAULT")
        self.head = {head}

    def forward(self, x):
        return self.head(self.backbone(x))


def test(net, loader):
    net.eval()
    with torch.no_grad():
        return sum((net(x).argmax(1) == y).sum().item() for x, y in loader)


def main(train_loader, val_loader, test_loader, size, path):
    {made}
    features = torch.optim.Adam(net.module.backbone.parameters(), lr=1e-5)
    head = torch.optim.Adam(net.module.head.parameters(), lr=1e-3)
    for epoch in range(9):
        net.module.backbone.eval()
        for x, y in train_loader:
            features.zero_grad()
            head.zero_grad()
            nn.functional.cross_entropy(net(x), y).backward()
            features.step()
            head.step()
        print(test(net, val_loader), test(net, test_loader))
"""
PLAIN, DROPS = "nn.Linear(1000, dim)", "nn.Sequential(nn.Dropout(0.5), nn.Linear(1000, dim))"
ONE = "net = nn.DataParallel(Large(10))"
LOADED = "net = nn.DataParallel(Large(10))\n    if path:\n        net.module, _ = torch.load(path)"
CHOSEN = "net = nn.DataParallel(Small(10) if size == 1 or size == 2 else Large(10))"


@pytest.mark.parametrize(
    ("made", "head", "told"), [(ONE, PLAIN, 0), (LOADED, PLAIN, 0), (CHOSEN, PLAIN, 0), (ONE, DROPS, 1), (CHOSEN, DROPS, 1)]
)
def test_eval_mode_takes_nothing_from_who_trains_with_all_that_differs_in_it(made: str, head: str, told: int) -> None:
    program = BACKBONE.format(made=made, head=head)
    rules = [rule for rule in packs.rules() if rule.name == "missing-train-restore"]
    assert len(check_source(program.encode(), "train.py", rules).findings) == told


WEIGHTS = """
import torch
from torch import nn
from torch.utils.data import DataLoader

class Filters(nn.Module):
    def __init__(self, frozen=True):
        super().__init__()
        self.down = nn.Conv2d(3, 6, 3{bias})
        self.up = nn.Conv2d(6, 3, 3, bias=False)
        self.down.weight.requires_grad = {needs}
        self.up.weight.requires_grad = not frozen

    def forward(self, x):
        return self.up(self.down(x))

def test(held_out):
    filters = Filters({given})
    filters.eval()
    return [filters(x).detach().numpy() for x in DataLoader(held_out)]
"""


@pytest.mark.parametrize(
    ("bias", "needs", "given", "graph"),
    [
        (", bias=False", "False", "", False),
        (", bias=False", "not frozen", "", False),
        (", bias=False", "not frozen", "frozen=False", True),
        (", bias=False", "True", "", True),
        ("", "False", "", True),  # its biases are trained
    ],
)
def test_a_layer_of_nothing_but_weights_is_frozen_by_them(bias: str, needs: str, given: str, graph: bool) -> None:
    rules = [rule for rule in packs.rules() if rule.name == "missing-no-grad"]
    program = WEIGHTS.format(bias=bias, needs=needs, given=given)
    assert bool(check_source(program.encode(), "train.py", rules).findings) is graph


HELPER = """
import torch
from torch import nn
from torch.utils.data import DataLoader

def needs_grad(nets, flag=False):
    if not isinstance(nets, list):
        nets = [nets]
    for net in nets:
        if net is not None:
            for p in net.parameters():
                p.requires_grad = flag

net = nn.Sequential(nn.Linear(4, 2), nn.BatchNorm1d(2))
needs_grad({given}, False)
net.eval()
for x in DataLoader(torch.load("held_out.pt")):
    print(net(x).argmax(1).tolist())
"""


@pytest.mark.parametrize(("given", "graph"), [("net", False), ("[net]", False), ("[]", True)])
def test_a_function_freezes_one_network_or_several(given: str, graph: bool) -> None:
    rules = [rule for rule in packs.rules() if rule.name == "missing-no-grad"]
    assert bool(check_source(HELPER.format(given=given).encode(), "train.py", rules).findings) is graph


HELPED = """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)

    def forward(self, x):
        return self.fc(x)


def set_requires_grad(nets, wanted):
    if not isinstance(nets, list):
        nets = [nets]
    for net in nets:
        for parameter in net.parameters():
            parameter.requires_grad = wanted


net = {net}
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in train_loader:
    optimizer.zero_grad()
    nn.functional.cross_entropy(net(x), y).backward()
    optimizer.step()
net.eval()
set_requires_grad({given}, {wanted})
hits = 0
for x, y in val_loader:
    hits += (net(x).argmax(1) == y).sum().item()
print(hits)
"""


@pytest.mark.parametrize("net", ["Net()", "nn.Linear(4, 2)"])
@pytest.mark.parametrize("given", ["net", "[net]"])
@pytest.mark.parametrize("wanted", [False, True])
def test_a_network_is_no_list_of_networks(net: str, given: str, wanted: bool) -> None:
    program = HELPED.format(net=net, given=given, wanted=wanted)
    rules = [rule for rule in packs.rules() if rule.name == "missing-no-grad"]
    assert bool(check_source(program.encode(), "train.py", rules).findings) is wanted
