"""Programs that train nothing and take numbers of what a network puts out: right ones, and those that leave it in train mode."""

from __future__ import annotations

from pathlib import Path

import pytest
from twins import HEAD, Twin, told

from loopcheck import packs
from loopcheck.check import check_file
from loopcheck.rule import Confidence

PREDICTS = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.head = nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.1)), nn.Linear(4, 9)

    def forward(self, x):
        return self.head(self.body(x))

    def predict(self, x):
        seen = self.body(x)
        {found}


net = Net()
net.load_state_dict(torch.load("net.pt"))
{mode}
print(net.predict(torch.load("x.pt")))
"""
TRIED = """
class Net(nn.Module):
    def __init__(self, pretrained=None):
        super().__init__()
        self.body, self.head = nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.1)), nn.Linear(4, 2)
        if pretrained:
            self.load_state_dict(torch.load(pretrained))

    def forward(self, x):
        return self.head(self.body(x))


def {function}():
    tried = Net()
    out, size = tried({data})
    assert out * size > 3


{function}()
net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in LOADER:
    optimizer.zero_grad()
    nn.functional.mse_loss(net(x), y).backward()
    optimizer.step()
"""
ONE = {"found": "return self.head(seen).argmax(1).item()", "mode": "pass"}
LOOP = {"found": "return [self.head(seen).argmax(1).item() for again in range(9)]", "mode": "pass"}
SEARCHED = """\
found = []
        for length in range(9):
            word = self.head(seen)
            found.append({})
        return found"""
WORDS = {
    "found": """\
words = []
        while len(words) < 9:
            word = self.head(seen).argmax(1).item()
            if word == 3:
                break
            words.append(word)
        return " ".join(map(str, words))""",
    "mode": "pass",
}
TWINS: dict[str, Twin] = {
    **{
        f"a method of the network that takes {what} itself": ("missing-eval-mode", PREDICTS, each | {"mode": "net.eval()"}, each)
        for what, each in {"a number": ONE, "numbers": LOOP, "words": WORDS}.items()
    },
    "a method of the network that hands out states as well": (
        "missing-no-grad",
        PREDICTS.replace("nn.Dropout(0.1)", "nn.ReLU()")
        .replace("print(net.predict(", "found = net.predict(")
        .replace('"x.pt")))', '"x.pt"))')
        + "print(torch.autograd.grad(found[0][1].sum(), list(net.parameters())))\n",
        LOOP | {"found": SEARCHED.format("(word.max().item(), word)"), "mode": "net.eval()"},
        LOOP | {"found": SEARCHED.format("(word.max().item(), word.tolist())"), "mode": "net.eval()"},
    ),
    "a function that tests a network's code": (
        "missing-eval-mode",
        TRIED,
        {"function": "test_net", "data": "torch.randn(2, 4)"},
        {"function": "test_net", "data": 'torch.load("x.pt")'},
    ),
    "a function that evaluates a network on numbers out of the air": (
        "missing-eval-mode",
        TRIED,
        {"function": "test_net", "data": "torch.randn(2, 4)"},
        {"function": "evaluate", "data": "torch.randn(2, 4)"},
    ),
    "a network that Lightning has frozen": (
        "missing-eval-mode",
        """
import pytorch_lightning


class Net(pytorch_lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.1))

    def forward(self, x):
        return self.body(x)

    def training_step(self, batch, batch_idx):
        return nn.functional.mse_loss(self(batch[0]), batch[1])


net = Net.load_from_checkpoint("net.ckpt")
net.freeze()
{then}
print(sum(nn.functional.mse_loss(net(x), y).item() for x, y in TEST_LOADER))
""",
        {"then": "pass"},
        {"then": "net.unfreeze()"},
    ),
    "one forward of all held-out data in a method that tests": (
        "missing-eval-mode",
        """
X_test, y_test = torch.load("test.pt")


class Course:
    def __init__(self):
        self.net = nn.Sequential(nn.Linear(4, 8), nn.Dropout(), nn.Linear(8, 2))
        self.optimizer = torch.optim.Adam(self.net.parameters())

    def fit(self):
        for epoch in range(9):
            self.net.train()
            for x, y in LOADER:
                self.optimizer.zero_grad()
                nn.functional.mse_loss(self.net(x), y).backward()
                self.optimizer.step()
            print(self._test_score())

    @torch.no_grad()
    def _test_score(self):
        {mode}
        scores = self.net(X_test)
        return (scores.argmax(1) == y_test).float().mean().item()


Course().fit()
""",
        {"mode": "self.net.eval()"},
        {"mode": "pass"},
    ),
    "games that a method of an agent plays for their score": (
        "missing-no-grad",
        """
