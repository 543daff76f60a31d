"""Which layers differ between train and eval mode: both judges know it of every layer of torch, with and without its options."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from torch import nn
from worth import read

from loopcheck import packs
from loopcheck.api import MODED, OWN_STATISTICS
from loopcheck.check import check_source
from loopcheck.loop import events
from loopcheck.record.cast import _moded

SIZES = ["", "4", "4, 4", "4, 4, 1"]


def made(code: str) -> nn.Module | None:
    """What the code makes; None where that is no layer, or it lacks an argument."""
    try:
        module = eval(code, {"nn": nn})
    except (TypeError, ValueError, AssertionError):
        return None
    return module if isinstance(module, nn.Module) and not isinstance(module, nn.DataParallel) else None


def layers() -> Iterator[str]:
    """Every layer of torch, as it is made with as little as it needs; those that may differ with their option on and off."""
    for name, each in vars(nn).items():
        if isinstance(each, type) and issubclass(each, nn.Module) and not name.endswith("Loss"):
            plain = next((code for sizes in SIZES if made(code := f"nn.{name}({sizes})")), None)
            if plain is not None:
                yield plain
                if name in MODED:
                    joint = "" if plain.endswith("()") else ", "
                    yield from (f"{plain[:-1]}{joint}{MODED[name].option}={worth})" for worth in (0.0, 0.5))


def by_place(name: str) -> str | None:
    """A layer with its option given by its place, on where it is off by itself."""
    mode = MODED[name]
    for before in range(mode.place):
        given = ["4"] * before + ["False"] * (mode.place - before)
        code = f"nn.{name}({', '.join([*given, '0.0' if mode.default else '0.5'])})"
        if (module := made(code)) is not None and bool(getattr(module, mode.option, None)) is not bool(mode.default):
            return code
    return None


@pytest.mark.parametrize("code", [*layers(), *(code for name in MODED if (code := by_place(name)))])
def test_judges_agree(code: str) -> None:
    _, program = read(f"from torch import nn\n\nnet = {code}\nnet.eval()\n")
    (told,) = [event.facts.get("moded") for event in events(program.entries[0].body) if event.verb == "evaluate"]
    module = made(code)
    assert module is not None
    in_doubt = MODED.get(type(module).__name__) is OWN_STATISTICS and _moded(module)  # it may be meant so
    assert told is (None if in_doubt else _moded(module))


CHOSEN = """\
import functools
from torch import nn
from torchvision import models
from settings import options


def norm_of(name):
    if name == "batch":
        return functools.partial(nn.BatchNorm1d, affine=True)
    return functools.partial(nn.InstanceNorm1d, affine=False)


class Block(nn.Module):
    def __init__(self, width, norm_layer, drops=False):
        super().__init__()
        layers = [nn.Conv1d(width, width, 3), norm_layer(width)]
        if drops:
            layers += [nn.Dropout(0.5)]
        self.layers = nn.Sequential(*layers)


class Network(nn.Module):
    def __init__(self, width, norm_layer=nn.BatchNorm1d):
        super().__init__()
        self.block = Block(width, norm_layer)


class Either(nn.Module):
    def __init__(self, width, deep):
        super().__init__()
        self.body = models.resnet18() if deep else models.vit_b_16()
        self.last = nn.Linear(1000, width)

    def forward(self, x):
        return self.last(self.body(x))


"""


@pytest.mark.parametrize(
    ("made", "moded"),
    [
        ("Network(8)", True),
        ("Block(8, nn.Identity, drops=True)", True),
        ("Network(8, norm_of(options.norm))", None),
        ("Either(8, options.deep)", None),
        ("Either(8, False)", False),
    ],
)
def test_layers_that_an_option_chooses(made: str, moded: bool | None) -> None:
    _, program = read(f"{CHOSEN}net = {made}\nnet.eval()\n")
    (told,) = [event.facts.get("moded") for event in events(program.entries[0].body) if event.verb == "evaluate"]
    assert told is moded


LAYERS = """\
import copy
from collections import OrderedDict

import torch
from torch import nn


def chain(sizes, normalized=False):
    layers = []
    for size in sizes:
        layer = nn.Conv2d(size, size, 3)
        if normalized:
            layers += [layer, nn.BatchNorm2d(size)]
        else:
            layers += [layer, nn.ReLU()]
    return layers


class Net(nn.Module):
    def __init__(self, base):
        super().__init__()
        self.base = nn.ModuleList(base)

    @classmethod
    def read(cls, file):
        net = cls(chain([4, 8]{flag}))
        if not file:
            raise ValueError(file)
        net.load_state_dict(OrderedDict(torch.load(file)))
        return net

    def forward(self, x, y=None):
        for layer in self.base:
            x = layer(x)
        return x if y is None else nn.CrossEntropyLoss()(x, y)


