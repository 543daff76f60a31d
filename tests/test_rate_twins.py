"""Schedules, optimizers and runs that go on, as people write them, each that is wrong beside its twin that is right."""

from __future__ import annotations

import pytest
from twins import Twin, told

TRAINED = """
for epoch in range(args.epochs):
    for x, y in LOADER:
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x), y).backward()
        optimizer.step()
    schedule.step()
"""
MADE = """
import numpy as np
from torch.optim import lr_scheduler

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=90)
parser.add_argument("--lr", type=float, default=0.1)
args = parser.parse_args()
net = nn.Linear(4, 2)
"""


def scheduled(table: str, rate: str, function: str) -> str:
    """A program that schedules by a function, of a table maybe."""
    made = f"optimizer = torch.optim.SGD(net.parameters(), lr={rate})\nschedule = lr_scheduler.LambdaLR(optimizer, {function})"
    return f"{MADE}{table}\n{made}{TRAINED}"


RATE = "lambda-returns-lr"
OF_TABLE = "lambda epoch: rates[epoch]"
METHOD = """
class Course:
    def __init__(self, lr):
        self.rates = {values}

    def given(self, epoch):
        return self.rates[min(epoch, len(self.rates) - 1)]

    def __call__(self, epoch):
        return self.rates[self.within(epoch)]

    def within(self, epoch):
        return min(epoch, len(self.rates) - 1)
"""
PIECES = """
def given(epoch):
    rate = 0.1
    if epoch >= {end}:
        rate {then}
    return rate
"""
OF_THREE = f"""{MADE}
parser.add_argument("--warmup", type=int, default=10)
late = int(args.epochs * 0.8)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
rising = lr_scheduler.LinearLR(optimizer, 0.05, total_iters=args.warmup)
falling = lr_scheduler.CosineAnnealingLR(optimizer, T_max={{length}})
last = lr_scheduler.LinearLR(optimizer, 1e-2, 1e-4, total_iters=args.epochs - late)
schedule = lr_scheduler.SequentialLR(optimizer, [rising, falling, last], milestones=[{{warmup}}, late])
{TRAINED}"""
GIVEN = 'add_param_group({"params": self.net.layers[0].parameters()})'
GROWING = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4)])
        self.last = nn.Linear(4, 2)

    def forward(self, x):
        for layer in self.layers:
            x = torch.relu(layer(x))
        return self.last(x)

    def grow(self):
        self.{grown}


class Trainer:
    def __init__(self):
        self.net = Net()
        self.optimizer = torch.optim.Adam(self.net.parameters())

    def grow(self):
        self.net.grow()
        {anew}


trainer = Trainer()
for stage in range(3):
    for x, y in LOADER:
        trainer.optimizer.zero_grad()
        nn.functional.mse_loss(trainer.net(x), y).backward()
        trainer.optimizer.step()
    trainer.grow()
