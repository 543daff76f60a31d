"""What a network keeps and how: layers in lists, each way beside its twin in which the network finds them or somebody else may
have them, and functions in attributes."""

from __future__ import annotations

import pytest
from twins import Twin, told


def network(init: str, besides: str = "", before: str = "") -> str:
    """A program that trains a network with what its constructor does, its other methods, and what stands before it."""

    def block(code: str, depth: int) -> str:
        return "".join(f"{' ' * depth}{line}\n" for line in code.splitlines())

    return f"""
import copy
from collections import OrderedDict

{before}

class Net(nn.Module):
    def __init__(self, count, width):
        super().__init__()
        self.head = nn.Linear(4, width)
{block(init, 8)}
    def forward(self, x):
        x = self.head(x)
        for layer in self.layers:
            x = layer(x)
        return x

{block(besides, 4)}

net = Net(3, 4)
optimizer = torch.optim.Adam(net.parameters())
for x, y in LOADER:
    optimizer.zero_grad()
    nn.functional.mse_loss(net(x), y).backward()
    optimizer.step()
"""


def twin(program: str, right: str, wrong: str) -> Twin:
    return "layers-in-plain-list", program, {"it": right}, {"it": wrong}


HELPER = "def dense(width):\n    return nn.Sequential(nn.Linear(width, width), {it})"
FILLED = "layers = []\nfor _ in range(count):\n    layers.append(nn.Linear(width, width))\n{it}"
BUILT = (
    "def build(self, count, width):\n    for _ in range(count):\n        self.layers.append(nn.Linear(width, width))\n    {it}"
)
STACK = "def stack(self, count, width):\n    " + FILLED.replace("\n", "\n    ").replace("{it}", "return {it}")
LINEAR = "nn.Linear(width, width)"