net = Net.read("net.pt")
net.eval()
"""


@pytest.mark.parametrize(("flag", "moded"), [("", False), (", normalized=False", False), (", normalized=True", True)])
def test_what_a_network_is_handed_is_known_where_its_maker_is(flag: str, moded: bool) -> None:
    _, program = read(LAYERS.replace("{flag}", flag))
    assert [event.facts.get("moded") for event in events(program.entries[0].body) if event.verb == "evaluate"] == [moded]


WRAPPED = """\
import torch
from torch import nn


class Boxes:
    def __call__(self, x):
        return x.clamp(0, 1)


class FocalLoss(nn.Module):
    def forward(self, p, t):
        return ((Boxes()(p) - t) ** 2).mean()


class ModelWithLoss(nn.Module):
    def __init__(self, model):
        super().__init__()
        self.criterion = FocalLoss()
        self.model = model

    def forward(self, x, t):
        return self.criterion(self.model(x), t)


def val(loss_fn, loader):
    with torch.no_grad():
        return sum(loss_fn(x, t).item() for x, t in loader)


def train(loader, val_loader):
    model = nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.5), nn.Linear(4, 1))
    loss_fn = ModelWithLoss(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(3):
        model.train()
        for x, t in loader:
            optimizer.zero_grad()
            loss_fn(x, t).backward()
            optimizer.step()
        model.eval()
        print(val(loss_fn, val_loader))
"""


def test_a_criterion_that_makes_what_has_no_layers_has_no_modes() -> None:
    rules = [rule for rule in packs.rules() if rule.code == "LC601"]
    assert not check_source(WRAPPED.encode(), "train.py", rules).findings
    assert check_source(WRAPPED.replace("        model.eval()\n", "").encode(), "train.py", rules).findings


@pytest.mark.parametrize(("hub", "moded"), [("pytorch/vision", True), ("pytorch/vision:v0.10.0", True), ("someone/nets", None)])
def test_a_hub_has_what_torchvision_makes(hub: str, moded: bool | None) -> None:
    _, program = read(f'import torch\n\nnet = torch.hub.load("{hub}", "resnet18")\nnet.eval()\n')
    assert [event.facts.get("moded") for event in events(program.entries[0].body) if event.verb == "evaluate"] == [moded]


PHASES = """\
import torch
from torch import nn


def make(width):
    return nn.Sequential(nn.Linear(8, 8), nn.BatchNorm1d(8), nn.Linear(8, width))


def warm_up(net, generator, optimizer):
    net.train()
    for _ in range(10):
        optimizer.zero_grad()
        x = generator(torch.randn(4, 8))
        print(net(x).mean().item())
        x.pow(2).mean().backward()
        optimizer.step()


def fit(net, optimizer, batches):
    net.train()
    for x, y in batches:
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        optimizer.step()


def test(net, loader):
    net.eval()
    with torch.no_grad():
        print(sum((net(x).argmax(1) == y).sum().item() for x, y in loader))


def main(args, loader, held):
    if args.warm:
        for _ in range(3):
            generator = nn.Linear(8, 8)
            if args.data == "small":
                net = make(10)
                optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
            for epoch in range(9):
                warm_up(net, generator, torch.optim.Adam(generator.parameters()))
                test(net, held)
    if args.late:
        if args.data == "small":
            net = make(10)
            optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        for epoch in range(9, 20):
            fit(net, optimizer, loader)
            test(net, held)
"""


def test_one_of_two_networks_is_trained_on_where_it_is_applied() -> None:
    rules = [rule for rule in packs.rules() if rule.code == "LC603"]
    assert not check_source(PHASES.encode(), "train.py", rules).findings
    forgotten = PHASES.replace("    net.train()\n    for x, y", "    for x, y")
    assert check_source(forgotten.encode(), "train.py", rules).findings


OFF = """\
from torch import nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(8, 8), {layer})

    def forward(self, x):
        return self.layers(x)


net = Block()
net.eval()
"""


@pytest.mark.parametrize(
    ("layer", "moded"),
    [
        ("nn.Dropout(0.0)", False),
        ("nn.Dropout(0)", False),
        ("nn.Dropout(p=0.0)", False),
        ("nn.Dropout(0.1)", True),
        ("nn.Dropout()", True),
    ],
)
def test_a_layer_that_drops_nothing_has_no_modes_however_that_is_written(layer: str, moded: bool) -> None:
    _, program = read(OFF.replace("{layer}", layer))
    assert [event.facts.get("moded") for event in events(program.entries[0].body) if event.verb == "evaluate"] == [moded]


OUTCOME = """\
from dataclasses import dataclass

