"""Ways in which people switch the modes of networks, each right: nothing is told of any, and without its switch the bug is."""

from __future__ import annotations

import pytest

from loopcheck import Confidence, packs
from loopcheck.check import check_source

HEAD = """
import contextlib, functools, torch
from torch import nn

enc = nn.Sequential(nn.Linear(4, 2), nn.Dropout(), nn.BatchNorm1d(2))
dec = nn.Sequential(nn.Linear(2, 4), nn.Dropout())
optimizer = torch.optim.SGD([*enc.parameters(), *dec.parameters()], lr=0.1)
"""
LOOP = """
for epoch in range(3):
    for x in train_loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(dec(enc(x)), x).backward()
        optimizer.step()
    print(test(val_loader))
"""
EVALUATION = """
def test(loader):
    with evaluating(enc, dec):
        return sum(nn.functional.mse_loss(dec(enc(x)), x).item() for x in loader)
"""
AROUND = """
@contextlib.contextmanager
def evaluating(*nets):
    was = {net: net.training for net in nets}
    for net in nets:
        net.eval()
    with torch.no_grad():
        yield
    for net, mode in was.items():
        net.train(mode)
"""
KEYS = AROUND.replace("for net in nets:", "for net in was:").replace(
    "for net, mode in was.items():\n        net.train(mode)", "for net in was.keys():\n        net.train(was[net])"
)
FILLED = AROUND.replace(
    "was = {net: net.training for net in nets}", "was = {}\n    for net in nets:\n        was[net] = net.training"
)
AT_LAST = AROUND.replace(
    """    with torch.no_grad():
        yield
    for net, mode in was.items():
        net.train(mode)
""",
    """    try:
        with torch.no_grad():
            yield
    finally:
        for net in nets:
            net.train()
""",
)
EARLY = """
def test(loader):
    try:
        with evaluating(enc, dec):
            error = 0
            for x in loader:
                error += nn.functional.mse_loss(dec(enc(x)), x).item()
                if error > 100:
                    return error
            return error
    finally:
        print("tested")
"""
NESTED = """
def test(loader):
    with evaluating(enc):
        with evaluating(dec):
            if loader is None:
                return 0
            else:
                return sum(nn.functional.mse_loss(dec(enc(x)), x).item() for x in loader)
"""
PRINTED = """
def test(loader):
    with evaluating(enc, dec):
        error = 0
        for x in loader:
            error += nn.functional.mse_loss(dec(enc(x)), x).item()
            if error > 100:
                return
        print(error)
"""
SOLVER = """
import torch
from torch import nn

class Solver:
    def __init__(self, net):
        self.net, self._training = net, True
        self.optimizer = torch.optim.Adam(net.parameters())

    @property
    def training(self):
        return self._training

    @training.setter
    def training(self, mode):
        self._training = mode
        if mode:
            self.net.train()
        else:
            self.net.eval()

    def iterate(self, loader):
        for x, y in loader:
            with torch.set_grad_enabled(self.training):
                loss = nn.functional.cross_entropy(self.net(x), y)
            if self.training:
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()

    def solve(self, train_loader, val_loader):
        for epoch in range(3):
            self.training = True
            self.iterate(train_loader)
            self.training = False
            self.iterate(val_loader)

Solver(nn.Sequential(nn.Linear(4, 2), nn.Dropout())).solve(train_loader, val_loader)
"""


@pytest.mark.parametrize(
    ("program", "line", "code"),
    [
        (HEAD + AROUND + EVALUATION + LOOP, "        net.eval()\n", "LC601"),  # modes are kept by their networks
        (HEAD + AROUND + EVALUATION + LOOP, "        net.train(mode)\n", "LC603"),
        (HEAD + KEYS + EVALUATION + LOOP, "        net.eval()\n", "LC601"),
        (HEAD + KEYS + EVALUATION + LOOP, "        net.train(was[net])\n", "LC603"),
        (HEAD + FILLED + EVALUATION + LOOP, "        net.eval()\n", "LC601"),
        (HEAD + FILLED + EVALUATION + LOOP, "        net.train(mode)\n", "LC603"),
        (HEAD + AT_LAST + EVALUATION + LOOP, "            net.train()\n", "LC603"),  # also where the body returns
        (HEAD + AT_LAST + EARLY + LOOP, "            net.train()\n", "LC603"),
        (HEAD + AT_LAST + NESTED + LOOP, "            net.train()\n", "LC603"),
        (HEAD + AT_LAST + NESTED + LOOP, "        net.eval()\n", "LC601"),
        (HEAD + AT_LAST + PRINTED + LOOP, "            net.train()\n", "LC603"),
        (HEAD + AROUND + PRINTED + LOOP, "        net.eval()\n", "LC601"),
        (SOLVER, "            self.net.eval()\n", "LC601"),  # what is assigned to a property runs
        (SOLVER, "            self.net.train()\n", "LC603"),
        (SOLVER, "                self.optimizer.zero_grad()\n", "LC103"),
    ],
)
def test_a_switch_that_is_missing_is_told_and_one_that_is_there_is_seen(program: str, line: str, code: str) -> None:
    assert line in program
    assert told(program) == set()
    assert told(program.replace(line, line[: -len(line.lstrip())] + "pass\n", 1)) == {code}


