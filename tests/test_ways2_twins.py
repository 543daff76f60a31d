"""Evaluations and data-parallel runs whose parts stand in other files and functions, each beside its twin that is right."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from twins import Twin, told

from loopcheck import packs
from loopcheck.check import check_file
from loopcheck.read.library import Library
from loopcheck.read.triage import trains
from loopcheck.rule import Confidence

READS = """
net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
net.load_state_dict(torch.load("net.pt"))


class Bank:
    def __init__(self):
        self.last = None


def whole(points):
    return points.long()


def widen(points):
    points[:, 0] *= 2
    return points


def put(points, added):
    points[0] = added[0]


def locate(net, other, x, size, kept, bank=Bank()):
    {scope}:
        out = net(x)
    {then}


locate(net, nn.Linear(4, 2), torch.load("x.pt"), 224, [])
"""
GRADED, UNGRADED = "with contextlib.suppress(KeyError)", "with torch.no_grad()"
ADDS = """
net = nn.Linear(4, 2)
optimizer = torch.optim.Adam(net.parameters())
hits = 0
for x, y in LOADER:
    out = net(x)
    loss = nn.functional.mse_loss(out, y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    hits += (loss * 100){whole}
print(hits)
"""
DRAWS = """
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler


def endless(loader, sampler):
    {begins}
        for batch in loader:
            yield batch


def numbers(loader):
    for batch in loader:
        {counts}


def main(rank, data):
    torch.distributed.init_process_group("nccl")
    sampler = DistributedSampler(data, shuffle={shuffle})
    loader = DataLoader(data, batch_size=4, sampler=sampler)
    net = DistributedDataParallel(nn.Linear(4, 2))
    optimizer = torch.optim.Adam(net.parameters())
    {draws}
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(net(x), y)
        {learns}


main(0, TensorDataset(torch.randn(64, 4), torch.randn(64, 2)))
"""
STEPS = "batches = endless(loader, sampler)\n    for step in range(1000):\n        {tells}x, y = next(batches)"
DRAWN = {
    "begins": "while True:",
    "counts": "yield batch",
    "shuffle": "True",
    "draws": STEPS.format(tells=""),
    "learns": "loss.backward()\n        optimizer.step()",
}
TOLD = "epoch = 0\n    while True:\n        sampler.set_epoch(epoch)\n        epoch += 1"
LATER = STEPS.format(tells="sampler.set_epoch(step // 16)\n        ")
COUNTED = "for step in range(10):\n      for _ in numbers(loader):\n        x, y = torch.load(f'{step}.pt')"
ACCUMULATES = """
def endless(loader):
    while True:
        for batch in loader:
            yield batch


loader = DataLoader(torch.load("data.pt"), batch_size=4, shuffle=True)
net = nn.Linear(4, 2)
optimizer = torch.optim.Adam(net.parameters())
for epoch in range(3):
    for i, (x, y) in enumerate({over}):
        loss = nn.functional.mse_loss(net(x), y) / 4
        loss.backward()
        if (i + 1) % 4 == 0:
            optimizer.step()
            optimizer.zero_grad()
torch.save(net.state_dict(), "net.pt")
"""
WRAPS = """
from torch.nn.parallel import DistributedDataParallel


def wrap(net, rank):
    {wraps}


def main(rank):
    torch.distributed.init_process_group("nccl")
    net = nn.Linear(4, 2)
    optimizer = torch.optim.Adam(net.parameters())
    {net} = wrap(net, rank)
    for x, y in LOADER:
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x), y).backward()
        optimizer.step()


main(0)
"""
DDP, PARTS_IT = "net = DistributedDataParallel(net)\n    ", "net = net.module\n    "

SAMPLERS = """
import torch.distributed as dist
from torch.utils.data.distributed import DistributedSampler

from cases import InShort, held_out, settings, taught


def samplers_of(datasets, shuffles):
    samplers = []
    for dataset, shuffle in zip(datasets, shuffles):
        samplers.append(DistributedSampler(dataset, shuffle=shuffle))
    return samplers


def loaders_of(datasets, samplers, sizes):
    loaders = []
    for dataset, sampler, size in zip(datasets, samplers, sizes):
        loaders.append(DataLoader(dataset, size, sampler=sampler, shuffle=sampler is None))
    return loaders


def made():
    if settings.distributed:
        samplers = samplers_of([taught], [True]) + [None]
    else:
        samplers = [None, None]
    return loaders_of([taught, held_out], samplers, [8] * 2)


def short():
    sampler = DistributedSampler(taught) if settings.distributed else None
    return DataLoader(taught, batch_sampler=InShort(sampler, 8))


def tell(loader, epoch):
    if isinstance(loader.sampler, DistributedSampler):
        {told}


dist.init_process_group("nccl")
net = nn.parallel.DistributedDataParallel(nn.Linear(4, 2))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
train_loader, test_loader = made()
for epoch in range(10):
    {remade}
    tell(train_loader, epoch)
    for x, y in train_loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x), y).backward()
        optimizer.step()