from torch import nn
from torch.nn import functional as F


@dataclass
class Settings:
    width: int = 8
    dropout: float = 0.0


class Layer(nn.Module):
    def __init__(self, width, dropout=None):
        super().__init__()
        self.linear = nn.Linear(width, width)
        self.dropout = dropout

    def forward(self, x):
        x = self.linear(x)
        if self.dropout is not None:
            x = F.dropout(x, self.dropout, self.training)
        return x


class Network(nn.Module):
    def __init__(self, dropout=0.0):
        super().__init__()
        settings = Settings(dropout=dropout)
        self.layer = Layer(settings.width{share})
        self.drop = nn.Dropout(settings.dropout)

    def forward(self, x):
        return {applied}


net = Network({given})
net.eval()
"""


@pytest.mark.parametrize(
    ("share", "applied", "given", "moded"),
    [
        ("", "self.drop(self.layer(x))", "", False),
        ("", "self.drop(self.layer(x))", "0.1", True),
        (", 0.1", "self.drop(self.layer(x))", "", True),
        ("", "F.dropout(self.layer(x), 0.1, self.training)", "", True),
    ],
)
def test_what_a_constructor_says_is_what_has_come_of_it(share: str, applied: str, given: str, moded: bool) -> None:
    text = OUTCOME.replace("{share}", share).replace("{applied}", applied).replace("{given}", given)
    _, program = read(text)
    assert [event.facts.get("moded") for event in events(program.entries[0].body) if event.verb == "evaluate"] == [moded]


GROWN = """
import torch
from torch import nn
from torch.nn import functional as F

from sizes import width


class Inner(nn.Module):
    def __init__(self, dropout):
        super().__init__()
        self.linear, self.drop = nn.Linear(8, 8), nn.Dropout(dropout)

    def forward(self, x):
        return self.drop(self.linear(x))


class Block(nn.Module):
    def __init__(self, inner, dropout=None):
        super().__init__()
        self.width = width()
        self.layers = nn.Sequential()
        {grown}
        self.dropout = dropout

    def forward(self, x):
        x = self.layers(x)
        if self.dropout is not None:
            x = F.dropout(x, self.dropout, self.training)
        return x{and_more}


net = Block({given})
net.eval()
"""


@pytest.mark.parametrize(
    ("grown", "given", "and_more", "moded"),
    [
        ("self.layers.add_module('inner', inner)", "Inner(0.0)", "", False),
        ("self.layers.add_module('inner', inner)", "Inner(0.1)", "", True),
        ("self.layers.append(inner)", "Inner(0.1)", "", True),
        ("self.layers.add_module('inner', inner)", "Inner(0.0), 0.1", "", True),
        ("self.layers.add_module('inner', inner)", "Inner(0.0)", " + self.width(x)", True),
        ("self.add_module('inner', inner)", "Inner(0.0)", "", True),
    ],
)
def test_what_a_container_gets_by_name_is_a_layer_of_it(grown: str, given: str, and_more: str, moded: bool) -> None:
    text = GROWN.replace("{grown}", grown).replace("{given}", given).replace("{and_more}", and_more)
    _, program = read(text)
    assert [event.facts.get("moded") for event in events(program.entries[0].body) if event.verb == "evaluate"] == [moded]


SCORED = """
import torch
from torch import nn
from torch.utils.data import DataLoader


def test(kind, model: nn.Module, test_loader: DataLoader):
    model.eval()
    if kind == "accuracy":
        for x, y in test_loader:
            print((model(x).argmax(1) == y).sum())
    {otherwise}
        for x, y in test_loader:
            print(nn.functional.cross_entropy(model(x), y).item())
"""


@pytest.mark.parametrize(("otherwise", "count"), [("else:", 2), ("elif kind == 'loss':", 2), ("", 1)])
def test_a_pass_in_the_other_arm_of_an_if_is_one_of_its_own(otherwise: str, count: int) -> None:
    text = SCORED.format(otherwise=otherwise) if otherwise else SCORED.replace("\n    {otherwise}", "")
    report = check_source(text.encode(), "score.py", packs.rules())
    assert [each.rule.code for each in report.findings] == ["LC602"] * count


SHARED = """
import torch
from torch import nn
from torch.utils.data import DataLoader

def apply(net, x):
    return net(x)

def validate(net: nn.Module, loader):
    net.eval()
    for x, y in loader:
        print(apply(net, x).argmax(1))

