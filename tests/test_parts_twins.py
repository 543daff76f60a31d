"""What outputs are taken out of, and what keeps layers, losses and states, each beside its twin that is right."""

from __future__ import annotations

import pytest
from twins import Twin, told

from loopcheck.read.triage import worth_reading

PARTS = """
class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(4, 2), nn.Linear(4, 2)

    def forward(self, x):
        return torch.softmax(self.first(x), 1), self.second(x)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second, self.head = nn.Linear(4, 2), nn.Linear(4, 2), Head()

    def both(self, x):
        return torch.softmax(self.first(x), 1), self.second(x)

    def forward(self, x):
        {outs}
        return {out}


net = Net()
optimizer = torch.optim.Adam(net.parameters())
for epoch in range(3):
    for x, y in LOADER:
        out = net(x)
        loss = nn.functional.cross_entropy({given}, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
"""


def _parts(right: tuple[str, str, str], wrong: tuple[str, str, str]) -> Twin:
    """A network that takes what it hands back out of several outputs, written in either way."""
    one, other = (dict(zip(("outs", "out", "given"), each, strict=True)) for each in (right, wrong))
    return "softmax-before-cross-entropy", PARTS, one, other


PART, METHOD = "outs = self.head(x)", "outs = self.both(x)"
WRITTEN = "outs = torch.softmax(self.first(x), 1), self.second(x)"
LISTED = "outs = [torch.softmax(self.first(x), 1), self.second(x)]"
OF_TORCH = """
class Block(nn.Sequential):
    def __init__(self, width):
        super().__init__(nn.Linear(width, width), {layer})


class Pack(nn.Sequential):
    def __init__(self, *layers):
        super().__init__(*layers)


class Scaled(nn.BatchNorm1d):
    pass


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = {body}
        self.head = nn.Linear(4, 2)

    def forward(self, x):
        return self.head(self.body(x))


net = {net}
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in LOADER:
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x), y).backward()
        optimizer.step()
    with torch.no_grad():
        print(sum(nn.functional.mse_loss(net(x), y).item() for x, y in TEST_LOADER))
"""
PLAIN = {"layer": "nn.ReLU()", "body": "nn.Tanh()"}
IN_LIST = """
class Layer(nn.Sequential):
    def __init__(self):
        super(Layer, self).__init__()
        self.add_module("linear", {layer})


class Block(nn.Sequential):
    def __init__(self, depth):
        super(Block, self).__init__()
        for at in range(depth):
            layer = Layer()
            self.add_module("layer%d" % at, layer)


class Net(nn.Module):
    def __init__(self, depths=(2, 4)):
        super().__init__()
        self.blocks = []
        for depth in depths:
            self.blocks.append(Block(depth))

    def forward(self, x):
        return self.blocks[1](self.blocks[0](x))


net = Net()
"""
TWINS: dict[str, Twin] = {
    "a network that is a container": (
        "missing-eval-mode",
        OF_TORCH,
        PLAIN | {"net": "Block(4)"},
        PLAIN | {"net": "Block(4)", "layer": "nn.BatchNorm1d(4)"},
    ),
    "a container of what it is given": (
        "missing-eval-mode",
        OF_TORCH,
        PLAIN | {"net": "Pack(nn.Linear(4, 2), nn.ReLU())"},
        PLAIN | {"net": "Pack(nn.Linear(4, 2), nn.BatchNorm1d(2))"},
    ),
    "a container in a container": (
        "missing-eval-mode",
        OF_TORCH,
        PLAIN | {"net": "nn.Sequential(Block(4), nn.Linear(4, 2))"},
        PLAIN | {"net": "nn.Sequential(Block(4), nn.Linear(4, 2))", "layer": "nn.Dropout()"},
    ),
    "a layer that derives from one of torch": (
        "missing-eval-mode",
        OF_TORCH,
        PLAIN | {"net": "Net()"},
        PLAIN | {"net": "Net()", "body": "Scaled(4)"},
    ),
    "a list of containers of containers": ("layers-in-plain-list", IN_LIST, {"layer": "nn.ReLU()"}, {"layer": "nn.Linear(4, 4)"}),
    "one of several outputs of a part": _parts((PART, "outs[1]", "out"), (PART, "outs[0]", "out")),
    "one of several outputs from behind": _parts((PART, "outs[-1]", "out"), (PART, "outs[-2]", "out")),
    "one of several outputs at once": _parts(("", "self.both(x)[1]", "out"), ("", "self.both(x)[0]", "out")),
    "one of several outputs under a name": _parts((WRITTEN, "outs[1]", "out"), (WRITTEN, "outs[0]", "out")),
    "several outputs unpacked later": _parts(
        (f"{METHOD}; one, two = outs", "two", "out"), (f"{METHOD}; one, two = outs", "one", "out")
    ),
    "several outputs handed on by their name": _parts((METHOD, "outs", "out[1]"), (METHOD, "outs", "out[0]")),
    "several outputs in another order": _parts(
        (f"{METHOD}; outs = outs[1], outs[0]", "outs[0]", "out"), (f"{METHOD}; outs = outs[1], outs[0]", "outs[1]", "out")
    ),
    "one of several outputs in a dictionary": _parts(
        (PART, "{'out': outs[1]}", "out['out']"), (PART, "{'out': outs[0]}", "out['out']")
    ),
    "a list that is turned around": _parts((f"{LISTED}; outs.reverse()", "outs[0]", "out"), (LISTED, "outs[0]", "out")),
    "a list of which one is another": _parts(
        (f"{LISTED}; outs[0] = self.first(x)", "outs[0]", "out"), (LISTED, "outs[0]", "out")
    ),
    "any number of outputs in front": _parts(
        ("outs = (*self.both(x), torch.softmax(self.first(x), 1))", "outs[1]", "out"),
        ("outs = (self.second(x), torch.softmax(self.first(x), 1))", "outs[1]", "out"),
    ),
    "any number of targets in front": _parts(
        ("*outs, one = torch.softmax(self.first(x), 1), torch.softmax(self.first(x), 1), self.second(x)", "one", "out"),
        ("outs, one = self.second(x), torch.softmax(self.first(x), 1)", "one", "out"),
    ),
    "several outputs put together anew, time and again": _parts(
        (f"{WRITTEN}{'; outs = outs[0], outs[1]' * 2}", "outs[0]", "out"),
        (f"{WRITTEN}{'; outs = outs[0], outs[1]' * 1}", "outs[0]", "out"),
    ),
    "fewer outputs than are asked for": _parts((WRITTEN, "outs[2]", "out"), (WRITTEN, "outs[0]", "out")),
    "names that change places time and again": _parts(
        (f"one, two = torch.softmax(self.first(x), 1), self.second(x){'; one, two = two, one' * 5}", "one", "out"),
        (f"one, two = torch.softmax(self.first(x), 1), self.second(x){'; one, two = two, one' * 4}", "one", "out"),
    ),
}