"""


def _drawn(right: Mapping[str, str], wrong: Mapping[str, str] = DRAWN) -> Twin:
    return "missing-set-epoch", DRAWS, {**DRAWN, **right}, {**DRAWN, **wrong}


def _read(right: str, wrong: str, scope: str = GRADED) -> Twin:
    return "missing-no-grad", READS, {"scope": scope, "then": right}, {"scope": GRADED, "then": wrong}


def _wrapped(right: str, wrong: str, net: str = "net") -> Twin:
    return "forward-bypasses-wrapper", WRAPS, {"wraps": right, "net": net}, {"wraps": wrong, "net": net}


TWINS: dict[str, Twin] = {
    "whole numbers without a graph": _read("show = out.type(torch.int)", "show = out.type(torch.int)", UNGRADED),
    "whole numbers, of a type": _read("show = out.to(torch.float16)", "show = out.to(torch.int64)"),
    "whole numbers, of an old type": _read("show = out.type(torch.FloatTensor)", "show = out.type(torch.LongTensor)"),
    "whole numbers, by a method": _read("show = out.double()", "show = out.long()"),
    "whole numbers of a function": _read("show = widen(out)", "show = whole(out)"),
    "whole numbers, and the output is kept": _read("bank.last = out\n    show = out.int()", "show = out.int()"),
    "a type that is a setting's": _read("import setting\n    show = out.to(setting.long)", "show = out.to(torch.long)"),
    "what has no graph is added up": ("graph-retained-in-metric", ADDS, {"whole": ".long()"}, {"whole": ""}),
    "an output that is changed in place": _read(
        "kept[0] = out * size\n    print(out.argmax(1))",
        "points = out.view(-1, 2)\n    points[:, 0] *= size / 224\n    print(points.argmax(1))",
    ),
    "an output that is put into another one that is kept": _read(
        "bank.last = other(x)\n    bank.last[0] = out[0]\n    print(out.argmax(1))",
        "last = out.view(-1, 2)\n    last[0] = out[1]\n    print(out.argmax(1))",
    ),
    "an output that a function puts into another one": _read(
        "bank.last = other(x)\n    put(bank.last, out)\n    print(out.argmax(1))", "put(out, out)\n    print(out.argmax(1))"
    ),
    "an output that a function changes in place": _read("kept.append(widen(out))", "print(widen(out).argmax(1))"),
    "a generator that tells the epoch": _drawn({"begins": TOLD}),
    "a generator whose user tells the epoch": _drawn({"draws": LATER}),
    "a generator of an order that is meant": _drawn({"shuffle": "False"}),
    "a generator of what is evaluated": _drawn({"learns": "print(loss.item())"}),
    "a generator of each epoch": _drawn(
        {"begins": "if True:", "draws": "for x, y in endless(loader, sampler):"},
        {"begins": "if True:", "draws": "for epoch in range(9):\n      for x, y in endless(loader, sampler):"},
    ),
    "a generator of other things": _drawn(
        {"draws": COUNTED, "counts": "pass\n    for count in range(3):\n        yield count"}, {"draws": COUNTED}
    ),
    "a generator that is begun anew": _drawn(
        {"draws": "for step in range(1000):\n        x, y = next(endless(loader, sampler))"},
    ),
    "a generator that has no last batch": (
        "dropped-accumulation-tail",
        ACCUMULATES,
        {"over": "endless(loader)"},
        {"over": "loader"},
    ),
    "a helper that hands back the model": _wrapped(f"{DDP}print(net.module)\n    return net", f"{DDP}{PARTS_IT}return net"),
    "a helper that hands back the model at once": _wrapped(f"{DDP}return net", f"{DDP}return net.module"),
    "a helper that has both": _wrapped(
        "ddp = DistributedDataParallel(net)\n    net = ddp.module\n    return ddp",
        "ddp = DistributedDataParallel(net)\n    net = ddp.module\n    return net",
    ),
    "a helper that may unwrap": _wrapped(
        f"{DDP}if rank is None:\n        net = net.module\n    return net", f"{DDP}{PARTS_IT}return net"
    ),
    "a helper that wraps again": _wrapped(
        f"{DDP}{PARTS_IT}{DDP}return net", f"{DDP}if rank:\n        print(rank)\n    {PARTS_IT}return net"
    ),
    "a helper that goes on with another attribute": _wrapped(f"{DDP}net = net.inner\n    return net", f"{DDP}return net.module"),
    "a helper that hands back both": _wrapped(f"{DDP}return net, net.module", f"{DDP}return net.module, net", "net, other"),
    "a helper that hands back either": _wrapped(
        f"{DDP}if rank is None:\n        return net.module\n    return net", f"{DDP}return net.module"
    ),
}

TWINS |= {
    f"samplers of a list that is another one in one process: {name}": (
        "missing-set-epoch",
        SAMPLERS,
        {"remade": remade, "told": "loader.sampler.set_epoch(epoch)"},
        {"remade": remade, "told": "pass"},
    )
    for name, remade in {
        "made once": "pass",
        "made again": "if settings.grows and epoch in settings.grows: train_loader, test_loader = made()",
        "made in another way": "if settings.grows and epoch in settings.grows: train_loader = short()",
    }.items()
}


@pytest.mark.parametrize("twin", TWINS.values(), ids=TWINS.keys())
def test_of_these_twins_the_wrong_one_is_told(twin: Twin) -> None:
    assert told(twin) == (False, True)


def rules_told(folder: Path, judged: str, files: Mapping[str, str]) -> set[str]:
    """The rules that tell something of one of several files, with more than low confidence."""
    for name, text in files.items():
        (folder / name).write_text(text)
    report = check_file(folder / judged, packs.rules(), Library([folder / name for name in files]))
    return {each.rule.name for each in report.findings if each.confidence is not Confidence.LOW}


NETS = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, size=4, activation=nn.Sigmoid()):
        super().__init__()
        self.body, self.norm, self.activation = nn.Linear(size, 2), {norm}, activation

    def forward(self, x):
        return self.activation(self.norm(self.body(x)))
"""
RUNS = """\
import torch

from nets import Net


def main():
    net = Net(4)
    net.load_state_dict(torch.load("net.pt"))
    {mode}
    for name in range(5):
        print(net(torch.load(f"{{name}}.pt")).detach().cpu().numpy())


main()
"""