def fit(net: nn.Module, train_loader: DataLoader, val_loader: DataLoader, verbose):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(3):
        net.train()
        for x, y in train_loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(apply(net, x), y).backward()
            optimizer.step()
        if verbose:
            validate(net, val_loader)

def report(net: nn.Module, val_loader: DataLoader):
    validate(net, val_loader)
"""


def test_a_pass_is_one_whoever_calls_it_under_whatever_test() -> None:
    report = check_source(SHARED.encode(), "fit.py", [rule for rule in packs.rules() if rule.code == "LC602"])
    assert len(report.findings) == 1


HANDED_ON = """
import torch
from torch import nn
from torch.nn import functional as F
from somewhere import options

class Stack(nn.Module):
    def __init__(self, dim, dropout=0.0, batch_norm=False):
        super().__init__()
        layers = [nn.Linear(dim, dim)]
        if batch_norm:
            layers.append(nn.BatchNorm1d(dim))
        {inner}
        self.layers = nn.Sequential(*layers)

    def forward(self, x):
        return self.layers(x)


class Whole(nn.Module):
    def __init__(self, dim, dropout=0.0, batch_norm=False):
        super().__init__()
        self.stack = Stack(dim, dropout=dropout, batch_norm=batch_norm)
        self.share = dropout

    def forward(self, x):
        return {outer}


net = Whole({given})
net.eval()
"""
DROPPED = "if dropout > 0: layers.append(nn.Dropout(dropout))"


@pytest.mark.parametrize(
    ("inner", "outer", "given", "moded"),
    [
        (DROPPED, "self.stack(x)", "**options", None),
        (DROPPED, "self.stack(x)", "4, dropout=options.share", None),
        (DROPPED, "self.stack(x)", "4, dropout=0.1", True),
        (DROPPED, "self.stack(x)", "4", False),
        ("layers.append(nn.Dropout(dropout))", "self.stack(x)", "**options", True),
        (DROPPED, "F.dropout(self.stack(x), self.share, self.training)", "**options", True),
    ],
)
def test_an_option_that_is_handed_on_makes_no_layer_by_itself(inner: str, outer: str, given: str, moded: bool | None) -> None:
    _, program = read(HANDED_ON.format(inner=inner, outer=outer, given=given))
    assert [event.facts.get("moded") for event in events(program.entries[0].body) if event.verb == "evaluate"] == [moded]


BOTH = """
import torch
from torch import nn
from torch.utils.data import DataLoader

class Trainer:
    def __init__(self, net: nn.Module, loader: DataLoader, val_loader: DataLoader):
        self.net, self.loader, self.val_loader = net, loader, val_loader
        self.optimizer = torch.optim.SGD(net.parameters(), lr=0.1)

    def iteration(self, x, y, training=True):
        loss = nn.functional.cross_entropy(self.net(x), y)
        if training:
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
        return loss.item()

    def run(self, in_both):
        for epoch in range(3):
            self.net.train()
            for x, y in self.loader:
                self.iteration(x, y)
            {first}
                {evaluates}
                for x, y in self.val_loader:
                    self.iteration(x, y, training=False)
                {between}
                    self.net.train()
                    for x, y in self.val_loader:
                        self.iteration(x, y, training=False)
"""
NO_GRAD = "with torch.no_grad():"


@pytest.mark.parametrize(
    ("first", "evaluates", "between", "count"),
    [
        (NO_GRAD, "self.net.eval()", "if in_both:", 0),
        (NO_GRAD, "self.net.eval()", "if True:", 0),
        (NO_GRAD, "self.net.eval()", NO_GRAD, 1),  # another scope: whoever ends the evaluation may have put it back
        (NO_GRAD, "pass", "if in_both:", 2),
        ("if True:", "self.net.eval()", "if in_both:", 1),
    ],
)
def test_who_evaluates_in_eval_mode_and_at_once_in_train_mode_wants_both(
    first: str, evaluates: str, between: str, count: int
) -> None:
    text = BOTH.format(first=first, evaluates=evaluates, between=between)
    report = check_source(text.encode(), "fit.py", [rule for rule in packs.rules() if rule.code == "LC601"])
    assert len(report.findings) == count


DROPS = """
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader

class Net(nn.Module):
    def __init__(self, share=0.0):
        super().__init__()
        self.share = share
        self.last = nn.Linear(4, 2)

    def forward(self, x):
        return self.last(F.dropout(x, {told}))

net = Net(**torch.load("options.pt"))
net.load_state_dict(torch.load("net.pt"))
{then}
with torch.no_grad():
    for x in DataLoader(torch.load("data.pt")):
        print(net(x).argmax(1))
