"""What objects keep from one pass to the next, and what is made of outputs, each beside its twin that is right."""

from __future__ import annotations

from pathlib import Path

import pytest
from twins import Twin, told

from loopcheck import packs
from loopcheck.check import check_file
from loopcheck.read.triage import gathers

RUNS = """
def fresh(part):
    if isinstance(part, nn.Linear):
        part.weight.data.normal_(0, 0.02)


def initialize(part):
    if isinstance(part, nn.Linear):
        nn.init.zeros_(part.bias)


def reset_weights(net):
    for part in net.modules():
        if hasattr(part, "reset_parameters"):
            part.reset_parameters()


net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
other = nn.Linear(4, 2)
first = [p.detach().clone() for p in net.parameters()]
for seed in range(5):
    {begins}
    optimizer = torch.optim.Adam(net.parameters())
    for x, y in LOADER:
        loss = nn.functional.mse_loss(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
"""
KEEPS = """
import copy

net = nn.Linear(4, 2)
optimizer = torch.optim.Adam(net.parameters())
kept = {{"state": None, "least": float("inf")}}
for epoch in range(5):
    for x, y in LOADER:
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x), y).backward()
        optimizer.step()
    with torch.no_grad():
        loss = sum(nn.functional.mse_loss(net(x), y).item() for x, y in TEST_LOADER)
    if loss < kept["least"]:
        kept["state"] = {state}
        kept["least"] = loss
    {then}torch.save(kept, "best.pt")
"""
ADDS = """
import meters


class Mean:
    def __init__(self):
        self.values = []

    def __iadd__(self, loss):
        self.values.append({own})
        return self


net = nn.Linear(4, 2)
optimizer = torch.optim.Adam(net.parameters())
mean = {there}
for x, y in LOADER:
    loss = nn.functional.mse_loss(net(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    mean += loss
"""
TRACKS = """
class Mean:
    def __init__(self):
        self.total, self.count = 0.0, 0

    def __iadd__(self, value):
        self.total, self.count = self.total + float(value), self.count + 1
        return self


class Tracker:
    def __init__(self):
        self.tracks = {{}}

    def update(self, values):
        for name, value in values.items():
            if name not in self.tracks:
                self.add(name)
            self.tracks[name] += value

    def add(self, name):
        self.tracks[name] = {track}


tracker, net = Tracker(), nn.Linear(4, 2)
optimizer = torch.optim.Adam(net.parameters())
for x, y in LOADER:
    loss = nn.functional.mse_loss(net(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    tracker.update({{"loss": loss}})
"""
TWINS: dict[str, Twin] = {
    "what a held object that is called keeps": (
        "aliased-best-weights",
        """
class Keeper:
    def __init__(self):
        self.least, self.weights, self.enough = None, None, False

    def __call__(self, loss, net):
        if self.least is None or loss < self.least:
            self.least, self.weights = loss, {kept}
        else:
            self.enough = True


class Course:
    def __init__(self):
        self.net = nn.Linear(4, 2)
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.1)
        self.keeper = Keeper()

    def run(self):
        for epoch in range(9):
            for x, y in LOADER:
                self.optimizer.zero_grad()
                nn.functional.mse_loss(self.net(x), y).backward()
                self.optimizer.step()
            with torch.no_grad():
                loss = sum(nn.functional.mse_loss(self.net(x), y).item() for x, y in TEST_LOADER)
            self.keeper(loss, self.net)
            if self.keeper.enough:
                break
        self.net.load_state_dict(self.keeper.weights)


Course().run()
""",
        {"kept": "{k: v.clone() for k, v in net.state_dict().items()}"},
        {"kept": "net.state_dict()"},
    ),
    "what an object keeps that a method of another calls": (
        "aliased-best-weights",
        """
import copy


class Keeper:
    def __init__(self):
        self.least, self.weights = None, None

    def see(self, loss, net):
        if self.least is None or loss < self.least:
            self.least, self.weights = loss, {kept}


class Course:
    def __init__(self):
        self.net = nn.Linear(4, 2)
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.1)
        self.keeper = Keeper()

    def learn(self):
        for x, y in LOADER:
            self.optimizer.zero_grad()
            nn.functional.mse_loss(self.net(x), y).backward()
            self.optimizer.step()

    def measure(self):
        with torch.no_grad():
            self.keeper.see(sum(nn.functional.mse_loss(self.net(x), y).item() for x, y in TEST_LOADER), self.net)

    def run(self):
        for epoch in range(9):
            self.learn()
            self.measure()
        self.net.load_state_dict(self.keeper.weights)


Course().run()
""",
        {"kept": "copy.deepcopy(net.state_dict())"},
        {"kept": "net.state_dict()"},
    ),
    "what an object has kept on a pass before": (
        "aliased-best-weights",
        """
class Keeper:
    def __init__(self):
        self.least, self.weights, self.worse = 9.0, None, 0

    def see(self, loss, net):
        if loss < self.least:
            self.least, self.weights, self.worse = loss, {kept}, 0
        else:
            self.worse += 1
        return self.worse > 3


def train(net, optimizer):
    keeper = Keeper()
    while True:
        for x, y in LOADER:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(x), y).backward()
            optimizer.step()
        with torch.no_grad():
            loss = sum(nn.functional.mse_loss(net(x), y).item() for x, y in TEST_LOADER)
        if keeper.see(loss, net):
            net.load_state_dict(keeper.weights)
            return net
""",
        {"kept": "{k: v.clone() for k, v in net.state_dict().items()}"},
        {"kept": "net.state_dict()"},
    ),
    "parameters that an expression hands out one time": (
        "exhausted-parameter-generator",
        """
def train(net):
    trained = {trained}
    optimizer = torch.optim.SGD(trained, lr=0.1)
    for x, y in LOADER:
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x), y).backward()
        nn.utils.clip_grad_norm_(trained, 1.0)
        optimizer.step()
""",
        {"trained": "[p for p in net.parameters() if p.requires_grad]"},
        {"trained": "(p for p in net.parameters() if p.requires_grad)"},
    ),
    "an optimizer that is made on single epochs": (
        "optimizer-recreated-in-loop",
        """
net = nn.Linear(4, 2)
for epoch in range(300):
    if epoch {first}:
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    elif epoch {second}:
        optimizer = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9)
    for x, y in LOADER:
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x), y).backward()
        optimizer.step()
""",
        {"first": "== 0", "second": "== 135"},
        {"first": "< 135", "second": ">= 135"},
    ),
    "a state that is there before all training is written again and again": (
        "aliased-best-weights",
        """
net = nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
best = 10.0
{before}
for epoch in range(300):
    for x, y in LOADER:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(net(x), y)
        loss.backward()
        optimizer.step()
    if loss.item() < best:
        best = loss.item()
        {inside}
    torch.save(held, "net.pt")
""",
        {"before": 'held = {"net": net.state_dict()}', "inside": "print(best)"},
        {"before": "print(best)", "inside": 'held = {"net": net.state_dict()}'},
    ),
    "a state that is there before all training is to be gone back to": (
        "aliased-best-weights",
        """
net = nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
held = {{"net": net.state_dict(), "left": 300}}
for epoch in range(300):
    for x, y in LOADER:
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x), y).backward()
        optimizer.step()
{then}
""",
        {"then": 'torch.save(held, "net.pt")'},
        {"then": 'net.load_state_dict(held["net"])'},
    ),
    "an optimizer for each step on all of the data": (
        "optimizer-recreated-in-loop",
        """
def fit(net, x, y):
    {once}
    for step in range(500):
        {always}
        loss = nn.functional.mse_loss(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
""",
        {"once": "optimizer = torch.optim.Adam(net.parameters())", "always": "pass"},
        {"once": "pass", "always": "optimizer = torch.optim.Adam(net.parameters())"},
    ),
    "an optimizer for each run from the same weights": (
        "optimizer-recreated-in-loop",
        """
import copy


def fit(net, xs, ys):
    start = copy.deepcopy(net.state_dict())
    for client in range(8):
        {first}
        optimizer = torch.optim.Adam(net.parameters())
        loss = nn.functional.mse_loss(net(xs[client]), ys[client])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
""",
        {"first": "net.load_state_dict(start)"},
        {"first": "pass"},
    ),
    "a state under a key that is written with each pass": (
        "aliased-best-weights",
        KEEPS,
        {"state": "copy.deepcopy(net.state_dict())", "then": ""},
        {"state": "net.state_dict()", "then": ""},
    ),
    "a state under a key that is written when it is taken": (
        "aliased-best-weights",
        KEEPS,
        {"state": "net.state_dict()", "then": "    "},
        {"state": "net.state_dict()", "then": ""},
    ),
    "what a class does with what is added to its objects": (
        "graph-retained-in-metric",
        ADDS,
        {"own": "loss.detach()", "there": "Mean()"},
        {"own": "loss", "there": "Mean()"},
    ),
    "a class out of sight that is added to": (
        "graph-retained-in-metric",
        ADDS,
        {"own": "loss", "there": "meters.Mean()"},
        {"own": "loss", "there": "torch.FloatTensor([0])"},
    ),
    "objects under keys that are added to": (
        "graph-retained-in-metric",
        TRACKS,
        {"track": "Mean()"},
        {"track": "torch.zeros(1)"},
    ),
    "an optimizer for each epoch of what is taken by its number": (
        "optimizer-recreated-in-loop",
        """
import numpy as np

net = nn.Linear(4, 2)
xs, ys = np.load("x.npy"), np.load("y.npy")
for {counted} in range(10):
    optimizer = torch.optim.Adam(net.parameters())
    for i in range(0, len(xs), 16):
        loss = nn.functional.mse_loss(net(torch.from_numpy(xs[i : i + 16])), torch.from_numpy(ys[i : i + 16]))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
""",
        {"counted": "trial"},
        {"counted": "epoch"},
    ),
    "weights of a run are drawn by a function for each part": (
        "optimizer-recreated-in-loop",
        RUNS,
        {"begins": "net.apply(fresh)"},
        {"begins": "net.apply(print)"},
    ),
    "weights of a run are drawn by torch.nn.init": (
        "optimizer-recreated-in-loop",
        RUNS,
        {"begins": "net.apply(initialize)"},
        {"begins": "other.apply(initialize)"},
    ),
    "weights of a run are drawn by the layers": (
        "optimizer-recreated-in-loop",
        RUNS,
        {
            "begins": "for layer in net.children():\n"
            '        if hasattr(layer, "reset_parameters"):\n            layer.reset_parameters()'
        },
        {"begins": "other.reset_parameters()"},
    ),
    "weights of a run are drawn one by one": (
        "optimizer-recreated-in-loop",
        RUNS,
        {"begins": "for p in net.parameters():\n        nn.init.normal_(p)"},
        {"begins": "for p in other.parameters():\n        nn.init.normal_(p)"},
    ),
    "weights of a run are drawn in a loop over all modules": (
        "optimizer-recreated-in-loop",
        RUNS,
        {
            "begins": "for part in net.modules():\n"
            "        if isinstance(part, nn.Linear):\n            part.weight.data.uniform_(-1, 1)"
        },
        {
            "begins": "for part in net.modules():\n"
            "        if isinstance(part, nn.Linear):\n            part.weight.data.clamp_(-1, 1)"
        },
    ),
    "weights of a run are drawn out of sight": (
        "optimizer-recreated-in-loop",
        RUNS,
        {"begins": "init_weights(net)"},
        {"begins": "init_weights(other)"},
    ),
    "weights of a run are copied from those of the beginning": (
        "optimizer-recreated-in-loop",
        RUNS,
        {"begins": "with torch.no_grad():\n        for p, q in zip(net.parameters(), first):\n            p.copy_(q)"},
        {"begins": "with torch.no_grad():\n        for p, q in zip(net.parameters(), first):\n            q.lerp_(p, 0.1)"},
    ),
    "weights of a run are drawn by a function of its own": (
        "optimizer-recreated-in-loop",
        RUNS,
        {"begins": "reset_weights(net)"},
        {"begins": "reset_weights(other)"},
    ),
    "a run of which more learns": (
        "optimizer-recreated-in-loop",
        RUNS,
        {"begins": "for k in range(3):\n        net[k].requires_grad_(k <= seed)"},
        {"begins": "for k in range(3):\n        net[k].requires_grad_(False)"},
    ),
    "weights of a run are loaded": (
        "optimizer-recreated-in-loop",
        RUNS,
        {"begins": 'net.load_state_dict(torch.load("first.pt"))'},
        {"begins": 'other.load_state_dict(torch.load("first.pt"))'},
    ),
    "an optimizer for one of several parts": (
        "optimizer-recreated-in-loop",
        """
def fit(net, x, y):
    for number in range(3):
        optimizer = torch.optim.Adam({given}.parameters())
        loss = nn.functional.mse_loss(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
""",
        {"given": "net[number]"},
        {"given": "net"},
    ),
    "a mean that goes on under a condition": (
        "graph-retained-in-metric",
        """
def train(net, optimizer):
    mean = None
    for x, y in LOADER:
        loss = nn.functional.mse_loss(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        mean = {loss} if mean is None else 0.9 * mean + 0.1 * {loss}
    return mean
""",
        {"loss": "float(loss)"},
        {"loss": "loss"},
    ),
    "where the largest numbers stand": (
        "detached-loss",
        """
def train(net, optimizer):
    for x, y in LOADER:
        guess = {guess}
        loss = nn.functional.mse_loss(guess.float(), y)
        loss.requires_grad = True
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


train(nn.Linear(4, 2), torch.optim.SGD([torch.zeros(1)], lr=0.1))
""",
        {"guess": "net(x)"},
        {"guess": "net(x).argmax(1)"},
    ),
    "the other half of what a maximum hands back": (
        "detached-loss",
        """
def train(net, optimizer):
    for x, y in LOADER:
        {bound} = torch.max(net(x), 1)
        loss = torch.autograd.Variable(nn.functional.l1_loss(found.float(), y), requires_grad=True)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


train(nn.Linear(4, 2), torch.optim.SGD([torch.zeros(1)], lr=0.1))
""",
        {"bound": "found, _"},
        {"bound": "_, found"},
    ),
    "what options are called that a meter is told": (
        "graph-retained-in-metric",
        """
class Records:
    def __init__(self):
        self.rows = {{"loss": [], "rate": []}}

    def note(self, **given):
        for name, value in given.items():
            self.rows[name].append(value)


def train(net, optimizer):
    records = Records()
    for x, y in LOADER:
        loss = nn.functional.mse_loss(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        records.note(loss={loss}, rate=0.1)
    return records
""",
        {"loss": "loss.item()"},
        {"loss": "loss"},
    ),
}