class Agent:
    def __init__(self, env):
        self.env, self.net = env, nn.Linear(4, 2)
        self.optimizer = torch.optim.Adam(self.net.parameters())

    def fit(self):
        for epoch in range(9):
            for x, y in LOADER:
                self.optimizer.zero_grad()
                nn.functional.mse_loss(self.net(x), y).backward()
                self.optimizer.step()
            print(sum(self._test_env() for _ in range(10)))

    {decorator}
    def _test_env(self):
        state, done, total = self.env.reset(), False, 0
        while not done:
            action = self.net(torch.FloatTensor(state)).argmax()
            state, reward, done, _ = self.env.step(action.item())
            total += reward
        return total


Agent(make()).fit()
""",
        {"decorator": "@torch.no_grad()"},
        {"decorator": ""},
    ),
    "a network that comes with its weights": (
        "missing-eval-mode",
        """
net = torchvision.models.resnet18({weights})
{mode}
for x, y in TEST_LOADER:
    print((net(x).argmax(1) == y).sum().item())
""",
        {"weights": "pretrained=True", "mode": "net.eval()"},
        {"weights": "pretrained=True", "mode": "pass"},
    ),
    "what a network with weights puts out is printed once": (
        "missing-eval-mode",
        """
net = nn.Sequential(nn.Linear(4, 2), nn.Dropout())
{weights}
print(torch.softmax(net(torch.load(args.data)), 1))
""",
        {"weights": "print(net)"},
        {"weights": "net.load_state_dict(torch.load(args.weights))"},
    ),
    "a network that is made without weights": (
        "missing-eval-mode",
        """
net = torchvision.models.resnet18({weights})
for x, y in DataLoader(args.data):
    print(net(x).argmax(1).tolist())
""",
        {"weights": "pretrained=False"},
        {"weights": 'weights="DEFAULT"'},
    ),
    "a wrapper that drops nothing": (
        "missing-eval-mode",
        """
class Scaled(nn.Module):
    def __init__(self, net):
        super().__init__()
        self.net = net

    def forward(self, x):
        return self.net.fc(nn.functional.dropout(self.net.layer4(x / 255), training=False))


net = Scaled(torchvision.models.resnet18(pretrained=True){mode})
for x, y in TEST_LOADER:
    print((net(x).argmax(1) == y).sum().item())
""",
        {"mode": ".eval()"},
        {"mode": ""},
    ),
    "numbers that are made up": (
        "missing-eval-mode",
        """
net = torchvision.models.resnet18(pretrained=True)
x = {given}
print(net(x).argmax(1).item())
""",
        {"given": "torch.rand(1, 3, 224, 224)"},
        {"given": "torchvision.io.read_image(args.path)[None].float()"},
    ),
    "all layers of a network but the last": (
        "missing-eval-mode",
        """
net = torchvision.models.resnet18()
net.load_state_dict(torch.load("net.pt"))
features = nn.Sequential(*list(net.children())[:-1])
{mode}
found = [features(x).detach().numpy() for x, _ in TEST_LOADER]
""",
        {"mode": "net.eval()"},
        {"mode": "pass"},
    ),
    "what a server calls": (
        "missing-eval-mode",
        """
from fastapi import FastAPI

app = FastAPI()
net = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.1), nn.Linear(8, 2))
net.load_state_dict(torch.load("net.pt"))


@app.post("/predict")
def predict(numbers: list):
    with torch.no_grad():
        return net(torch.tensor(numbers)).argmax(1).tolist()


@app.on_event("startup")
def prepare():
    {mode}
""",
        {"mode": "net.eval()"},
        {"mode": "pass"},
    ),
    "an image that is kept": (
        "missing-no-grad",
        """
from torchvision.transforms import ToPILImage

net = nn.Sequential(nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), nn.Conv2d(8, 3, 3))
net.load_state_dict(torch.load("net.pt"))
net.eval()
with {grad}:
    for path, image in args.images:
        ToPILImage()(net(image)[0]).save(path)
""",
        {"grad": "torch.no_grad()"},
        {"grad": "contextlib.nullcontext()"},
    ),
    "a state that is given others' weights": (
        "missing-no-grad",
        """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.1), nn.Linear(8, 2))

    def forward(self, x):
        return self.layers(x)


net = Net()
state = net.state_dict()
state.update({{name: each for name, each in torch.load("net.pt").items() if name in state}})
net.load_state_dict(state)
net.eval()
with {grad}:
    for batch in args.batches:
        print(net(batch).argmax(1).tolist())
""",
        {"grad": "torch.no_grad()"},
        {"grad": "contextlib.nullcontext()"},
    ),
}

OFFERED = """
class Predictor:
    def __init__(self, path):
        self.net = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.5), nn.Linear(8, 2))
        self.net.load_state_dict(torch.load(path))
        {mode}

    def predict(self, x):
        with torch.no_grad():
            return self.net(x).argmax(1).item()
