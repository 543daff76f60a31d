"""Which layers a network is told to hide: not those of a branch that a variable of its constructor switches off for good."""

from __future__ import annotations

import pytest

from loopcheck import packs
from loopcheck.check import check_source
from loopcheck.read.front.source import Source
from loopcheck.read.program import Reader
from loopcheck.read.triage import worth_reading

TRAINED = """

def main(loader):
    net = Net(3)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for x in loader:
        optimizer.zero_grad()
        net(x).mean().backward()
        optimizer.step()
"""
PROGRAM = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, n, given=False):
        super().__init__()
        {flag}
        if {test}:
            self.layers = {{}}
            for i in range(n):
                self.layers[i] = nn.Linear(4, 4)
        else:
            self.layers = nn.Linear(4, 4)

    def forward(self, x):
        return self.layers(x)

"""


def told(flag: str, test: str) -> bool:
    rules = [rule for rule in packs.rules() if rule.code == "LC405"]
    return bool(check_source((PROGRAM.format(flag=flag, test=test) + TRAINED).encode(), "train.py", rules).findings)


@pytest.mark.parametrize(
    ("flag", "test", "comes"),
    [
        ("split = False", "split", False),
        ("split = True", "not split", False),
        ("split = True", "split", True),
        ("split = n > 1", "split", True),
        ("split = False; split = n > 1", "split", True),
        ("pass", "given", True),
        ("for _ in range(n): given = False", "given", True),
    ],
)
def test_layers_are_hidden_where_the_constructor_may_come(flag: str, test: str, comes: bool) -> None:
    assert told(flag, test) is comes


STACK = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.layers = [nn.TransformerEncoderLayer(8, 2) for _ in range(n)]
        {made}

    def forward(self, x):
        return {applied}

{behind}
"""
AGAIN = "class Net(nn.Module):\n    def __init__(self, n):\n        super().__init__()\n        self.layer = nn.Linear(8, 8)\n"
STACKED = "self.stack = nn.TransformerEncoder(self.layers[0], 3)"


@pytest.mark.parametrize(
    ("made", "applied", "behind", "hidden"),
    [
        ("self.head = nn.Linear(8, 8)", "self.layers[0](self.head(x))", "", True),
        (STACKED, "self.stack(x) + self.layers[0](x)", "", False),  # it has copies of them
        ("self.head = nn.Linear(8, 8)", "self.head(x)", "", False),
        ("self.head = nn.Linear(8, 8)", "self.layers[0](self.head(x))", AGAIN, False),
    ],
)
def test_layers_are_hidden_where_the_network_that_is_made_applies_them(
    made: str, applied: str, behind: str, hidden: bool
) -> None:
    rules = [rule for rule in packs.rules() if rule.code == "LC405"]
    text = STACK.format(made=made, applied=applied, behind=behind) + TRAINED
    assert bool(check_source(text.encode(), "train.py", rules).findings) is hidden


@pytest.mark.parametrize(
    ("made", "instead"),
    [
        ("nn.Linear(4, 4)", "nn.ModuleList([])"),
        ("nn.Parameter(torch.zeros(4))", "nn.ParameterList([])"),
        ("nn.Parameter(torch.zeros(4)).cuda()", "nn.ParameterList([])"),
    ],
)
def test_parameters_by_themselves_go_into_a_list_of_parameters(made: str, instead: str) -> None:
    program = f"""\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, count):
        super().__init__()
        self.parts = []
        for number in range(count):
            self.parts.append({made})

    def forward(self, x):
        return sum(x @ part for part in self.parts)
"""
    found = check_source((program + TRAINED).encode(), "train.py", packs.rules()).findings
    (repair,) = [each.repair for each in found if each.rule.name == "layers-in-plain-list"]
    assert repair is not None
    assert [edit.content for edit in repair.edits] == [instead]


NETWORK = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.layers = {layers}
        self.fc = nn.Linear(4, 2)

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return self.fc(x)


{below}
"""
BLOCK = """\
class Block(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.inner = nn.Linear(n, n)
"""
COPIES = """\
from copy import deepcopy


def copies(layer, n):
    return [deepcopy(layer) for _ in range(n)]
"""
PILE = """\
def stack(n):
    parts = []
    parts += [nn.Linear(n, n)]
    parts += [nn.ReLU()]
    return nn.Sequential(*parts)
"""
SCALE = """\
class Scale(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(n))
"""


@pytest.mark.parametrize(
    ("layers", "below"),
    [
        ("[nn.Linear(4, 4) if n > 2 else nn.ReLU() for _ in range(n)]", ""),
        ("[nn.DataParallel(nn.ReLU()) for _ in range(n)]", ""),
        ("[nn.Parameter(torch.ones(4), requires_grad=False) for _ in range(n)]", ""),
        ("[Scale(4) for _ in range(n)]", SCALE.replace("(n))", "(n), requires_grad=False)")),
    ],
)
def test_what_may_learn_nothing_is_not_hidden(layers: str, below: str) -> None:
    source = NETWORK.format(layers=layers, below=below).encode()
    rules = [rule for rule in packs.rules() if rule.code == "LC405"]
    assert not check_source(source, "net.py", rules).findings


@pytest.mark.parametrize(
    ("layers", "below"),
    [
        ("[Block(4) for _ in range(n)]", BLOCK),
        ("[\n            nn.Linear(4, 4)\n            for _ in range(n)\n        ]", ""),
        ("[make(4) for _ in range(n)]", "def make(n):\n    return nn.Linear(n, n)\n"),
        ("{i: nn.Linear(4, 4) for i in range(n)}", ""),
        ("copies(nn.Linear(4, 4), n)", COPIES),
        ("[nn.Linear(4, 4) if n > 2 else nn.Bilinear(4, 4, 4) for _ in range(n)]", ""),
        ("[nn.DataParallel(nn.Linear(4, 4)) for _ in range(n)]", ""),
        ("[stack(4) for _ in range(n)]", PILE),
        ("[Scale(4) for _ in range(n)]", SCALE),
        ("[nn.Parameter(torch.ones(4), requires_grad=True) for _ in range(n)]", ""),
    ],
)
def test_a_file_of_networks_alone_is_read(layers: str, below: str) -> None:
    """Nothing in it speaks of training; another file does that."""
    source = NETWORK.format(layers=layers, below=below).encode()
    rules = [rule for rule in packs.rules() if rule.code == "LC405"]
    assert worth_reading(source)
    assert check_source(source, "net.py", rules).findings


def test_what_registers_the_functions_of_such_a_file_is_not_asked() -> None:
    """`@register_model` stands before each of dozens of functions, and to call it takes longer than all the rest."""
    registered = "names = [None]\n\n\ndef register(f):\n    names.append(f)\n\n\n@register\ndef small():\n    return Net(2)\n"
    source = Source.parse("net.py", NETWORK.format(layers="[nn.Linear(4, 4) for _ in range(n)]", below=registered).encode())
    assert ("net.py", "register") not in Reader(source).program().reached