ONCE = """
net = nn.Linear(4, 2)
optimizer = torch.optim.Adam(net.parameters())
kept = []
for epoch in range({passes}):
    out = net(torch.randn(8, 4))
    kept.append(out)
    optimizer.zero_grad()
    nn.functional.mse_loss(out, torch.randn(8, 2)).backward()
    optimizer.step()
print(len(kept))
"""
TWINS["a list of the outputs of one pass"] = ("graph-retained-in-metric", ONCE, {"passes": "1"}, {"passes": "2"})


@pytest.mark.parametrize("twin", TWINS.values(), ids=TWINS.keys())
def test_of_these_twins_the_wrong_one_is_told(twin: Twin) -> None:
    assert told(twin) == (False, True)


METER = """\
class Mean:
    def __init__(self):
        self.sum, self.count = 0, 0

    def update(self, value, count=1):
        self.sum += {value} * count
        self.count += count
"""
USER = """\
import torch
from torch import nn

from meters import Mean


def train(net, optimizer, loader):
    mean = Mean()
    for x, y in loader:
        loss = nn.functional.cross_entropy(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        mean.update(loss, len(x))
    return mean
"""


@pytest.mark.parametrize(("value", "wrong"), [("float(value)", False), ("value", True)])
def test_a_meter_is_read_in_a_file_that_says_nothing_of_torch(tmp_path: Path, value: str, wrong: bool) -> None:
    (tmp_path / "meters.py").write_text(METER.format(value=value))
    (tmp_path / "train.py").write_text(USER)
    report = check_file(tmp_path / "train.py", packs.rules())
    assert ("graph-retained-in-metric" in {each.rule.name for each in report.findings}) == wrong


@pytest.mark.parametrize(
    ("method", "followed"),
    [
        ("def update(self, value):\n        self.sum += value", True),
        ("def update(self, value):\n        self.sum = self.sum + value", True),
        ("def update(self, *values):\n        for each in values:\n            self.kept['a'].append(each)", True),
        ("def update(self, value):\n        self.sum = other.sum + value", False),
        ("def update(self):\n        self.sum += 1", False),
        ("def __init__(self, size):\n        self.kept.append(size)", False),
    ],
)
def test_what_a_class_adds_to_itself_of_what_it_is_given(method: str, followed: bool) -> None:
    assert gathers(f"class Mean:\n    {method}\n".encode(), "Mean") == followed