LISTS = """
one = nn.Linear


class Net(nn.Module):
    def __init__(self, count, width{given}):
        super().__init__()
        self.head = nn.Linear(4, width)
        self.extra = count
        self.mean = nn.BatchNorm1d(width)
        {before}
        self.layers = []
        for _ in range(count):
            self.layers.append({layer})

    def forward(self, x):
        x = self.mean(self.head(x))
        for layer in self.layers:
            x = layer(x)
        return x

    {besides}


net = Net(3, 4)
optimizer = torch.optim.Adam(net.parameters())
for x, y in LOADER:
    optimizer.zero_grad()
    nn.functional.mse_loss(net(x), y).backward()
    optimizer.step()
"""
LINEAR = {"given": "", "before": "pass", "layer": "nn.Linear(width, width)", "besides": "pass"}
ALIAS = LINEAR | {"before": "layer = nn.Linear", "layer": "layer(width, width)"}


def _lists(right: dict[str, str], wrong: dict[str, str]) -> Twin:
    """A network that keeps layers in a list, written in either way."""
    return "layers-in-plain-list", LISTS, right, wrong


def _saying(right: str, wrong: str) -> Twin:
    """The same, where the network says something of what it has."""
    one, other = ({"besides": f"def kept(self):\n        return {each}"} for each in (right, wrong))
    return _lists(LINEAR | one, LINEAR | other)


