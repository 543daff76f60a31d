"""How optimizers and schedules are stepped, divided among processes and gone on with, each beside its twin that is right."""

from __future__ import annotations

from pathlib import Path

import pytest
from twins import Twin, told

from loopcheck import packs
from loopcheck.check import check_file

BATCHES = """
    for x, y in LOADER:
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x), y).backward()
        optimizer.step()"""
FACTORS = f"""
from torch.optim import lr_scheduler

parser = argparse.ArgumentParser()
parser.add_argument("--lr", type=float, default=0.01)
args = parser.parse_args()
RATE = GAMMA = 0.1
net = nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr={{rate}})
schedule = lr_scheduler.{{cls}}(optimizer, lambda epoch: {{factor}})
for epoch in range(30):{BATCHES}
    schedule.step()
"""
WARMS = f"""
from torch.optim import lr_scheduler


class Warm(lr_scheduler.LRScheduler):
    def get_lr(self):
        return [rate * min(1, (self.last_epoch + 1) / 5) for rate in self.base_lrs]

    def step(self, epoch=None):
        super().step(epoch)


net = nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
schedule = Warm(optimizer)
for epoch in range(30):
    schedule.step({{told}}){BATCHES}
"""
OF_ITS_OWN = """
from torch import optim
from torch.optim import lr_scheduler

parser = argparse.ArgumentParser()
parser.add_argument("--optimizer", default="adam")
args = parser.parse_args()


def make_optimizer(net):
    options = {{"lr": 0.01}}
    if args.optimizer == "sgd":
        cls = optim.SGD
        options["momentum"] = 0.9
    elif args.optimizer == "adam":
        cls = {other}
        options["eps"] = 1e-6

    class Scheduled(cls):
        def __init__(self, *given, **named):
            super().__init__(*given, **named)

        def plan(self):
            self.schedule = lr_scheduler.StepLR(self, 10)

        def next_epoch(self):
            self.schedule.step()

    made = Scheduled(net.parameters(), **options)
    made.plan()
    return made


net = nn.Linear(4, 2)
optimizer = make_optimizer(net)
for epoch in range(30):
    {before}
    for x, y in LOADER:
        {clears}
        nn.functional.mse_loss(net(x), y).backward()
        optimizer.step()
    {after}
"""
RIGHT = {"other": "optim.Adam", "before": "pass", "clears": "optimizer.zero_grad()", "after": "optimizer.next_epoch()"}
GIVEN = """

def make(*given, **named):
    return torch.optim.SGD(*given, **named)


net, other = nn.Linear(4, 2), nn.Linear(4, 2)
options = {{"lr": 0.1}}
if torch.cuda.is_available():
    options["momentum"] = 0.9
optimizer = make({given}, **options)
for x, y in LOADER:
    {clears}
    nn.functional.mse_loss(net(x), y).backward()
    optimizer.step()
"""
PARTS = """
from torch.optim import lr_scheduler


class Losses(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = nn.ModuleList([nn.L1Loss()])

    def forward(self, output, target):
        return sum(part(output, target) for part in self.parts)

    def next_epoch(self):
        for part in self.parts:
            {asked}
                part.schedule.step()


net, losses = nn.Linear(4, 2), Losses()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(30):
    losses.next_epoch()
    for x, y in LOADER:
        optimizer.zero_grad()
        losses(net(x), y).backward()
        optimizer.step()
"""
TWO = """
import os

body, head = nn.Linear(4, 4), nn.Linear(4, 2)
{before}
begin = 0
if os.path.exists("last.pt"):
    file = torch.load("last.pt")
    body.load_state_dict(file["body"])
    head.load_state_dict(file["head"])
    begin = {begin}
of_body, of_head = torch.optim.Adam(body.parameters()), torch.optim.Adam(head.parameters())
{loads}
for epoch in range(begin, 30):
    for x, y in LOADER:
        of_body.zero_grad()
        of_head.zero_grad()
        nn.functional.mse_loss(head(body(x)), y).backward()
        of_body.step()
        of_head.step()
    states = {{"body": body.state_dict(), "head": head.state_dict()}}
    torch.save({{**states, "of_body": of_body.state_dict(), "of_head": of_head.state_dict(), "epoch": epoch}}, "new.pt")
    os.replace("new.pt", "last.pt")
"""
LOADS = """if begin:
    of_body.load_state_dict(file["of_body"])
    of_head.load_state_dict(file["of_head"])"""