TWINS: dict[str, Twin] = {
    "a function makes the layer": twin(
        network(
            "self.layers = []\nfor _ in range(count):\n    self.layers.append({it})", before=HELPER.replace("{it}", "nn.ReLU()")
        ),
        "self.head",
        "dense(width)",
    ),
    "and a layer of it learns": twin(
        network(
            "self.layers = [act(width) for _ in range(count)]",
            before="def act(width):\n    return nn.Sequential(nn.ReLU(), {it})",
        ),
        "nn.Tanh()",
        "nn.PReLU()",
    ),
    "a function makes it as it stands": twin(
        network("self.layers = [dense(self, width) for _ in range(count)]", before="def dense(net, width):\n    {it}"),
        "layer = nn.Linear(width, width)\n    net.add_module(str(len(net._modules)), layer)\n    return layer",
        "layer = nn.Linear(width, width)\n    nn.init.zeros_(layer.bias)\n    return layer",
    ),
    "a function that keeps what it makes": twin(
        network(
            "self.layers = [dense(width) for _ in range(count)]",
            before="ALL = nn.ModuleList()\n\ndef dense(width):\n    layer = nn.Linear(width, width)\n    {it}\n    return layer",
        ),
        "ALL.append(layer)",
        "print(width)",
    ),
    "a function that makes it one way or another": twin(
        network(
            "self.layers = [dense(self, width) for _ in range(count)]",
            before="def dense(net, width):\n    if width > 4:\n        return {it}\n    return nn.Linear(width, width)",
        ),
        "net.head",
        "nn.Bilinear(width, width, width)",
    ),
    "a function that makes it, or something that has nothing to learn": twin(
        network(
            "self.layers = [dense(width) for _ in range(count)]",
            before="def dense(width):\n    if width > 4:\n        return {it}\n    return nn.Linear(width, width)",
        ),
        "nn.Tanh()",
        "nn.PReLU()",
    ),
    "a decorated function": twin(
        network(
            "self.layers = several(count, width)",
            before="def found(make):\n    return lambda *sizes: nn.ModuleList(make(*sizes))\n\n\n{it}\n"
            "def several(count, width):\n    return [nn.Linear(width, width) for _ in range(count)]",
        ),
        "@found",
        "# @found",
    ),
    "a method makes it": twin(
        network(
            "self.layers = list()\nfor _ in range(count):\n    self.layers.append(self.dense(width))",
            "def dense(self, width):\n    return {it}",
        ),
        "self.head",
        LINEAR,
    ),
    "a variable of the constructor is filled": twin(
        network(FILLED), "self.layers = nn.ModuleList(layers)", "print(len(layers)); self.layers = layers"
    ),
    "and somebody else has it": twin(
        network(FILLED), "self.net = nn.Sequential(*layers); self.layers = layers", "self.layers = layers"
    ),
    "what is in another list is added": twin(
        network("self.layers = []\nfor _ in range(count):\n    self.layers += [{it}, nn.ReLU()]"), "self.head", LINEAR
    ),
    "a list is extended": twin(
        network("self.layers = []\nself.layers.extend([{it} for _ in range(count)])"), "nn.Dropout()", LINEAR
    ),
    "a list is made by its name": twin(
        network("self.layers = list({it} for _ in range(count))"), "nn.Tanh()", "copy.deepcopy(nn.Linear(width, width))"
    ),
    "a list of so many": twin(
        network("self.layers = [None] * count\nfor i in range(count):\n    self.layers[i] = {it}"), "self.head", LINEAR
    ),
    "a method fills it": twin(
        network("self.layers = []\nself.build(count, width)", BUILT), "self.layers = nn.ModuleList(self.layers)", "pass"
    ),
    "a method that fills it is not what applies it": twin(
        network(
            "self.layers = nn.ModuleList()\nself.kept = []\nself.build(count, width)",
            BUILT.replace("{it}", "pass").replace("layers", "kept") + "\n\ndef features(self, x):\n    return {it}",
        ),
        "x",
        "self.kept[0](x)",
    ),
    "a method returns it": twin(
        network("self.layers = self.stack(count, width)", STACK),
        "nn.ModuleList(layers)",
        "layers",
    ),
    "a function returns copies of what it is given": twin(
        network(
            "self.layers = clones({it}, count)",
            before="def clones(layer, count):\n    return [copy.deepcopy(layer) for _ in range(count)]",
        ),
        "nn.Tanh()",
        LINEAR,
    ),
    "lists in a list": twin(
        network("self.layers = [[{it}, nn.ReLU()] for _ in range(count)]").replace("x = layer(x)", "x = layer[1](layer[0](x))"),
        "self.head",
        LINEAR,
    ),
    "what is made of the list": twin(
        network(
            "self.layers = []\nfor _ in range(count):\n    self.layers.append(nn.Linear(width, width))\n{it}",
            before="def found(layers):\n    return nn.ModuleList(layers)",
        ),
        "self.layers = found(self.layers)",
        "print(self.layers)",
    ),
    "another network is given it": twin(
        network(
            "self.layers = [nn.Linear(width, width) for _ in range(count)]\n{it}",
            before="class Held(nn.Module):\n    def __init__(self, layers):\n        super().__init__()\n"
            "        self.layers = nn.ModuleList(layers)",
        ),
        "self.held = Held(self.layers)",
        "self.held = len(self.layers)",
    ),
    "a method that others call makes copies of it": twin(
        network(
            "self.layers = [nn.TransformerEncoderLayer(width, 2) for _ in range(count)]",
            "def stack(self, count):\n    self.stack = nn.TransformerEncoder({it}, count)",
        ),
        "self.layers[0]",
        "nn.TransformerEncoderLayer(4, 2)",
    ),
    "its layers are attributes one by one": twin(
        network("self.layers = [nn.Linear(width, width) for _ in range(count)]\n{it}"),
        "self.last = self.layers[-1]; self.first = self.layers[0]",
        "self.last = nn.Linear(width, width)",
    ),
    "its layers are put into a container one by one": twin(
        network(
            "self.layers = [nn.Linear(width, width) for _ in range(count)]\nself.found = nn.ModuleList()\n"
            "for layer in self.layers:\n    {it}"
        ),
        "self.found.append(layer)",
        "nn.init.zeros_(layer.bias)",
    ),
}

KEPT = """
class Net(nn.Module):
    def __init__(self, soft=True):
        super().__init__()
        self.fc = nn.Linear(4, 2)
        self.act = {it}

    def forward(self, x):
        return self.act(self.fc(x))


net = Net()
optimizer = torch.optim.Adam(net.parameters())
for x, y in LOADER:
    optimizer.zero_grad()
    nn.functional.binary_cross_entropy_with_logits(net(x), y).backward()
    optimizer.step()
"""
TWINS |= {
    f"a network ends in {wrong}, and in {right}": (
        "sigmoid-before-bce-with-logits",
        KEPT,
        {"it": right},
        {"it": wrong},
    )
    for right, wrong in [
        ("torch.tanh", "torch.sigmoid"),
        ("nn.Identity() if soft else torch.sigmoid", "nn.functional.sigmoid"),
        ("lambda x: x", "torch.sigmoid if soft else nn.Sigmoid()"),
    ]
}