ATTRIBUTES = """
import torch
from torch import nn

class Trainer:
    def __init__(self):
        self.enc = nn.Sequential(nn.Linear(4, 2), nn.BatchNorm1d(2))
        self.dec = nn.Sequential(nn.Dropout(), nn.Linear(2, 4))
        self.rate, self.optimizer = 0.1, torch.optim.SGD([*self.enc.parameters(), *self.dec.parameters()], lr=0.1)

    def switch(self, mode):
        for held in vars(self).values():
            if isinstance(held, nn.Module):
                held.train(mode)

    def loss(self, x):
        return nn.functional.mse_loss(self.dec(self.enc(x)), x)

    def fit(self, train_loader, val_loader):
        for epoch in range(3):
            for x in train_loader:
                self.optimizer.zero_grad()
                self.loss(x).backward()
                self.optimizer.step()
            self.switch(False)
            with torch.no_grad():
                print(sum(self.loss(x).item() for x in val_loader))
            self.switch(True)

Trainer().fit(train_loader, val_loader)
"""
NAMED = ATTRIBUTES.replace("for held in vars(self).values()", "for name, held in self.__dict__.items()")
FLAGS = """
import torch
from torch import nn

net = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Dropout())
optimizer = torch.optim.Adam(net.parameters())
for epoch in range(3):
    for training, loader in ((1, train_loader), (0, val_loader)):
        net.train(bool(training))
        for x, y in loader:
            with torch.set_grad_enabled(bool(training)):
                loss = nn.functional.cross_entropy(net(x), y)
            if training:
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
"""


@pytest.mark.parametrize(
    ("program", "line", "code"),
    [
        (ATTRIBUTES, "            self.switch(False)\n", "LC601"),  # the networks among the attributes
        (ATTRIBUTES, "            self.switch(True)\n", "LC603"),
        (NAMED, "            self.switch(False)\n", "LC601"),
        (NAMED, "            self.switch(True)\n", "LC603"),
        (FLAGS, "        net.train(bool(training))\n", "LC601"),
    ],
)
def test_networks_among_other_things_and_flags_that_are_numbers(program: str, line: str, code: str) -> None:
    assert told(program) == set()
    assert told(program.replace(line, line[: -len(line.lstrip())] + "pass\n")) == {code}


ONE = """
import functools, torch
from torch import nn

model = nn.Sequential(nn.Linear(4, 2), nn.Dropout(), nn.BatchNorm1d(2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
"""
SCORE = """
def test(net, loader):
    {before}
    with torch.no_grad():
        hits = sum((net(x).argmax(1) == y).sum().item() for x, y in loader)
    {after}
    return hits

for epoch in range(3):
    for x, y in train_loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
    print(test(model, val_loader))
"""
TYPED = """
def switch(net, mode):
    for part in net.modules():
        if isinstance(part, (nn.Dropout, nn.BatchNorm1d)):
            part.train(mode)
"""
CALLED = """
def switch(net, mode):
    for name, part in net.named_modules():
        if name.startswith("bn") or "drop" in name:
            part.train() if mode else part.eval()
"""
FOUND = """
def layers(net):
    return [part for part in net.modules() if isinstance(part, (nn.Dropout, nn.BatchNorm1d))]
def switch(net, mode):
    for part in layers(net):
        part.train(mode)
"""
FILTERED = """
LAYERS = list(filter(lambda part: isinstance(part, (nn.Dropout, nn.BatchNorm1d)), model.modules()))
def switch(net, mode):
    [part.train(mode) for part in LAYERS]
"""
APPLIED = """
def set_mode(part, mode):
    part.training = mode
def switch(net, mode):
    net.apply(functools.partial(set_mode, mode=mode))
"""
HELPED = """
def set_mode(part, mode):
    part.training = mode
def switch(net, mode):
    net.apply(lambda part: set_mode(part, mode))
"""
KEPT = "was = {part: part.training for part in net.modules()}; net.eval()"
PUT_BACK = "[part.train(mode) for part, mode in was.items()]"


