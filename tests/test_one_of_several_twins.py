"""Networks that are one of several, as an option says: each beside its twin that is right."""

from __future__ import annotations

from pathlib import Path

import pytest
from twins import Twin, told

from loopcheck import packs
from loopcheck.check import check_file

KINDS = """
class One(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.head = nn.Linear(4, 8), nn.Linear(8, 2)

    def forward(self, x):
        return self.head(self.body(x))

    def features(self, x{more}):
        return self.body(x)


class Other(One):
    def features(self, x, length):
        with torch.no_grad():
            return self.body(x)[:length]


class Evaluator:
    def __init__(self, kind):
        if kind == "one":
            self.net = One().cuda()
        else:
            self.net = Other().cuda()
        self.net.load_state_dict(torch.load("net.pt"))
        self.net.eval()

    def plot(self):
        found = []
        for x, length in TEST_LOADER:
            found += self.net.features({given}).detach().cpu().numpy().tolist()
        return found


print(Evaluator(argparse.ArgumentParser().parse_args().kind).plot())
"""
TEMPLATE = """
class One(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 2)

    def forward(self, x):
        return self.layer(x)


class Two(One):
    def forward(self, x):
        return self.layer(x) * 2


def load(net, path):
    loaded = torch.load(path)
    state = net.state_dict()
    try:
        net.load_state_dict({{name: each for name, each in loaded.items() if name in state}})
    except RuntimeError:
        for name, each in loaded.items():
            {filled}
        net.load_state_dict(state)


net = One() if argparse.ArgumentParser().parse_args().kind == "one" else Two()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
load(net, "net.pt")
for x, y in LOADER:
    optimizer.zero_grad()
    nn.functional.mse_loss(net(x), y).backward()
    optimizer.step()
"""
UNTOLD = """
class Net(nn.Module):
    def forward(self, x):
        return self.head(self.logits.softmax(-1) * x).sum()


net = Net()
optimizer = torch.optim.AdamW(net.parameters(), lr=0.1)
for x, y in LOADER:
    optimizer.zero_grad()
    net(x).backward()
    optimizer.step()
net.eval()
net.train()
with torch.no_grad():
    print({measured})
"""
REFUSED = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.drop = nn.Linear(4, 2), nn.Dropout(0.2)

    def forward(self, x):
        return self.drop(self.body(x))

    def ask(self, x, width):
        return self.drop(self.body(x))[:width]


net = Net()
net.load_state_dict(torch.load("net.pt"))
with torch.no_grad():
    for x, y in TEST_LOADER:
        print({asked}.argmax(1).tolist())
"""
FITS = {"more": "", "given": "x, length"}

TWINS: dict[str, Twin] = {
    "of two networks one does not take what it is given": (
        "missing-no-grad",
        KINDS,
        FITS,
        {**FITS, "more": ", length"},
    ),
    "what one has by itself it need not be given": (
        "missing-no-grad",
        KINDS,
        FITS,
        {**FITS, "more": ", length=1"},
    ),
    "what is given by a name that one does not know": (
        "missing-no-grad",
        KINDS,
        {**FITS, "given": "x, length=length"},
        {**FITS, "more": ", **options", "given": "x, length=length"},
    ),
    "what is not known to fit": (
        "missing-no-grad",
        KINDS,
        FITS,
        {**FITS, "given": "*(x, length)"},
    ),
    "a method that fails as it is called": (
        "missing-eval-mode",
        REFUSED,
        {"asked": "net.ask(x)"},
        {"asked": "net.ask(x, width=4)"},
    ),
    "a network that fails as it is applied": (
        "missing-eval-mode",
        REFUSED,
        {"asked": "net(x, y)"},
        {"asked": "net(x)"},
    ),
    "a state that is filled in, of either network": (
        "aliased-best-weights",
        TEMPLATE,
        {"filled": "state[name] = each"},
        {"filled": "print(name)"},
    ),
    "numbers that are asked of a parameter": (
        "missing-eval-mode",
        UNTOLD,
        {"measured": "net.logits.argmax(dim=-1).tolist()"},
        {"measured": "net.logits.encode(dim=-1).tolist()"},
    ),
}


@pytest.mark.parametrize("twin", TWINS.values(), ids=TWINS.keys())
def test_of_these_twins_the_wrong_one_is_told(twin: Twin) -> None:
    assert told(twin) == (False, True)


NETS = """\
import enum

import torch
from torch import nn


class Kind(enum.Enum):
    ONE = "one"
    TWO = "two"


class One(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(8, 2)

    def infer(self, x):
        return self.body(x)


class Two(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(8, 2)

    def infer(self, x):
        {first}
        return self.body(x)


KINDS = {{Kind.ONE: One, Kind.TWO: Two}}


def build(name):
    return KINDS[Kind(name)]()
"""
ASKS = """\
import sys

import torch

from nets import build

model = build(sys.argv[1])
model.load_state_dict(torch.load("net.pt"))
for x in torch.load("rows.pt"):
    print(model.infer(x).detach().numpy())
"""


@pytest.mark.parametrize(("first", "wrong"), [("torch.set_grad_enabled(False)", False), ("print(x)", True)])
def test_a_method_of_one_of_several_classes_may_see_to_it(tmp_path: Path, first: str, wrong: bool) -> None:
    (tmp_path / "nets.py").write_text(NETS.format(first=first))
    (tmp_path / "ask.py").write_text(ASKS)
    report = check_file(tmp_path / "ask.py", packs.rules())
    assert ("missing-no-grad" in {each.rule.name for each in report.findings}) == wrong