LAYERED = """\
import torch
from torch import nn
from torch_geometric.nn import SAGEConv


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x):
        return x * self.fc(x)


class Curve(nn.Module):
    def __init__(self):
        super().__init__()
        self.act = nn.Tanh()

    def forward(self, x):
        return x * self.act(x)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = {inner}

    def forward(self, x):
        return x + self.inner(x)


class Net(nn.Module):
    def __init__(self, n, device):
        super().__init__()
        self.layers = []
        for k in range(n):
            if k == 0:
                layer = {first}
            else:
                layer = {layer}
            {then}
            self.layers.append(layer)
        self.fc = nn.Linear(4, 2)

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return self.fc(x)
"""
_LINEAR = {"inner": "Scaled()", "first": "nn.Linear(4, 4).to(device)", "layer": "nn.Linear(4, 4)", "then": "pass"}
TWINS |= {
    f"layers in a list are {of}": ("layers-in-plain-list", LAYERED, _LINEAR | right, _LINEAR | wrong)
    for of, right, wrong in [
        ("given a name in two places", {"layer": "nn.ReLU()"}, {}),
        ("given options", {"then": "self.last = layer"}, {"then": "layer.steps = k"}),
        ("blocks of networks", {"first": "Block()", "inner": "Curve()"}, {"first": "Block()"}),
        ("graph convolutions", {"layer": "SAGEConv.jittable(4)"}, {"layer": "SAGEConv(4, 4)"}),
    ]
}


LISTED = f"self.layers = [{LINEAR} for _ in range(count)]\n"
BELOW = """
class Net(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.layers = [Head(4) for _ in range(n)]
        self.fc = nn.Linear(4, 2)

    def forward(self, x):
        return self.fc(sum(layer(x) for layer in self.layers))

class Head(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.inner = nn.{it}

    def forward(self, x):
        return self.inner(x)
"""
TWINS |= {
    "a class further down makes the layers": twin(BELOW, "Softmax(dim=1)", "Linear(width, 4)"),
    "what is made of the layers takes their place": twin(
        network(
            LISTED + "self.weights = nn.Parameter(torch.stack([each.weight for each in self.layers]))\n{it}",
            "def again(self, count, width):\n    self.layers = []",
        ),
        "del self.layers",
        "del self.head.bias",
    ),
    "a test chooses the class": (
        "layers-in-plain-list",
        LAYERED,
        _LINEAR | {"first": "kind(4, 4)", "layer": "kind(4, 4)", "then": "kind = nn.Linear if k else str"},
        _LINEAR | {"first": "kind(4, 4)", "layer": "kind(4, 4)", "then": "kind = nn.Linear if k else nn.Bilinear"},
    ),
    "a part is frozen whose layers are registered": twin(
        network(
            "self.blocks = nn.ModuleList([nn.Linear(4, 4)])\n" + LISTED,
            "def freeze(self):\n    for p in {it}.parameters():\n        p.requires_grad = False",
        ),
        "self.layers[0]",
        "self.blocks",
    ),
    "a state is read from a file": twin(
        network(LISTED, "def fill(self, state_dict):\n    self.head.weight.data.copy_({it}['head.weight'])"),
        "self.layers[0].state_dict()",
        "state_dict",
    ),
    "a network is given its layer": twin(
        network(
            "self.layers = [Residual(nn.{it}) for _ in range(count)]",
            before=(
                "class Residual(nn.Module):\n    def __init__(self, inner):\n        super().__init__()\n"
                "        self.inner = inner"
            ),
        ),
        "Identity()",
        "Linear(width, width)",
    ),
    "the network fills its weights": twin(
        network(LISTED + "for name, p in {it}:\n    nn.init.normal_(p)"),
        "self.layers[0].named_parameters()",
        "self.named_parameters()",
    ),
    "a part of the network is frozen": twin(
        network(LISTED + "for p in {it}.parameters():\n    p.requires_grad = False"), "self.layers[0]", "self.head"
    ),
    "the network has a part that it was given": twin(
        network(
            "self.trunk = width\n" + LISTED, "def free(self):\n    for p in {it}.parameters():\n        p.requires_grad = True"
        ),
        "self.layers[0]",
        "self.trunk",
    ),
    "copies are made elsewhere": twin(
        network(
            f"self.layers = copies({LINEAR}, count)",
            before="def copies(it, n):\n    return {it}([copy.deepcopy(it) for _ in range(n)])",
        ),
        "nn.ModuleList",
        "list",
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