"""
TWINS: dict[str, Twin] = {
    "a table of rates in a logarithmic space": (
        RATE,
        scheduled("rates = np.logspace({first}, -4, args.epochs)", "args.lr", OF_TABLE),
        {"first": "0"},
        {"first": "-1"},
    ),
    "a table of rates in a linear space": (
        RATE,
        scheduled("rates = torch.linspace({first}, 0, args.epochs)", "args.lr", "lambda epoch: rates[epoch].item()"),
        {"first": "1"},
        {"first": "args.lr"},
    ),
    "a table of rates in a geometric space, as a list": (
        RATE,
        scheduled("rates = np.geomspace(0.1, {last}, num=args.epochs).tolist()", "0.1", OF_TABLE),
        {"last": "1.0"},
        {"last": "1e-4"},
    ),
    "a table of rates of which the first is that of the optimizer": (
        RATE,
        scheduled("rates = list(np.load('rates.npy'))", "rates[0]", "lambda epoch: rates[epoch]{relative}"),
        {"relative": " / rates[0]"},
        {"relative": ""},
    ),
    "a table of rates that is written": (
        RATE,
        scheduled("rates = [{first}] * 30 + [0.05] * 30 + [0.01] * 30", "0.1", OF_TABLE),
        {"first": "1.0"},
        {"first": "0.1"},
    ),
    "a table of rates that is written many times over": (
        RATE,
        scheduled("rates = [0.1, {second}, 0.01, 0.005, 0.001] * 18", "0.1", OF_TABLE),
        {"second": "1.0"},
        {"second": "0.05"},
    ),
    "a table of rates that begins for long with the rate by chance": (
        RATE,
        scheduled("rates = [0.1] * 30 + [{then}] * 30", "0.1", OF_TABLE),
        {"then": "1.0"},
        {"then": "0.01"},
    ),
    "a table of rates that rise to 1, and are factors": (
        RATE,
        scheduled("rates = [0.1, 0.05, 0.01, 0.005, {last}]", "0.1", OF_TABLE),
        {"last": "1.0"},
        {"last": "0.001"},
    ),
    "a table of rates by the epoch that they begin with": (
        RATE,
        scheduled("rates = {{0: {first}, 30: 0.01, 60: 0.001}}", "0.1", "lambda epoch: rates[min(epoch // 30 * 30, 60)]"),
        {"first": "1.0"},
        {"first": "0.1"},
    ),
    "an entry under a name is of no table": (
        RATE,
        scheduled("shape = {{'first': 0.1, 'last': 0.01}}\nkeys = ['first'] * 30 + ['last']", "0.1", "lambda epoch: {entry}"),
        {"entry": "shape['first'] if epoch < 30 else shape['last']"},
        {"entry": "[0.1, 0.01][int(epoch >= 30)]"},
    ),
    "a table of rates in a function": (
        RATE,
        scheduled(
            "def given(epoch):\n    rates = [{first}, 0.01, 0.001]\n    return rates[min(epoch // 30, len(rates) - 1)]",
            "0.1",
            "given",
        ),
        {"first": "1.0"},
        {"first": "0.1"},
    ),
    "a table of rates that an object has": (
        RATE,
        scheduled(METHOD + "\ncourse = Course(args.lr)", "args.lr", "course"),
        {"values": "[1.0, 0.1, 0.01]"},
        {"values": "[lr, lr * 0.1, lr * 0.01]"},
    ),
    "a table of as many rates as there are epochs": (
        RATE,
        scheduled(METHOD + "\ncourse = Course(args.lr)", "args.lr", "course.given"),
        {"values": "np.linspace(1, 0, args.epochs)"},
        {"values": "np.linspace(lr, 0, args.epochs)"},
    ),
    "rates that are written in a function": (
        RATE,
        scheduled(PIECES, "0.1", "given"),
        {"end": "30", "then": "= 1.0"},
        {"end": "30", "then": "*= 0.1"},
    ),
    "rates that fall in the end": (
        RATE,
        scheduled(PIECES, "0.1", "given"),
        {"end": "700", "then": "= 1.0"},
        {"end": "700", "then": "*= 0.1"},
    ),
    "a factor that is the rate, and stays": (
        RATE,
        scheduled(PIECES, "0.1", "given"),
        {"end": "30", "then": "*= 1.0"},
        {"end": "30", "then": "*= 0.5"},
    ),
    "a formula that is a rate by chance": (
        RATE,
        scheduled("def given(epoch):\n    {name} = 0.1 * 0.95 ** epoch\n    return {name}\n", "0.1", "given"),
        {"name": "value"},
        {"name": "new_lr"},
    ),
    "a table of halves that begins with the rate by chance": (
        RATE,
        scheduled("rates = [{first}, {first} / 2, {first} / 4]", "{first}", "lambda epoch: rates[min(epoch // 30, 2)]"),
        {"first": "0.5"},
        {"first": "0.05"},
    ),
    "a rate that a setting chooses": (
        RATE,
        scheduled("rate = args.lr if args.epochs > 10 else {other}", "rate", "lambda epoch: rate{relative} * 0.9 ** epoch"),
        {"other": "0.1", "relative": " / rate"},
        {"other": "0.1", "relative": ""},
    ),
    "a rate that a setting may leave to the function": (
        RATE,
        scheduled("rate = args.lr if args.epochs > 10 else {other}", "rate", "lambda epoch: args.lr * 0.9 ** epoch"),
        {"other": "1.0"},
        {"other": "0.01"},
    ),
    "the second of three schedules": (
        "scheduler-length-mismatch",
        OF_THREE,
        {"length": "late - args.warmup", "warmup": "args.warmup"},
        {"length": "late", "warmup": "args.warmup"},
    ),
    "the second of three schedules, in numbers": (
        "scheduler-length-mismatch",
        OF_THREE.replace("args.warmup", "10").replace("{warmup}, late", "10, 72"),
        {"length": "62"},
        {"length": "72"},
    ),
    "the second of three schedules, where the first has no share": (
        "scheduler-length-mismatch",
        OF_THREE,
        {"length": "late", "warmup": "0"},
        {"length": "late", "warmup": "args.warmup"},
    ),
    "a layer that a network grows by": (
        "layer-replaced-after-optimizer",
        GROWING,
        {"grown": "layers.append(nn.Linear(4, 4))", "anew": "self.optimizer = torch.optim.Adam(self.net.parameters())"},
        {"grown": "layers.append(nn.Linear(4, 4))", "anew": "pass"},
    ),
    "a layer that a network grows by, and that an optimizer is given": (
        "layer-replaced-after-optimizer",
        GROWING,
        {"grown": "layers.insert(0, nn.Linear(4, 4))", "anew": f"self.optimizer.{GIVEN}"},
        {"grown": "layers.insert(0, nn.Linear(4, 4))", "anew": "pass"},
    ),
    "a layer without weights that a network grows by": (
        "layer-replaced-after-optimizer",
        GROWING,
        {"grown": "layers.extend([nn.ReLU()])", "anew": "pass"},
        {"grown": "layers.extend([nn.Linear(4, 4)])", "anew": "pass"},
    ),
    "a layer that the optimizer has already": (
        "layer-replaced-after-optimizer",
        """