TWINS |= {
    "a network asks itself for its state": _saying("[each.state_dict() for each in self.layers]", "self.state_dict()"),
    "a network asks one layer for its state": _saying("self.layers[0].state_dict()", "self.head.state_dict()"),
    "a network asks one layer for its parameters": _saying(
        "[each for layer in self.layers for each in layer.parameters()]", "[*self.parameters(), *self.mean.parameters()]"
    ),
    "a network asks something else for its parameters": _saying("[*self.others.parameters()]", "[*self.extra.parameters()]"),
    "a network has a state of its own": _lists(
        LINEAR | {"besides": "def state_dict(self):\n        return self.head.state_dict()"},
        LINEAR | {"besides": "def own_state(self):\n        return self.head.state_dict()"},
    ),
    "a class of layers under a name": _lists(ALIAS | {"before": "layer = nn.ReLU", "layer": "layer()"}, ALIAS),
    "one of two classes of layers under a name": _lists(
        ALIAS | {"before": "layer = nn.Linear if count > 2 else nn.Identity"},
        ALIAS | {"before": "layer = nn.Linear\n        if count > 2:\n            layer = nn.Bilinear"},
    ),
    "a class without parameters under the same name": _lists(
        ALIAS | {"before": "layer = nn.Linear\n        if count > 2:\n            layer = nn.Identity"}, ALIAS
    ),
    "classes that a loop goes over": _lists(
        ALIAS | {"before": "layer = nn.Linear\n        for layer in (nn.Identity, nn.Linear):\n            pass"}, ALIAS
    ),
    "a class that the caller may give": _lists(
        ALIAS | {"given": ", layer=None", "before": "if layer is None:\n            layer = nn.Linear"}, ALIAS
    ),
    "a class that the function around is given": _lists(ALIAS | {"before": "one = nn.Identity\n        layer = one"}, ALIAS),
}

MEASURES = """
net = nn.Linear(4, 2)
optimizer = torch.optim.Adam(net.parameters())


def train(criterion, measure):
    for epoch in range(3):
        for x, y in LOADER:
            optimizer.zero_grad()
            criterion(net(x), y).backward()
            optimizer.step()
        with torch.{context}():
            for x, y in TEST_LOADER:
                loss = {loss}
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
"""
TWINS |= {
    f"what {wrong['loss']} computes without autograd, and {right['loss']} under {right['context']}": (
        "detached-loss",
        MEASURES,
        right,
        wrong,
    )
    for wrong in [{"context": "no_grad", "loss": "criterion(net(x), y)"}]
    for right in [
        {"context": "enable_grad", "loss": "criterion(net(x), y)"},
        {"context": "enable_grad", "loss": "criterion(net(x).detach(), y)"},
        {"context": "no_grad", "loss": "measure(net(x), y)"},
        {"context": "no_grad", "loss": "criterion(net, net(x))"},
    ]
}


@pytest.mark.parametrize("twin", TWINS.values(), ids=TWINS.keys())
def test_of_these_twins_the_wrong_one_is_told(twin: Twin) -> None:
    assert told(twin) == (False, True)


NETWORK = """\
from torch import nn


class Net(nn.{base}):
    def __init__(self, size):
        {keeps}
"""


@pytest.mark.parametrize(
    ("keeps", "read"),
    [
        ("self.layers = [nn.Linear(size, size), nn.Linear(size, size)]", True),
        ("self.layers=[nn.Linear(size, size) for _ in range(3)]", True),
        ("self.layers = {each: nn.Linear(size, size) for each in range(3)}", True),
        ("self.layers.append(block(size))", True),
        ("self.layers = nn.ModuleList()", False),
        ("self.shape = [size, size]", False),
    ],
)
def test_a_file_of_networks_alone_is_read_where_one_may_keep_layers(keeps: str, read: bool) -> None:
    assert worth_reading(NETWORK.format(base="Module", keeps=keeps).encode()) == read
    assert not worth_reading(NETWORK.format(base="Linear", keeps=keeps).encode())