"""


@pytest.mark.parametrize(
    ("told", "then", "found"),
    [
        ("self.share, self.training", "", True),
        ("self.share", "", False),  # it drops in eval mode, too: `eval()` would change nothing
    ],
)
def test_a_network_whose_mode_changes_nothing_or_is_asked_for(told: str, then: str, found: bool) -> None:
    report = check_source(DROPS.format(told=told, then=then).encode(), "train.py", packs.rules())
    assert any(each.rule.name == "missing-eval-mode" for each in report.findings) is found


SEVERAL = """
import torch
from torch import nn
from torch.utils.data import DataLoader

def test(nets, loader, count):
    {mode}
    right = 0
    with torch.no_grad():
        for x, y in loader:
            for net in nets:
                right += (net(x).argmax(1) == y).sum().item()
    return right

def main(train, held_out, count):
    nets = []
    for number in range(count):
        nets.append(nn.Sequential(nn.Linear(4, 2), nn.Dropout()))
    optimizers = [torch.optim.SGD(net.parameters(), lr=0.1) for net in nets]
    for epoch in range(9):
        for number in range(count):
            nets[number].train()
        for x, y in DataLoader(train, shuffle=True):
            for net, optimizer in zip(nets, optimizers):
                optimizer.zero_grad()
                nn.functional.cross_entropy(net(x), y).backward()
                optimizer.step()
        test(nets, DataLoader(held_out), count)
"""


@pytest.mark.parametrize(("mode", "found"), [("for n in range(count): nets[n].eval()", False), ("pass", True)])
def test_networks_of_a_list_are_put_into_a_mode_by_their_numbers(mode: str, found: bool) -> None:
    report = check_source(SEVERAL.format(mode=mode).encode(), "train.py", packs.rules())
    assert [each.rule.name for each in report.findings if each.rule.group == "bug"] == ["missing-eval-mode"] * found


COMES_IN_EVAL = """
import torch
from torch import nn
from torch.utils.data import DataLoader
from transformers import BertModel

class Classifier(nn.Module):
    def __init__(self, encoder, head):
        super().__init__()
        self.encoder = encoder
        self.head = head

    def forward(self, x):
        return self.head(self.encoder(x)[1])

encoder = BertModel.from_pretrained("bert-base-uncased")
net = Classifier(encoder, nn.Sequential(nn.Linear(768, 2), nn.Dropout({share})))
optimizer = torch.optim.Adam(net.head.parameters())
for epoch in range(3):
    {mode}
    for x, y in DataLoader(torch.load("train.pt"), shuffle=True):
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        optimizer.step()
    with torch.no_grad():
        for x, y in DataLoader(torch.load("held_out.pt")):
            print((net(x).argmax(1) == y).sum().item())
"""


@pytest.mark.parametrize(
    ("share", "mode", "found"),
    [
        ("0.0", "pass", False),
        ("0.1", "pass", True),
        ("0.0", "net.train()", True),
        ("0.0", "for line in open('counts.txt'): print(eval(line))", False),
        ("0.0", "for line in open('counts.txt'): print(evaluate(line))", True),
    ],
)
def test_a_part_that_comes_with_weights_is_in_eval_mode(share: str, mode: str, found: bool) -> None:
    """A whole in train mode is no other than in eval mode where all that differs in it is in that already; Python's own `eval`
    switches nothing."""
    report = check_source(COMES_IN_EVAL.format(share=share, mode=mode).encode(), "train.py", packs.rules())
    assert any(each.rule.name == "missing-eval-mode" for each in report.findings) is found


SHARES = """
import torch
from torch import nn
from torch.utils.data import DataLoader

class Net(nn.Module):
    def __init__(self, shares):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4), nn.Linear(4, 4)])
        self.drops = nn.ModuleList([nn.Dropout(p=share) for share in shares])

    def forward(self, x):
        for layer, drop in zip(self.layers, self.drops):
            x = drop(layer(x))
        return x

net = Net({shares})
net.load_state_dict(torch.load("net.pt"))
with torch.no_grad():
    for x in DataLoader(torch.load("data.pt")):
        print(net(x).argmax(1))
"""


@pytest.mark.parametrize(("shares", "found"), [("[0.0] * 2", False), ("2 * [0.0]", False), ("[0.1] * 2", True)])
def test_a_list_of_numbers_that_is_repeated_is_known(shares: str, found: bool) -> None:
    report = check_source(SHARES.format(shares=shares).encode(), "train.py", packs.rules())
    assert any(each.rule.name == "missing-eval-mode" for each in report.findings) is found