head, other = nn.Linear(4, 2), nn.Linear(4, 2)
net = nn.Sequential(nn.Linear(4, 4))
optimizer = torch.optim.Adam([*net.parameters(), *{taken}.parameters()])
net.append(head)
for x, y in LOADER:
    optimizer.zero_grad()
    nn.functional.mse_loss(net(x), y).backward()
    optimizer.step()
""",
        {"taken": "head"},
        {"taken": "other"},
    ),
    "a rate by default": (
        RATE,
        scheduled("def given(epoch, base={base}):\n    return base * 0.5 ** (epoch // 10)", "args.lr", "given"),
        {"base": "1.0"},
        {"base": "args.lr"},
    ),
    "a rate that is halved again and again": (
        RATE,
        scheduled(
            "def given(epoch):\n    value = {base}\n    for _ in range(epoch // 2):\n        value *= 0.5\n    return value",
            "args.lr",
            "given",
        ),
        {"base": "1.0"},
        {"base": "args.lr"},
    ),
    "a rate that is divided by itself on a later pass": (
        RATE,
        scheduled(
            "def given(epoch):\n    value = args.lr\n    for _ in range({passes}):\n        value /= args.lr\n    return value",
            "args.lr",
            "given",
        ),
        {"passes": "1"},
        {"passes": "0"},
    ),
}


@pytest.mark.parametrize("twin", TWINS.values(), ids=TWINS.keys())
def test_of_these_twins_the_wrong_one_is_told(twin: Twin) -> None:
    assert told(twin) == (False, True)