"""
TWINS["a class that a program is offered to predict with"] = (
    "missing-eval-mode",
    OFFERED,
    {"mode": "self.net.eval()"},
    {"mode": "pass"},
)

PREPARED = """
class Predictor:
    def __init__(self):
        self.net = None{beside}

    def load(self, path):
        self.net = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.5), nn.Linear(8, 2))
        self.net.load_state_dict(torch.load(path))
        {mode}

    {more}

    def predict(self, x):
        with torch.no_grad():
            return self.net(x).argmax(1).item()
"""
READY = {"beside": "", "mode": "pass", "more": "pass"}
TWINS |= {
    f"a network that a method is there to load: {name}": ("missing-eval-mode", PREPARED, READY | right, READY)
    for name, right in {
        "it is put in eval mode": {"mode": "self.net.eval()"},
        "another method may put it there": {"more": "def freeze(self): self.net.eval()"},
        "another method may put it where it is told": {"more": "def switch(self, mode): self.net.train(mode)"},
        "another method may make another one": {"more": "def take(self, net): self.net = net"},
        "it was made before": {"beside": " or torch.load('net.pt').eval()"},
    }.items()
}
STARTED = """
from fastapi import Depends, FastAPI


class Predictor:
    def __init__(self):
        self.net, self.ready = None, False

    def load(self, path):
        self.net = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.5), nn.Linear(8, 2))
        self.net.load_state_dict(torch.load(path))
        {mode}
        self.ready = True

    def predict(self, x):
        if not self.ready:
            raise RuntimeError("not loaded")
        with torch.no_grad():
            return self.net(x).argmax(1).item()


predictor = Predictor()


async def load(app):
    predictor.load("net.pt")
    yield


app = FastAPI(lifespan=load)


def given():
    return predictor


@app.post("/predict")
def predict(rows: list{parameter}):
    return predictor.predict(torch.tensor(rows))
"""
TWINS |= {
    f"a network that a server has loaded when it starts: {name}": (
        "missing-eval-mode",
        STARTED,
        {"mode": "self.net.eval()", "parameter": parameter},
        {"mode": "pass", "parameter": parameter},
    )
    for name, parameter in {"it is at hand": "", "it is handed in": ", predictor: Predictor = Depends(given)"}.items()
}
TWINS["a network that a method makes, and a method that only asks for its mode"] = (
    "missing-eval-mode",
    PREPARED,
    READY | {"more": "def freeze(self): self.net.eval()"},
    READY | {"more": "def is_frozen(self): return not self.net.training"},
)


SERVED = """
class Answers:
    def __init__(self, net):
        self._net = net

    def infer(self, rows):
        return self._ask(torch.tensor(rows))

    def _ask(self, x):
        return self._net(x).{read}


class Service:
    def __init__(self, path):
        self.net = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.5), nn.Linear(8, 2))
        {filled}
        {mode}
        self.answers = Answers(self.net)

    def {name}(self, rows):
        {scope}
            out = self.answers.infer(rows)
        return out
    {more}
"""
SERVES = {
    "read": "argmax(1).tolist()",
    "filled": "self.net.load_state_dict(torch.load(path))",
    "mode": "self.net.eval()",
    "name": "process",
    "scope": "with contextlib.nullcontext():",
    "more": "",
}
TWINS |= {
    f"what an object answers by a network of a file: {name}": (rule, SERVED, SERVES | right, SERVES | wrong)
    for name, rule, right, wrong in [
        ("no graph is recorded", "missing-no-grad", {"scope": "with torch.set_grad_enabled(False):"}, {}),
        ("it is in eval mode", "missing-eval-mode", {}, {"mode": "print(path)"}),
        ("it has its weights of no file", "missing-no-grad", {"filled": "print(path)"}, {}),
        ("it is the class's own affair", "missing-no-grad", {"name": "_process"}, {}),
        ("it goes on with the graph", "missing-no-grad", {"read": "sum(1)"}, {}),
        ("the class trains as well", "missing-no-grad", {"more": "def learn(self, loss): loss.backward()"}, {}),
    ]
}
COPYING = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.5), nn.Linear(8, 2))

    def forward(self, x):
        return self.layers(x)

    def load_state_dict(self, state_dict, strict=True):
        own = self.state_dict()
        for name, param in state_dict.items():
            if name in own:
                own[name].{copied}


net = Net()
net.load_state_dict(torch.load("net.pt"))
with torch.no_grad():
    print(sum((net(x).argmax(1) == y.argmax(1)).sum().item() for x, y in TEST_LOADER))
"""
TWINS["weights that are copied into a state one by one"] = (
    "missing-eval-mode",
    COPYING,
    {"copied": "copy_(torch.zeros(1))"},
    {"copied": "copy_(param.data)"},
)


