"""Ways in which people structure programs that train: right as they stand, and wrong where one line is another."""

from __future__ import annotations

import pytest

from loopcheck import packs
from loopcheck.check import check_source

HEAD = """
import os
import torch
from torch import nn

net = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Dropout(), nn.Linear(8, 2))
"""
LEARNER = """
class Callback:
    learn = None

class TrainEval(Callback):
    def before_train(self):
        self.learn.model.train()
        self.learn.training = True
    def before_validate(self):
        self.learn.model.eval()
        self.learn.training = False

class Learner:
    def __init__(self, model, optimizer, callbacks):
        self.model, self.optimizer, self.callbacks = model, optimizer, sorted([TrainEval(), *callbacks], key=id)
        for each in self.callbacks:
            each.learn = self
        self.training = True
    def __call__(self, name):
        for each in self.callbacks:
            getattr(each, name, lambda: None)()
    def batch(self, x, y):
        loss = nn.functional.cross_entropy(self.model(x), y)
        if not self.training:
            return
        loss.backward()
        self.optimizer.step()
        self.optimizer.zero_grad()
    def epoch(self, loader):
        for x, y in loader:
            self.batch(x, y)
    def fit(self, epochs):
        for _ in range(epochs):
            self("before_train")
            self.epoch(train_loader)
            self("before_validate")
            with torch.no_grad():
                self.epoch(val_loader)

Learner(net, torch.optim.SGD(net.parameters(), lr=0.1), callbacks).fit(3)
"""
FLAG = """
class Runner:
    def __init__(self, model, optimizer, mode):
        self.model, self.optimizer, self.mode = model, optimizer, mode
    def epoch(self, loader):
        for x, y in loader:
            loss = nn.functional.cross_entropy(self.model(x), y)
            if self.mode == "train":
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()

runner = Runner(net, torch.optim.SGD(net.parameters(), lr=0.1), options.mode)
for _ in range(3):
    net.train()
    runner.epoch(train_loader)
    net.eval()
    with torch.no_grad():
        runner.epoch(val_loader)
"""
REGISTRY = """
class Registry(dict):
    def register(self, made):
        self[made.__name__] = made
        return made
    def build(self, options, **given):
        options = dict(options)
        return self[options.pop("type")](**options, **given)

MODELS, OPTIMIZERS = Registry(), Registry()
model = MODELS.build(options["model"])
optimizer = OPTIMIZERS.build(options["optimizer"], params=model.parameters())
for epoch in range(3):
    for x, y in train_loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
"""
MIXIN = """
class Trainer:
    def __init__(self, model, optimizer, **options):
        self.model, self.optimizer = model, optimizer
    def before_step(self):
        pass
    def after_epoch(self):
        pass
    def fit(self):
        for _ in range(3):
            self.model.train()
            for x, y in train_loader:
                self.optimizer.zero_grad()
                nn.functional.cross_entropy(self.model(x), y).backward()
                self.before_step()
                self.optimizer.step()
            self.after_epoch()

class Clipping:
    def before_step(self):
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        super().before_step()

class Evaluating(Trainer):
    def after_epoch(self):
        self.model.eval()
        with torch.no_grad():
            print(sum((self.model(x).argmax(1) == y).sum().item() for x, y in val_loader))
        super().after_epoch()

class Classifier(Clipping, Evaluating):
    def __init__(self, name, **given):
        super().__init__(**given)
        self.name = name

Classifier("a", model=net, optimizer=torch.optim.SGD(net.parameters(), lr=0.1)).fit()
"""
HOLDER = """
class Trainer:
    def __init__(self, model, optimizer):
        self.model, self.optimizer = model, optimizer
        super().__init__()
    def fit(self):
        for x, y in train_loader:
            self.optimizer.zero_grad()
            nn.functional.cross_entropy(self.model(x), y).backward()
            self.optimizer.step()

net.train()
Trainer(net, torch.optim.SGD(net.parameters(), lr=0.1)).fit()
"""
EXPERTS = """
class Experts(nn.Module):
    def __init__(self, count):
        super().__init__()
        heads = nn.ModuleList([nn.Linear(4, 2) for _ in range(count)])
        self.heads = heads
        self.mixers = nn.ModuleList()
        for _ in range(count):
            mixer = nn.Linear(4, 4)
            self.mixers.append(mixer)
    def forward(self, x):
        return sum(head(mixer(x)) for head, mixer in zip(self.heads, self.mixers))

model = Experts(3)
optimizer = torch.optim.Adam(model.parameters())
for x, y in train_loader:
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(x), y).backward()
    optimizer.step()
"""
SHARED = """
class Shared(nn.Module):
    def __init__(self, count):
        super().__init__()
        self.in_order = []
        self.by_name = nn.ModuleDict()
        for number in range(count):
            mixer = nn.Linear(4, 4)
            self.in_order.append(mixer)
            self.by_name[str(number)] = mixer
    def forward(self, x):
        return sum(mixer(x) for mixer in self.in_order)

model = Shared(3)
optimizer = torch.optim.Adam(model.parameters())
for x, y in train_loader:
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(x), y).backward()
    optimizer.step()
"""
RESUMED = """
optimizer = torch.optim.Adam(net.parameters())
begin = 0
if os.path.exists("last.pt"):
    state = torch.load("last.pt")
    net.load_state_dict(state["net"])
    optimizer.load_state_dict(state["optimizer"])
    begin = state["done"] + 1
for epoch in range(begin, 10):
    for x, y in train_loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        optimizer.step()
    torch.save({"net": net.state_dict(), "optimizer": optimizer.state_dict(), "done": epoch}, "last.pt")
"""
MADE_AGAIN = """
class Trainer:
    def __init__(self, args):
        self.net = nn.Linear(4, 2)
        self.optimizer = torch.optim.Adadelta(self.net.parameters())
        self.begin = 0
        self.load(args)

    def load(self, args):
        if not args.resume:
            return
        saved = torch.load("last.pt")
        self.begin = saved["epoch"] + 1
        self.optimizer = torch.optim.Adadelta(self.net.parameters(), eps=args.eps)
        self.optimizer.load_state_dict(saved["optimizer"])
        self.net.load_state_dict(saved["net"])

    def train(self):
        for epoch in range(self.begin, 10):
            for x, y in train_loader:
                self.optimizer.zero_grad()
                nn.functional.cross_entropy(self.net(x), y).backward()
                self.optimizer.step()
            torch.save({"net": self.net.state_dict(), "optimizer": self.optimizer.state_dict(), "epoch": epoch}, "last.pt")

parser = argparse.ArgumentParser()
parser.add_argument("--resume", action="store_true")
parser.add_argument("--eps", type=float, default=1e-6)
Trainer(parser.parse_args()).train()
"""
HOOK = """
class EvaluationHook:
    def __init__(self, loader):
        self.loader, self.best = loader, 0
    def after_train_epoch(self, runner):
        runner.model.eval()
        with torch.no_grad():
            hits = sum((runner.model(x).argmax(1) == y).sum().item() for x, y in self.loader)
        self.best = max(self.best, hits)

class Runner:
    def __init__(self, model, optimizer, hook):
        self.model, self.optimizer, self.hook = model, optimizer, hook
    def train(self, loader):
        self.model.train()
        for x, y in loader:
            self.optimizer.zero_grad()
            nn.functional.cross_entropy(self.model(x), y).backward()
            self.optimizer.step()
        self.hook.after_train_epoch(self)

runner = Runner(net, torch.optim.SGD(net.parameters(), lr=0.1), EvaluationHook(val_loader))
for epoch in range(3):
    runner.train(train_loader)
"""
SCHEDULES = """
def build(options, optimizer):
    if options.name == "cosine":
        return torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=options.epochs), "epoch"
    if options.name == "plateau":
        return torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, mode="max"), "metric"
    return None, None

optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
schedule, when = build(options, optimizer)
for epoch in range(options.epochs):
    for x, y in train_loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        optimizer.step()
    if when == "epoch":
        schedule.step()
    elif when == "metric":
        schedule.step(accuracy(net))
"""
ASKED = """
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
if options.plateau:
    schedule = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer)
else:
    schedule = torch.optim.lr_scheduler.StepLR(optimizer, 3)
for epoch in range(options.epochs):
    for x, y in train_loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        optimizer.step()
    if schedule.__class__.__name__ != "ReduceLROnPlateau":
        schedule.step()
    else:
        schedule.step(val_loss)
"""
PROGRAMS = {
    "learner": LEARNER,
    "flag": FLAG,
    "registry": REGISTRY,
    "mixin": MIXIN,
    "holder": HOLDER,
    "experts": EXPERTS,
    "shared": SHARED,
    "resumed": RESUMED,
    "made again": MADE_AGAIN,
    "hook": HOOK,
    "schedules": SCHEDULES,
    "asked": ASKED,
}
BUGS = [
    (LEARNER, "self.optimizer.zero_grad()", "pass", "LC103"),
    (FLAG, "self.optimizer.zero_grad()", "pass", "LC103"),
    (REGISTRY, "optimizer.zero_grad()", "pass", "LC103"),
    (MIXIN, "self.model.train()", "pass", "LC603"),
    (MIXIN, "self.model.eval()", "pass", "LC601"),
    (HOLDER, "net.train()", "net.eval()", "LC604"),
    (EXPERTS, "nn.ModuleList([nn.Linear(4, 2) for _ in range(count)])", "[nn.Linear(4, 2) for _ in range(count)]", "LC405"),
    (EXPERTS, "nn.ModuleList()", "[]", "LC405"),
    (RESUMED, 'optimizer.load_state_dict(state["optimizer"])', "pass", "LC903"),
    (MADE_AGAIN, 'self.optimizer.load_state_dict(saved["optimizer"])', "pass", "LC903"),
    (HOOK, "runner.model.eval()", "pass", "LC601"),
    (HOOK, "self.model.train()", "pass", "LC603"),
    (SCHEDULES, "schedule.step(accuracy(net))", "schedule.step()", "LC505"),
    (MIXIN, "self.optimizer.step()", "self.optimizer.step(); self.before_step()", "LC101"),
]


def told(program: str) -> list[str]:
    report = check_source(f"{HEAD}{program}".encode(), "train.py", packs.rules())
    return [finding.rule.code for finding in report.findings if finding.rule.group == "bug"]


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=list(PROGRAMS))
def test_what_is_right_is_not_told(program: str) -> None:
    assert told(program) == []


@pytest.mark.parametrize(("program", "line", "instead", "code"), BUGS)
def test_what_is_wrong_is_told(program: str, line: str, instead: str, code: str) -> None:
    assert line in program
    assert told(program.replace(line, instead, 1)) == [code]