@pytest.mark.parametrize(
    ("helper", "before", "after"),
    [
        *((helper, "switch(net, False)", "switch(net, True)") for helper in (TYPED, CALLED, FOUND, FILTERED, APPLIED, HELPED)),
        ("", "net.apply(lambda part: part.eval())", "net.apply(lambda part: part.train())"),
        ("", KEPT, PUT_BACK),  # each layer keeps its mode
        ("", "net.eval() if net.training else None", "net.train()"),  # who asks for the mode puts it back
    ],
)
def test_what_is_done_to_layers_that_nobody_knows_may_be_done_to_any(helper: str, before: str, after: str) -> None:
    assert told(ONE + helper + SCORE.format(before=before, after=after)) == set()
    assert told(ONE + helper + SCORE.format(before="pass", after="pass")) == {"LC601"}


def test_calls_that_are_written_as_a_tuple_are_statements() -> None:
    program = ONE + SCORE.format(
        before="net.eval(), torch.set_grad_enabled(False)", after="net.train(), torch.set_grad_enabled(True)"
    ).replace("with torch.no_grad():", "if True:")
    assert told(program) == set()
    assert told(program.replace(", torch.set_grad_enabled(False)", "")) == {"LC602"}
    assert told(program.replace("net.eval(), ", "")) == {"LC601"}


def told(program: str) -> set[str]:
    compile(program, "train.py", "exec")
    report = check_source(program.encode(), "train.py", packs.rules())
    return {each.rule.code for each in report.findings if each.rule.group == "bug" and each.confidence is not Confidence.LOW}


FROZEN = """
import torch
from torch import nn

def freeze(part):
    if isinstance(part, nn.BatchNorm1d):
        part.eval()

net = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Dropout())
optimizer = torch.optim.Adam(net.parameters())
for epoch in range(3):
    net.train()
    net.apply(freeze)
    for x, y in train_loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        optimizer.step()
    net.eval()
    with torch.no_grad():
        print(sum((net(x).argmax(1) == y).sum().item() for x, y in val_loader))
"""


def test_layers_that_are_frozen_leave_the_mode_of_the_network_told() -> None:
    assert told(FROZEN) == set()
    assert told(FROZEN.replace("    net.eval()\n", "")) == {"LC601"}


BOTH = (
    HEAD
    + """
import itertools, operator, types
from collections import deque
{setup}
for epoch in range(3):
    for x in train_loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(dec(enc(x)), x).backward()
        optimizer.step()
    {before}
    with torch.no_grad():
        print(sum(nn.functional.mse_loss(dec(enc(x)), x).item() for x in val_loader))
    {after}
"""
)
EACH = "for net in {}: net.{}()"
COLLECTIONS = {
    "itertools.chain([enc], [dec])": "pass",
    "reversed([enc, dec])": "pass",
    "sorted([enc, dec], key=id)": "pass",
    "filter(None, [enc, None, dec])": "pass",
    "(net for net in (enc, None, dec) if net is not None)": "pass",
    "nets[:]": "nets = [enc, dec]",
    "deque([enc, dec])": "pass",
    "set([enc]) | set([dec])": "pass",
    "(globals()[name] for name in ('enc', 'dec'))": "pass",
    "vars(nets).values()": "nets = types.SimpleNamespace(enc=enc, dec=dec)",
    "both()": "def both(): yield from (enc, dec)",
}
IN_OTHER_WORDS = [
    ("nets = [enc, dec]", "for at in range(len(nets)): nets[at].{}()"),
    ("nets = {'enc': enc, 'dec': dec}", "for name in nets: nets[name].{}()"),
    ("pass", "list(map(nn.Module.{}, (enc, dec)))"),
    ("pass", "[*map(operator.methodcaller('{}'), (enc, dec))]"),
    ("pass", "nets = [enc, dec]\n    while nets: nets.pop().{}()"),
    ("pass", "for switch in (enc.{0}, dec.{0}): switch()"),
]


@pytest.mark.parametrize(
    ("setup", "each"), [*((setup, EACH.format(of, "{}")) for of, setup in COLLECTIONS.items()), *IN_OTHER_WORDS]
)
def test_what_is_handed_out_may_be_any_network(setup: str, each: str) -> None:
    assert told(BOTH.format(setup=setup, before=each.format("eval"), after=each.format("train"))) == set()
    assert told(BOTH.format(setup=setup, before="pass", after=each.format("train"))) == {"LC601"}
