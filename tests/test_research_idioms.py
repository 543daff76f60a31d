"""Ways in which research code puts its training loop together: right as they stand, and wrong where one line is another."""

from __future__ import annotations

import pytest

from loopcheck import packs
from loopcheck.check import check_source

HEAD = """
import torch
from torch import nn

net = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Dropout(), nn.Linear(8, 2))
"""
STEP_HOOK = """
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
optimizer.register_step_pre_hook(lambda *_: nn.utils.clip_grad_norm_(net.parameters(), 1.0))
optimizer.register_step_post_hook(lambda optimizer, args, kwargs: optimizer.zero_grad())
for x, y in train_loader:
    nn.functional.cross_entropy(net(x), y).backward()
    optimizer.step()
"""
SCALED_STEP_HOOK = """
class Trainer:
    def __init__(self, model):
        self.model, self.scaler, self.steps = model, torch.amp.GradScaler(), 0
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        self.optimizer.register_step_post_hook(self.stepped)
    def stepped(self, optimizer, args, kwargs):
        optimizer.zero_grad()
        self.steps += 1
    def batch(self, x, y):
        with torch.autocast("cuda"):
            loss = nn.functional.cross_entropy(self.model(x), y)
        self.scaler.scale(loss).backward()
        self.scaler.step(self.optimizer)
        self.scaler.update()

trainer = Trainer(net)
for x, y in train_loader:
    trainer.batch(x, y)
"""
OWN_SUMS = """
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for inputs, labels in train_loader:
    for weight in net.parameters():
        weight.summed = torch.zeros_like(weight)
    for x, y in zip(inputs, labels):
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(x[None]), y[None]).backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        for weight in net.parameters():
            weight.summed.add_(weight.grad, alpha=0.5)
    for weight in net.parameters():
        weight.grad = weight.summed / len(inputs)
    optimizer.step()
"""
OWN_SUMS_BY_METHOD = """
class Private(torch.optim.SGD):
    def __init__(self, params, bound, **options):
        super().__init__(params, **options)
        self.bound = bound
        for group in self.param_groups:
            group["sums"] = [torch.zeros_like(p) for p in group["params"]]
    def begin(self):
        super().zero_grad()
    def take(self):
        for group in self.param_groups:
            for p, summed in zip(group["params"], group["sums"]):
                summed += p.grad
    def step(self):
        for group in self.param_groups:
            for p, summed in zip(group["params"], group["sums"]):
                p.grad = summed.clone()
                summed.zero_()
        super().step()

optimizer = Private(net.parameters(), 0.1, lr=0.1)
for inputs, labels in train_loader:
    for x, y in zip(inputs, labels):
        optimizer.begin()
        nn.functional.cross_entropy(net(x[None]), y[None]).backward()
        optimizer.take()
    optimizer.step()
"""
ENVIRONMENT = """
import os

LOCAL_RANK, RANK = int(os.getenv("LOCAL_RANK", -1)), int(os.environ.get("RANK", "-1"))

def create(data, rank=-1):
    sampler = None if rank == -1 else torch.utils.data.DistributedSampler(data)
    return torch.utils.data.DataLoader(data, 8, sampler=sampler, shuffle=sampler is None)

def train(net, data, stop):
    if "RANK" in os.environ:
        net = nn.parallel.DistributedDataParallel(net)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    loader = create(data, rank=LOCAL_RANK)
    for epoch in range(9):
        if RANK != -1:
            loader.sampler.set_epoch(epoch)
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(net(x), y).backward()
            optimizer.step()
        if RANK == -1 and stop(epoch):
            break
"""
LAZY = """
class Learner:
    _optimizer = None
    def __init__(self, model):
        self.model = model
    @property
    def optimizer(self):
        if self._optimizer is None:
            self._optimizer = torch.optim.Adam(self.model.parameters())
        return self._optimizer
    def fit(self, loader):
        for x, y in loader:
            self.optimizer.zero_grad()
            nn.functional.cross_entropy(self.model(x), y).backward()
            self.optimizer.step()

Learner(net).fit(train_loader)
"""
WINDOW_SUM = """
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
history, batches = [], iter(train_loader)
for iteration in range(100):
    total = 0.0
    optimizer.zero_grad()
    for _ in range(accumulation_steps):
        x, y = next(batches)
        loss = nn.functional.cross_entropy(net(x), y) / accumulation_steps
        loss.backward()
        total += loss
    optimizer.step()
    history.append(total.item())
"""
EVENTS = """
import collections

class Loop:
    def __init__(self):
        self.handlers = collections.defaultdict(list)
    def on(self, event):
        def register(handler):
            self.handlers[event].append(handler)
            return handler
        return register
    def fire(self, event):
        for handler in self.handlers[event]:
            handler()

loop, optimizer = Loop(), torch.optim.SGD(net.parameters(), lr=0.1)

@loop.on("batch")
def clear():
    optimizer.zero_grad()

@loop.on("gradients")
def clip():
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)

for x, y in train_loader:
    loop.fire("batch")
    nn.functional.cross_entropy(net(x), y).backward()
    loop.fire("gradients")
    optimizer.step()
"""
REGISTERED = """
handlers, optimizer = {}, torch.optim.SGD(net.parameters(), lr=0.1)

def on(event):
    def register(handler):
        handlers.setdefault(event, []).append(handler)
        return handler
    return register

@on("batch")
def clear():
    optimizer.zero_grad()

for x, y in train_loader:
    for handler in handlers.get("batch", []):
        handler()
    nn.functional.cross_entropy(net(x), y).backward()
    optimizer.step()
"""
KEPT_OBJECTS = """
class Clear:
    when = "before"
    def __init__(self, optimizer):
        self.optimizer = optimizer
    def run(self):
        self.optimizer.zero_grad()

class Hooks:
    def __init__(self):
        self.by_moment = {}
    def add(self, hook):
        self.by_moment.setdefault(hook.when, []).append(hook)
    def run(self, moment):
        for hook in self.by_moment.get(moment, []):
            hook.run()

optimizer, hooks = torch.optim.SGD(net.parameters(), lr=0.1), Hooks()
hooks.add(Clear(optimizer))
for x, y in train_loader:
    hooks.run("before")
    nn.functional.cross_entropy(net(x), y).backward()
    optimizer.step()
"""
KEPT_METHODS = """
moments, optimizer = {}, torch.optim.SGD(net.parameters(), lr=0.1)
moments.setdefault("before", []).append(optimizer.zero_grad)
for x, y in train_loader:
    for each in moments["before"]:
        each()
    nn.functional.cross_entropy(net(x), y).backward()
    optimizer.step()
"""
PROGRAMS = {
    "kept objects": KEPT_OBJECTS,
    "kept methods": KEPT_METHODS,
    "events": EVENTS,
    "registered": REGISTERED,
    "lazy": LAZY,
    "sum of a window": WINDOW_SUM,
    "own sums": OWN_SUMS,
    "own sums by a method": OWN_SUMS_BY_METHOD,
    "environment": ENVIRONMENT,
    "step hook": STEP_HOOK,
    "scaled step hook": SCALED_STEP_HOOK,
}
BUGS = [
    (KEPT_OBJECTS, "hooks.add(Clear(optimizer))", "hooks.add(Clear(None))", "LC103"),
    (KEPT_OBJECTS, '    hooks.run("before")\n', "", "LC103"),
    (KEPT_METHODS, "append(optimizer.zero_grad)", "append(print)", "LC103"),
    (REGISTERED, "    optimizer.zero_grad()", "    print(len(handlers))", "LC103"),
    (REGISTERED, '    for handler in handlers.get("batch", []):\n        handler()\n', "", "LC103"),
    (LAZY, "if self._optimizer is None:", "if self.model is not None:", "LC403"),
    (WINDOW_SUM, "    total = 0.0\n", "    total = 0.0 if not iteration else total\n", "LC804"),
    (WINDOW_SUM, "range(accumulation_steps)", "range(batches_per_epoch)", "LC804"),
    (OWN_SUMS, "weight.summed.add_(weight.grad, alpha=0.5)", "print(weight.shape)", "LC304"),
    (OWN_SUMS_BY_METHOD, "        optimizer.take()\n", "", "LC304"),
    (ENVIRONMENT, "loader.sampler.set_epoch(epoch)", "print(epoch)", "LC701"),
    (STEP_HOOK, "optimizer.zero_grad()", "None", "LC103"),
    (STEP_HOOK, "register_step_pre_hook", "register_step_post_hook", "LC101"),
    (SCALED_STEP_HOOK, "optimizer.zero_grad()", "pass", "LC103"),
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