@pytest.mark.parametrize(
    ("norm", "mode", "wrong"),
    [
        ("nn.BatchNorm1d(2)", "print(net)", True),
        ("nn.BatchNorm1d(2)", "net.eval()", False),
        ("nn.Tanh()", "print(net)", False),
    ],
)
def test_a_module_that_makes_layers_is_read_whole_though_a_function_asks_first(
    tmp_path: Path, norm: str, mode: str, wrong: bool
) -> None:
    files = {"nets.py": NETS.format(norm=norm), "run.py": RUNS.format(mode=mode)}
    assert ("missing-eval-mode" in rules_told(tmp_path, "run.py", files)) == wrong


LOADS = """\
import os

from nets import *


def load_model(path):
    if not os.path.exists(path):
        raise OSError(path)
    net = Net(4)
    net.load(path)
    {mode}
    return net


model = load_model("net.pt")
for name in range(5):
    predicted = model(torch.load(f"{{name}}.pt").unsqueeze(0))
    print(predicted.squeeze().argmax())
"""
LOADED = """
    def load(self, path):
        self.load_state_dict(torch.load(path)["net"])
"""


@pytest.mark.parametrize(("mode", "wrong"), [("print(net)", True), ("net.eval()", False)])
def test_a_program_that_has_torch_from_its_own_modules_is_read(tmp_path: Path, mode: str, wrong: bool) -> None:
    text = LOADS.format(mode=mode).replace("torch.load(", "read(")
    nets = NETS.format(norm="nn.BatchNorm1d(2)") + LOADED + "\n\nread = torch.load\n"
    assert ("missing-eval-mode" in rules_told(tmp_path, "run.py", {"nets.py": nets, "run.py": text})) == wrong


@pytest.mark.parametrize(
    ("text", "worth"),
    [
        ("model = load_model()\nprint(model(x.unsqueeze(0)))", True),
        ("model = load_model()\nprint(model(x))", False),
        ("import tensorflow\nmodel = load_model()\nprint(model(x.detach()))", False),
        ("points = load_points()\nprint(points.unsqueeze(0))", False),
    ],
)
def test_the_methods_of_tensors_alone_say_that_a_file_has_torch(text: str, worth: bool) -> None:
    assert trains(text.encode()) == worth


PARTS = """\
import torch
from torch import nn


class Poses:
    def initialize(self, opt):
        self.net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2)).eval()
        self.net.load_state_dict(torch.load(opt.path))
        if opt.training:
            self.net.train()
            self.optimizer = torch.optim.Adam(self.net.parameters())

    def set_input(self, data):
        self.x, self.y = data

    def forward(self):
        self.out = self.net(self.x)
{mark}
    def test(self):
        self.forward()

    def optimize(self):
        self.forward()
        self.optimizer.zero_grad()
        nn.functional.mse_loss(self.out, self.y).backward()
        self.optimizer.step()

    def error(self):
        return torch.dist(self.out, self.y).item()
"""
MAKES = """\
def create(opt):
    model = None
    if opt.model == "poses":
        from poses import Poses
        model = Poses()
    else:
        raise ValueError(opt.model)
    model.initialize(opt)
    return model
"""
TESTS = """\
from factory import create
from options import parsed, test_loader

model = create(parsed())
for data in test_loader:
    model.set_input(data)
    model.test()
    print(model.error())
"""


@pytest.mark.parametrize(("mark", "wrong"), [("", True), ("    @torch.no_grad()", False)])
def test_a_class_without_a_constructor_leads_to_whoever_makes_it(tmp_path: Path, mark: str, wrong: bool) -> None:
    files = {"poses.py": PARTS.format(mark=mark), "factory.py": MAKES, "run.py": TESTS}
    assert ("missing-no-grad" in rules_told(tmp_path, "poses.py", files)) == wrong