GONE_ON = {"before": "", "begin": 'file["epoch"] + 1', "loads": ""}
IN_WINDOWS = """
from torch.optim import lr_scheduler

accumulation = {window}
periods = 4
net = nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
total = {total}
schedule = lr_scheduler.CosineAnnealingLR(optimizer, T_max={length})
total = {since}
for epoch in range(30):
    for at, (x, y) in enumerate(LOADER):
        (nn.functional.mse_loss(net(x), y) / accumulation).backward()
        if (at + 1) % accumulation == 0:
            optimizer.step()
            optimizer.zero_grad()
            {by_step}
        {by_batch}
"""
BY_STEP = {"by_step": "schedule.step()", "by_batch": "pass"}
BY_BATCH = {"by_step": "pass", "by_batch": "schedule.step()"}
IN_STEPS, OF_FOUR = {"length": "30 * len(LOADER) // accumulation"}, {"window": "4", "total": "0", "since": "0"}
IN_GROUPS = """
net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
groups = []
for {each}:
    groups.append({{"params": [{parameter}], "lr": 0.1}})
optimizer = torch.optim.SGD(groups)
for x, y in LOADER:
    {clears}
    nn.functional.mse_loss(net(x), y).backward()
    optimizer.step()
"""
CLEARED, PILED_UP = {"clears": "net.zero_grad()"}, {"clears": "pass"}
GROUPED = {
    "in reversed order": ("name, p in reversed(list(net.named_parameters()))", "p"),
    "in order": ("name, p in sorted(net.named_parameters())", "p"),
    "by their names": ("name, p in dict(net.named_parameters()).items()", "p"),
    "with numbers": ("at, (name, p) in enumerate(net.named_parameters())", "p"),
    "of all layers": ("layer in net.modules()", "layer.weight"),
}

TWINS: dict[str, Twin] = {
    **{
        f"groups of parameters {how}": (
            "missing-zero-grad",
            IN_GROUPS,
            {"each": each, "parameter": parameter, **CLEARED},
            {"each": each, "parameter": parameter, **PILED_UP},
        )
        for how, (each, parameter) in GROUPED.items()
    },
    "steps of windows that a number is written for": (
        "scheduler-per-microbatch",
        IN_WINDOWS,
        {**OF_FOUR, **IN_STEPS, **BY_STEP},
        {**OF_FOUR, **IN_STEPS, **BY_BATCH},
    ),
    "steps of windows of one batch": (
        "scheduler-per-microbatch",
        IN_WINDOWS,
        {**OF_FOUR, "window": "1", **IN_STEPS, **BY_BATCH},
        {**OF_FOUR, **IN_STEPS, **BY_BATCH},
    ),
    "a part of the batches that is no window": (
        "scheduler-per-microbatch",
        IN_WINDOWS,
        {**OF_FOUR, "length": "30 * len(LOADER) // periods", **BY_BATCH},
        {**OF_FOUR, "length": "int(30 * len(LOADER) / accumulation)", **BY_BATCH},
    ),
    "batches that count more than a window is divided by": (
        "scheduler-per-microbatch",
        IN_WINDOWS,
        {**OF_FOUR, "length": "30 * len(LOADER) // accumulation * 4", **BY_BATCH},
        {**OF_FOUR, **IN_STEPS, **BY_BATCH},
    ),
    "steps of windows that have a name": (
        "scheduler-per-microbatch",
        IN_WINDOWS,
        {**OF_FOUR, "total": IN_STEPS["length"], "length": "total", **BY_STEP},
        {**OF_FOUR, "total": IN_STEPS["length"], "length": "total", **BY_BATCH},
    ),
    "a name of what counts steps only then": (
        "scheduler-per-microbatch",
        IN_WINDOWS,
        {"window": "4", "total": "30 * len(LOADER) // 4", "since": IN_STEPS["length"], "length": "total", **BY_BATCH},
        {**OF_FOUR, "total": IN_STEPS["length"], "length": "total", **BY_BATCH},
    ),
    "layers in another order, of which each has its weights": (
        "missing-zero-grad",
        IN_GROUPS,
        {"each": "layer in reversed(unseen(net))", "parameter": "layer", **PILED_UP},
        {"each": "layer in reversed(list(net.parameters()))", "parameter": "layer", **PILED_UP},
    ),
    "parameters by their names, and others besides": (
        "missing-zero-grad",
        IN_GROUPS,
        {"each": "p in dict(net.named_parameters(), scale=argparse.scale).values()", "parameter": "p", **PILED_UP},
        {"each": "p in dict(net.named_parameters()).values()", "parameter": "p", **PILED_UP},
    ),
    "a rate for what the last one is multiplied by": (
        "lambda-returns-lr",
        FACTORS,
        {"rate": "args.lr", "cls": "MultiplicativeLR", "factor": "0.95"},
        {"rate": "args.lr", "cls": "MultiplicativeLR", "factor": "args.lr * 0.95 ** epoch"},
    ),
    "a rate, and what a rate is to the one before": (
        "lambda-returns-lr",
        FACTORS,
        {"rate": "RATE", "cls": "MultiplicativeLR", "factor": "RATE / (epoch + 1) / (RATE / epoch)"},
        {"rate": "RATE", "cls": "MultiplicativeLR", "factor": "RATE / (epoch + 1)"},
    ),
    "one number for all steps, by chance as great as the rate": (
        "lambda-returns-lr",
        FACTORS,
        {"rate": "RATE", "cls": "MultiplicativeLR", "factor": "GAMMA"},
        {"rate": "RATE", "cls": "LambdaLR", "factor": "GAMMA"},
    ),
    "rates that an optimizer's of 1 is multiplied by": (
        "lambda-returns-lr",
        FACTORS,
        {"rate": "1.0", "cls": "MultiplicativeLR", "factor": "args.lr * 0.95 ** epoch"},
        {"rate": "args.lr", "cls": "MultiplicativeLR", "factor": "args.lr * 0.95 ** epoch"},
    ),
    "a step that is told no epoch": (
        "scheduler-before-optimizer",
        WARMS,
        {"told": "epoch"},
        {"told": "None"},
    ),
    "a step of one's own that hands on that it is told no epoch": (
        "scheduler-before-optimizer",
        WARMS,
        {"told": "epoch=epoch"},
        {"told": ""},
    ),
    "an optimizer of one's own, of one class or another, that has its schedule": (
        "scheduler-before-optimizer",
        OF_ITS_OWN,
        RIGHT,
        {**RIGHT, "before": "optimizer.next_epoch()", "after": "pass"},
    ),
    "an optimizer of one's own, of one class or another, whose gradients pile up": (
        "missing-zero-grad",
        OF_ITS_OWN,
        RIGHT,
        {**RIGHT, "clears": "pass"},
    ),
    "an optimizer of one's own, of one class or another of other modules": (
        "missing-zero-grad",
        OF_ITS_OWN,
        {**RIGHT, "clears": "pass", "other": "unseen.Stepped"},
        {**RIGHT, "clears": "pass", "other": "optim.RMSprop"},
    ),
    "what is handed on by its place beside options that differ": (
        "missing-zero-grad",
        GIVEN,
        {"given": "net.parameters()", "clears": "optimizer.zero_grad()"},
        {"given": "net.parameters()", "clears": "pass"},
    ),
    "what is handed on by its place behind what is not known": (
        "missing-zero-grad",
        GIVEN,
        {"given": "*unseen(other), net.parameters()", "clears": "pass"},
        {"given": "net.parameters()", "clears": "pass"},
    ),
    "two networks that go on, each without its optimizer": ("partial-restore", TWO, {**GONE_ON, "loads": LOADS}, GONE_ON),
    "two networks that begin a second training with what the first has made of them": (
        "partial-restore",
        TWO,
        {**GONE_ON, "before": "first = torch.optim.SGD([*body.parameters(), *head.parameters()], lr=0.1)"},
        {**GONE_ON, "before": "first = torch.optim.SGD(head.parameters(), lr=0.1)"},
    ),
    "two networks of which the optimizer of a first training may be": (
        "partial-restore",
        TWO,
        {**GONE_ON, "before": "first = torch.optim.SGD(argparse.others(), lr=0.1)"},
        {**GONE_ON, "before": "first = torch.optim.SGD(nn.Linear(2, 2).parameters(), lr=0.1)"},
    ),
    "two networks of which the optimizer of a first training may be, besides another one": (
        "partial-restore",
        TWO,
        {**GONE_ON, "before": "first = torch.optim.SGD([*nn.Linear(2, 2).parameters(), *argparse.others()], lr=0.1)"},
        {**GONE_ON, "before": "first = torch.optim.SGD([*nn.Linear(2, 2).parameters()], lr=0.1)"},
    ),
    "a schedule that a part of a loss may have, or has": (
        "scheduler-before-optimizer",
        PARTS,
        {"asked": "if hasattr(part, 'schedule'):"},
        {"asked": "if part is not None:"},
    ),
}