@pytest.mark.parametrize("twin", TWINS.values(), ids=TWINS.keys())
def test_of_these_twins_the_wrong_one_is_told(twin: Twin) -> None:
    assert told(twin) == (False, True)


NETWORKS = """\
from torch import nn


class {0}(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.body, self.head = nn.Sequential(nn.Linear(4, 8), {1}), nn.Linear(8, classes)

    def forward(self, x):
        return self.head(self.body(x))


def {2}(classes=2):
    return {0}(classes)
"""
SCRIPT = """\
import networks

net = {make}(classes=2)
net.load_state_dict(torch.load(args.path))
with torch.no_grad():
    print(sum((net(x).argmax(1) == y).sum().item() for x, y in TEST_LOADER))
"""


@pytest.mark.parametrize("make", ["getattr(networks, args.net)", "networks.__dict__[args.net]"])
@pytest.mark.parametrize(("layer", "wrong"), [("nn.BatchNorm1d(8)", True), ("nn.ReLU()", False)])
def test_a_network_of_a_module_under_a_name_that_nobody_knows_is_one_of_its_networks(
    make: str, layer: str, wrong: bool, tmp_path: Path
) -> None:
    (tmp_path / "networks").mkdir()
    (tmp_path / "networks" / "__init__.py").write_text("from .small import small\nfrom .large import large, width\n")
    (tmp_path / "networks" / "small.py").write_text(NETWORKS.format("Small", layer, "small"))
    (tmp_path / "networks" / "large.py").write_text(NETWORKS.format("Large", layer, "large") + "\n\ndef width():\n    return 8\n")
    (tmp_path / "test.py").write_text(HEAD + SCRIPT.format(make=make))
    report = check_file(tmp_path / "test.py", packs.rules())
    assert ("missing-eval-mode" in {each.rule.name for each in report.findings}) is wrong


LOADS = """\
import torch
from torch import nn


def load_network(path):
    net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
    net.load_state_dict(torch.load(path))
    return net.eval()
"""
COUNTS = """\
import sys

import torch
from loads import load_network
from scans import read


GRAD
def accuracy(network, pictures):
    right = 0
    for place in range(len(pictures)):
        picture, label = pictures[place]
        scores = network(picture.unsqueeze(0))
        right += int(scores.argmax(1)) == label
    return right / len(pictures)


print(accuracy(load_network(sys.argv[1]), read(sys.argv[2])))
"""


@pytest.mark.parametrize(("grad", "wrong"), [("", True), ("@torch.no_grad()", False)])
def test_a_script_that_applies_what_another_file_loads_is_read(grad: str, wrong: bool, tmp_path: Path) -> None:
    (tmp_path / "loads.py").write_text(LOADS)
    (tmp_path / "count.py").write_text(COUNTS.replace("GRAD", grad))
    report = check_file(tmp_path / "count.py", packs.rules())
    assert {each.rule.name for each in report.findings} == ({"missing-no-grad"} if wrong else set())


NET = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.first, self.drop, self.last = nn.Linear(4, width), {layer}, nn.Linear(width, 2)

    def forward(self, x):
        return self.last(self.drop(self.first(x)))


def net(width):
    return Net(width)
"""
APPLIED = """\
net = {make}(8)
net.load_state_dict(torch.load("net.pt"))
with torch.no_grad():
    print(sum((net(x).argmax(1) == y).sum().item() for x, y in TEST_LOADER))
"""
FACTORIES = {
    "a class": ("build", "from networks import Net\n\n\ndef build(width):\n    return Net(width)\n"),
    "a class in its file": ("build", "import networks\n\n\ndef build(width):\n    return networks.Net(width)\n"),
    "a factory": ("build_model", "from networks import net\n\n\ndef build_model(width):\n    return net(width)\n"),
}


@pytest.mark.parametrize(("layer", "wrong"), [("nn.Dropout(0.5)", True), ("nn.ReLU()", False)])
@pytest.mark.parametrize(("name", "factory"), FACTORIES.values(), ids=FACTORIES.keys())
def test_what_a_factory_makes_that_says_no_word_of_torch_is_known(
    name: str, factory: str, layer: str, wrong: bool, tmp_path: Path
) -> None:
    (tmp_path / "networks.py").write_text(NET.format(layer=layer))
    (tmp_path / "factory.py").write_text(factory)
    (tmp_path / "test.py").write_text(HEAD + f"from factory import {name}\n" + APPLIED.format(make=name))
    report = check_file(tmp_path / "test.py", packs.rules())
    assert ("missing-eval-mode" in {each.rule.name for each in report.findings if each.confidence is not Confidence.LOW}) == wrong