@pytest.mark.parametrize("twin", TWINS.values(), ids=TWINS.keys())
def test_of_these_twins_the_wrong_one_is_told(twin: Twin) -> None:
    assert told(twin) == (False, True)


WRAPS = """
import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel{alias}


def wrap(net, rank):
    return {name}(net, device_ids=[rank])
"""
USES = """
import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from divided import wrap

dist.init_process_group("nccl")
loader = DataLoader(TensorDataset(torch.randn(8, 4), torch.randn(8, 2)), batch_size=2, shuffle=True)
net = nn.Linear(4, 2)
model = wrap(net, dist.get_rank())
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x, y in loader:
    optimizer.zero_grad()
    nn.functional.mse_loss({applied}(x), y).backward()
    optimizer.step()
"""


@pytest.mark.parametrize("name", ["DistributedDataParallel", "DDP"])
@pytest.mark.parametrize(("applied", "wrong"), [("model", False), ("net", True)])
def test_what_wraps_a_network_is_read_in_a_file_that_does_nothing_else(
    tmp_path: Path, name: str, applied: str, wrong: bool
) -> None:
    alias = "" if name == "DistributedDataParallel" else f" as {name}"
    (tmp_path / "divided.py").write_text(WRAPS.format(name=name, alias=alias))
    (tmp_path / "train.py").write_text(USES.format(applied=applied))
    report = check_file(tmp_path / "train.py", packs.rules())
    assert ("forward-bypasses-wrapper" in {each.rule.name for each in report.findings}) == wrong
