"""Programs that train rightly, each beside its twin that has the bug: windows, clips, losses, schedules, what is kept."""

from __future__ import annotations

from textwrap import dedent

import pytest
from twins import HEAD, Twin, names, told

from loopcheck import packs
from loopcheck.check import check_source

HEALTHY = """
import math
import numpy as np


class Trainer:
    def __init__(self, net):
        self.net, self.window = net, 4
        self.optimizer = torch.optim.Adam(net.parameters())

    def one_batch(self, x, y, number):
        loss = nn.functional.mse_loss(self.net(x), y) / self.window
        loss.backward()
        if (number + 1) % self.window == 0:
            norm = nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
            if {sound}:
                self.optimizer.step()
                {clear}
            else:
                return False
        return True

    def train(self):
        for number, (x, y) in enumerate(LOADER):
            self.one_batch(x, y, number)


Trainer(nn.Linear(4, 2)).train()
"""

IN_TURNS = """
def train(net, window=10):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(3):
        number = 1
        for x, y in LOADER:
            if {cleared}:
                optimizer.zero_grad()
            loss = nn.functional.mse_loss(net(x), y)
            if number % window == 0 or number == len(LOADER) - 1 or number == len(LOADER):
                loss.backward()
                optimizer.step()
            number += 1


train(nn.Linear(4, 2))
"""

MADE_LATER = """
class Trainer:
    def __init__(self, mixed=False):
        self.network, self.mixed = None, mixed

    def initialize(self):
        if not self.was_initialized:
            self.network = nn.Linear(4, 2)
            self.optimizer = torch.optim.SGD(self.network.parameters(), self.rate)

    def run_training(self):
        self.initialize()
        self.run_iteration(next(self.batches))

    def find_rate(self):
        for number in range(1, 100):
            self.run_iteration(next(self.batches))


class Mixed(Trainer):
    def run_iteration(self, batch):
        if self.mixed:
            loss = self.loss(self.network(batch))
            self.scaler.scale(loss).backward()
            {unscale}
            nn.utils.clip_grad_norm_(self.network.parameters(), 12)
            self.scaler.step(self.optimizer)
            self.scaler.update()
        else:
            self.optimizer.step()
"""

ORACLE = """
def oracle(target, weak, loader):
    optimizer = torch.optim.Adam(weak.parameters())
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.MSELoss()({loss})
        loss.backward()
        optimizer.step()
    return weak


def client(state, make_model, loader):
    def gradient(x):
        return state.model(x) * 0.1

    return oracle(gradient, make_model(), loader)
"""

MADE_IN_PLACE = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 2)

    def forward(self, x):
        last = {layer}
        out = self.layer(x)
        return {out}


net, criterion = Net(), nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in LOADER:
    optimizer.zero_grad()
    criterion(net(x), y.argmax(1)).backward()
    optimizer.step()
"""

MEASURED = """
class Trainer:
    def __init__(self):
        self.net, self.sizes = nn.Linear(4, 2), {{}}
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.1)

    def measure(self, x, y):
        nn.functional.mse_loss(self.net(x), y).backward()
        for name, parameter in self.net.named_parameters():
            {look}
        self.net.zero_grad()

    def train(self, steps=4):
        for epoch in range(3):
            for i, (x, y) in enumerate(LOADER):
                if i == 0:
                    self.measure(x, y)
                (nn.functional.mse_loss(self.net(x), y) / steps).backward()
                if (i + 1) % steps == 0:
                    self.optimizer.step()
                    self.net.zero_grad()


Trainer().train()
"""

CLAMPED = """
class Agent:
    def __init__(self):
        self.net = nn.Linear(4, 2)
        self.parameters = {parameters}
        self.optimizer = torch.optim.Adam(self.parameters)

    def learn(self, loss, parameters):
        self.optimizer.zero_grad()
        loss.backward()
        for parameter in parameters:
            parameter.grad.data.clamp_(-1, 1)
        self.optimizer.step()


agent = Agent()
for x, y in LOADER:
    agent.learn(nn.functional.mse_loss(agent.net(x), y), agent.parameters)
"""

PERIODIC = """
net = nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
best, kept = float("inf"), None
for epoch in range(30):
    for x, y in LOADER:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(net(x), y)
        loss.backward()
        optimizer.step()
    if loss.item() < best:
        best, kept = loss.item(), net.state_dict()
        {now}
    {later}
"""

FAST_WEIGHTS = """
net = nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in LOADER:
    before = net.state_dict({kept})
    optimizer.zero_grad()
    nn.functional.mse_loss(net(x), y).backward()
    optimizer.step()
    net.load_state_dict(before)
"""

EPISODES = """
net, value = nn.Linear(4, 2), nn.Linear(4, 1)
optimizer = torch.optim.Adam([*net.parameters(), *value.parameters()])
{count} = 0
while {count} < 30:
    {count} += 1
    states, actions, returns = torch.randn(16, 4), torch.randint(2, (16,)), torch.randn(16)
    chosen = net(states).log_softmax(-1)[range(16), actions]
    loss = -torch.mean(chosen * returns) + nn.functional.mse_loss(value(states)[:, 0], returns)
    loss.backward()
    if {count} % 3 == 0:
        optimizer.step()
        optimizer.zero_grad()
"""

ENCODER = """
from critics import make_critic_learner

encoder, critic = nn.Linear(4, 2), make_critic_learner()
optimizer = torch.optim.Adam(encoder.parameters())
for x, y in LOADER:
    optimizer.zero_grad()
    {learns}
    nn.utils.clip_grad_norm_(encoder.parameters(), 1.0)
    (encoder(x) - y).square().mean().backward()
    optimizer.step()
"""

PRIVATE = """
def limited(model, bound):
    norm = torch.stack([param.grad.norm() for param in model.parameters()]).norm()
    if norm > bound:
        for param in model.parameters():
            param.grad = torch.div(param.grad, norm / bound)
    return [param.grad for param in model.parameters()]


model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(10):
    x, y = torch.randn(8, 4), torch.randn(8, 2)
    for i in range(len(x)):
        optimizer.zero_grad()
        loss = (model(x[i]) - y[i]).square().mean()
        loss.backward()
        if i == 0:
            sums = [{taken} for param in model.parameters()]
        else:
            sums = [{added} for before, grad in zip(sums, limited(model, 1.0))]
    optimizer.step()
"""

DROPPED = """
net = nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(3):
    for i, (x, y) in enumerate(LOADER):
        loss = (net(x) - y).square().mean()
        if {test}:
            print("dropped", i)
            optimizer.zero_grad()
            {then}
        (loss / 2).backward()
        if (i + 1) % 2 == 0:
            optimizer.step()
            optimizer.zero_grad()
"""

RANKS = """
import torch.distributed as dist


class Runner:
    def __init__(self):
        dist.init_process_group("gloo")
        self.net = nn.parallel.DistributedDataParallel(nn.Linear(4, 2))
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.1)

    def train(self):
        for x, y in LOADER:
            self.optimizer.zero_grad()
            loss = (self.net(x) - y).square().mean()
            loss.backward()
            self.optimizer.step()

    def keep(self):
        torch.save(self.net.module.state_dict(), "net.pt")


{script}
"""

SAMPLED = """
from typing import cast
import torch.distributed as dist
from torch.utils.data import DistributedSampler

dist.init_process_group("nccl")
data = torch.load("train.pt")
loader = DataLoader(data, batch_size=4, sampler=DistributedSampler(data))
model = nn.parallel.DistributedDataParallel(nn.Linear(3, 3))
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(9):
    sampler = cast(DistributedSampler, loader.sampler)
    {tell}
    for x, y in loader:
        opt.zero_grad()
        F.cross_entropy(model(x), y).backward()
        opt.step()
"""

COUNTED = """
class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(8, 8)

    def forward(self, x, lengths):
        lengths, order = lengths.sort(descending=True)
        steps = {steps}
        scores = torch.zeros(len(x), max(steps), 8)
        for t in range(max(steps)):
            scores[:, t] = self.out(x[:, t])
        return scores, steps, order

class Meter:
    def __init__(self):
        self.sum = 0

    def update(self, value, n=1):
        self.sum += value * n

model = Decoder()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.load("train.pt"), batch_size=4, shuffle=True)
meter = Meter()
for x, y, lengths in loader:
    opt.zero_grad()
    scores, losses, order = model(x, lengths)
    loss = F.cross_entropy(scores.flatten(0, 1), y)
    loss.backward()
    opt.step()
    meter.update(sum(losses))
"""

ARITY = COUNTED.replace(
    "class Meter",
    """class Other(Decoder):
    def forward(self, x, lengths):
        scores, steps, order = super().forward(x, lengths)
        steps = (lengths - 1).tolist()
        for t in range(max(steps)):
            scores[:, t] = self.out(x[:, t])
        return scores, steps, order, scores

class Meter""",
).replace("model = Decoder()", "model = Decoder() if args.plain else Other()")

RESUMED = """
model = nn.Linear(3, 3)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.StepLR(opt, 5)
loader = DataLoader(torch.load("train.pt"), batch_size=4, shuffle=True)
if args.resume:
    state = torch.load(args.resume)
    model.load_state_dict(state["model"])
    opt.load_state_dict(state["opt"])
    scheduler.load_state_dict(state["scheduler"])
    first = state["epoch"]
else:
    first = 0
for epoch in range(first, 10):
    if {test}:
        scheduler.step()
    for x, y in loader:
        opt.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        opt.step()
"""

PHASES = """
def train(net, optimizer, steps):
    for i, (x, y) in enumerate(LOADER):
        loss = (net(x) - y).square().mean() / steps
        if i % steps == 0:
            optimizer.zero_grad()
            loss.backward()
            if steps == {one}:
                optimizer.step()
        elif i % steps == (steps - 1):
            loss.backward()
            optimizer.step()
        else:
            loss.backward()


for number in (1, 2, 4):
    net = nn.Linear(4, 2)
    train(net, torch.optim.SGD(net.parameters(), lr=0.1), number)
"""

LONG_WINDOWS = """
def train(net, optimizer, steps):
    for i, (x, y) in enumerate(LOADER):
        loss = (net(x) - y).square().mean() / steps
        if i % steps == 0:
            optimizer.zero_grad()
            loss.backward()
        elif i % steps == steps - 1:
            loss.backward()
            optimizer.step()
        else:
            loss.backward()


net = nn.Linear(4, 2)
train(net, torch.optim.SGD(net.parameters(), lr=0.1), int(input()))
"""

NAMED_LOSSES = """
def train(net, optimizer, criterion):
    total = 0.0
    for x, y in LOADER:
        losses = criterion(net(x), y)
        optimizer.zero_grad()
        losses["loss"].backward()
        optimizer.step()
        for name, value in losses.items():
            losses[name] = {number}
        total += losses["loss"]
    return total / len(LOADER)
"""

STOPPER = """
import copy


class Stopper:
    def __init__(self, net):
        self.best, self.weights = float("inf"), {first}

    def look(self, loss, net):
        if loss < self.best:
            self.best, self.weights = loss, {better}


def train(net):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    stopper = Stopper(net)
    for epoch in range(9):
        for x, y in LOADER:
            optimizer.zero_grad()
            (net(x) - y).square().mean().backward()
            optimizer.step()
        with torch.no_grad():
            stopper.look(sum((net(x) - y).square().mean().item() for x, y in TEST_LOADER), net)
    torch.save(stopper.weights, "best.pt")


train(nn.Linear(4, 2))
"""

SINGLE = """
def criterion(out, targets):
    loss = 0.0
    for i, each in enumerate({over}):
        loss += nn.functional.mse_loss(out[i], each)
    return loss


def train(net, optimizer, steps):
    for i, (x, y) in enumerate(LOADER):
        loss = criterion(net(x), y)
        loss.backward()
        if (i + 1) % steps == 0:
            optimizer.step()
            optimizer.zero_grad()


net = nn.Linear(4, 2)
train(net, torch.optim.SGD(net.parameters(), lr=0.1), 4)
"""

PACKED = """
from torch.nn.utils.rnn import pack_padded_sequence


def train(decoder):
    optimizer = torch.optim.SGD(decoder.parameters(), lr=0.1)
    for x, y in LOADER:
        scores = pack_padded_sequence(decoder(x){cut}, [4, 2], batch_first=True).data
        loss = nn.functional.mse_loss(scores, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


train(nn.Linear(4, 2))
"""

NORMALIZED = """
from library import compute_loss


def train(net, steps):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for batches, tokens in windows(LOADER):
        optimizer.zero_grad()
        for i, (x, y) in enumerate(batches):
            loss = compute_loss(net(x), y{given})
            loss.backward()
            if (i + 1) % steps == 0:
                optimizer.step()


train(nn.Linear(4, 2), 4)
"""

CACHED = """
def train(net, scaler):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for x, y in LOADER:
        optimizer.zero_grad()
        with torch.{context}():
            out = torch.cat([net(each) for each in x.split(4)])
        {leaf}
        loss = nn.functional.mse_loss(out, y)
        loss.backward()
        for each, grad in zip(x.split(4), out.grad.split(4)):
            scaler.scale(net(each)).backward(grad)
        scaler.step(optimizer)
        scaler.update()


train(nn.Linear(4, 2), torch.amp.GradScaler())
"""

ONE_EPOCH = """
from torch.utils.data import DistributedSampler

EPOCHS = {epochs}
rows = torch.randn(8, 4)
net = nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
loader = DataLoader(rows, batch_size=2, sampler=DistributedSampler(rows))
for epoch in range(EPOCHS):
    for x in loader:
        optimizer.zero_grad()
        net(x).square().mean().backward()
        optimizer.step()
"""

CLIP = "nn.utils.clip_grad_norm_(net.parameters(), 1.0)"

CLIPPED_EARLY = """
net = nn.Linear(4, 2)
optimizer, scaler = torch.optim.SGD(net.parameters(), lr=0.1), torch.amp.GradScaler()
for x, y in LOADER:
    optimizer.zero_grad()
    loss = (net(x) - y).square().mean()
    {before}
    scaler.scale(loss).backward()
    {after}
    scaler.step(optimizer)
    scaler.update()
"""

CALLED_A_TOOL = """
from library import {name}


def main():
    net = {name}(size=3)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for x, y in LOADER:
        loss = nn.functional.mse_loss(net(x), y)
        loss.backward()
        optimizer.step()
        {cleared}


main()
"""

TARGETS_SCALED = """
class Trainer:
    def load(self, rows):
        self.scaler = Standard(rows)

    def train(self, net, optimizer):
        for x, y in LOADER:
            y = self.scaler.scale({scaled})
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(net(x), y) if {data} else y
            loss.backward()
            optimizer.step()
"""

LEFT_EPOCH = """
net = nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(1):
    if input():
        break
else:
    for x, y in LOADER:
        (net(x) - y).square().mean().backward()
        optimizer.step()
"""

IN_A_DICT = """
def train(net):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    kept, best = {"epoch": 0, "state": net.state_dict()}, float("inf")
    for epoch in range(9):
        for x, y in LOADER:
            optimizer.zero_grad()
            (net(x) - y).square().mean().backward()
            optimizer.step()
        with torch.no_grad():
            loss = sum((net(x) - y).square().mean().item() for x, y in TEST_LOADER)
        if loss <= best:
            best = loss
            kept.update(epoch=epoch, state=net.state_dict())
    torch.save(kept, "best.pt")


train(nn.Linear(4, 2))
"""

BOTH_ARMS = """
def train(net, optimizer, k):
    for epoch in range(9):
        for i, (x, y) in enumerate(LOADER):
            {first}
            loss = nn.functional.mse_loss(net(x), y) / k
            if (i + 1) % k == 0:
                loss.backward()
                optimizer.step()
                optimizer.zero_grad()
            else:
                loss.backward()


net = nn.Linear(4, 2)
train(net, torch.optim.SGD(net.parameters(), lr=0.1), int(input()))
"""

PADDED = """
def train(net, lengths):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(9):
        total = 0
        for x, y in LOADER:
            out = nn.utils.rnn.pad_packed_sequence(nn.utils.rnn.pack_padded_sequence(net(x), lengths))[0]
            loss = nn.functional.mse_loss(out, y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += {number}
        print(total)


train(nn.Linear(4, 2), [2, 2])
"""

HELD_BY_ANOTHER = """
import flows


class Model:
    def __init__(self, flow):
        self.flow = flow

    def parameters(self):
        return self.flow.parameters()

    def loss(self, x):
        return -self.flow.log_prob(x).mean()


def make(kind):
    base = flows.Gaussian(4) if kind == "gauss" else flows.Resampled(4, nn.Sequential(nn.Linear(4, 1), nn.Sigmoid()))
    return Model(flows.NormalizingFlow(base, [flows.Planar(4)]))


model = make(input())
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(9):
    for x, y in LOADER:
        loss = model.loss(x)
        loss.backward()
        optimizer.step()
        {cleared}
"""

MICRO_LOOP = """
def {name}(k, contexts):
    for context in contexts * k:
        with context():
            yield


def step(net, optimizer, batches, k):
    total, seen = 0, []
    optimizer.zero_grad()
    for _ in {name}(k, [contextlib.nullcontext]):
        x, y = next(batches)
        loss = nn.functional.mse_loss(net(x), y)
        (loss / k).backward()
        total += loss
    optimizer.step()
    return total.item()


net = nn.Linear(4, 2)
print(step(net, torch.optim.SGD(net.parameters(), lr=0.1), iter(LOADER), 4))
"""

LAST_EPOCH = """
def train(net, epochs, main):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(epochs):
        for x, y in LOADER:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(x), y).backward()
            optimizer.step()
        if main and (epoch % 10 == 9 or epoch == {last}):
            kept = net.state_dict()
    if main:
        net.load_state_dict(kept)
        torch.save(net.state_dict(), "last.pt")


train(nn.Linear(4, 2), {epochs}, input() == "0")
"""

PARTLY_LOADED = """
def load(net, path):
    found, own = torch.load(path), net.state_dict()
    try:
        net.load_state_dict({{name: each for name, each in found.items() if name in own}})
    except RuntimeError:
        {mixed}
        net.load_state_dict(own)


load(nn.Linear(4, 2), "old.pt")
"""

BY_MODE = """
from somewhere import GPT


def measure(model: GPT, x):
    with contextlib.nullcontext() if {when} else torch.no_grad():
        y = model(x)
        if model.training:
            y.sum().backward()
"""

SLICED = """
net = nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)


def update(x, y, microbatch):
    optimizer.zero_grad()
    for i in range(0, x.shape[0], {stride}):
        part = x[i : i + microbatch]
        loss = nn.functional.mse_loss(net(part), y[i : i + microbatch]{reduction})
        ({loss}).backward()
    optimizer.step()


for x, y in LOADER:
    update(x, y, 2)
"""

HALVED = """
device = {device}

net = nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 2)).to(device)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in LOADER:
    optimizer.zero_grad()
    with torch.autocast({cast}):
        loss = nn.functional.mse_loss(net(x.to(device)), y.to(device))
    loss.backward()
    optimizer.step()
"""
CHOSEN = '"cuda" if torch.cuda.is_available() else "cpu"'

NUMBERED = """
class Trainer(nn.Module):
    def __init__(self, *nets):
        super().__init__()
        self.nets = nn.ModuleList(nets)
        for i, net in enumerate(nets):
            setattr(self, f"optim{{i}}", torch.optim.Adam(net.parameters()))
            setattr(self, f"scaler{{i}}", torch.cuda.amp.GradScaler())

    def forward(self, i, x, y):
        scaler = getattr(self, f"scaler{{i}}")
        loss = (self.nets[i](x) - y).square().mean()
        scaler.scale(loss).backward()
        return loss.item()

    def update(self, i):
        optimizer, scaler = getattr(self, f"optim{{i}}"), getattr(self, f"scaler{{i}}")
        {unscaled}
        nn.utils.clip_grad_norm_(self.nets[i].parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()


trainer = Trainer(nn.Linear(4, 2), nn.Linear(4, 2))
for x, y in LOADER:
    for i in range(2):
        trainer(i, x, y)
        trainer.update(i)
"""

NORMED = """
class Net(nn.Module):
    def __init__(self, depth, norm):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(4, 4) for _ in range(depth))
        if norm == "l2":
            self.norms = []
        else:
            self.norms = {norms}
        for _ in range(depth):
            if norm == "batch":
                self.norms.append(nn.BatchNorm1d(4))
            elif norm == "l2":
                self.norms.append(lambda x: nn.functional.normalize(x, dim=-1))

    def forward(self, x):
        for layer, norm in zip(self.layers, self.norms):
            x = norm(layer(x))
        return x


net = Net(3, "batch")
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in LOADER:
    optimizer.zero_grad()
    (net(x).mean(1) - y.mean(1)).square().mean().backward()
    optimizer.step()
"""

DELEGATING = """
class LARS:
    def __init__(self, optimizer, eta=1e-3):
        self.optim, self.eta = optimizer, eta
        self.state_dict = self.optim.state_dict
        self.zero_grad = {cleared}

    @property
    def param_groups(self):
        return self.optim.param_groups

    @torch.no_grad()
    def step(self):
        for group in self.optim.param_groups:
            for p in group["params"]:
                p.grad.data *= self.eta
        self.optim.step()


net = nn.Linear(4, 2)
optimizer = LARS(torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9))
for x, y in LOADER:
    optimizer.zero_grad()
    nn.functional.mse_loss(net(x), y).backward()
    optimizer.step()
"""

TWINS: dict[str, Twin] = {
    "an optimizer that has methods of the one in it": (
        "missing-zero-grad", DELEGATING, {"cleared": "self.optim.zero_grad"}, {"cleared": "lambda: None"},
    ),
    "gradients that are cleared after each step, by a count that begins at one": (
        "missing-zero-grad", IN_TURNS,
        {"cleared": "number % window == 1 or number == len(LOADER) - 1 or number == len(LOADER)"},
        {"cleared": "number % window == 1 or number == len(LOADER) - 1"},
    ),
    "a network that is made where it was not made before, None until then": (
        "clip-scaled-gradients", MADE_LATER, {"unscale": "self.scaler.unscale_(self.optimizer)"}, {"unscale": "pass"},
    ),
    "a layer that is made where it is applied": (
        "softmax-before-cross-entropy", MADE_IN_PLACE,
        {"layer": "nn.Softmax(dim=1)", "out": "nn.Identity()(out)"}, {"layer": "nn.Identity()", "out": "nn.Softmax(dim=1)(out)"},
    ),
    "a layer that is made under a name, and applied": (
        "softmax-before-cross-entropy", MADE_IN_PLACE,
        {"layer": "nn.Identity()", "out": "last(out)"}, {"layer": "nn.Softmax(dim=1)", "out": "last(out)"},
    ),
    "gradients that are looked at, and cleared, before the window begins": (
        "accumulation-defeated", MEASURED, {"look": "self.sizes[name] = torch.sum(parameter.grad ** 2)"}, {"look": "print(name)"},
    ),
    "gradients that are clamped one by one": (
        "exhausted-parameter-generator", CLAMPED,
        {"parameters": "list(self.net.parameters())"}, {"parameters": "self.net.parameters()"},
    ),
    "what a pass before has left is written on another one": (
        "aliased-best-weights", PERIODIC,
        {"now": "torch.save(kept, 'best.pt')", "later": "print(best)"},
        {"now": "print(best)", "later": "if epoch % 10 == 9: torch.save(kept, 'best.pt')"},
    ),
    "parameters themselves, and no copies": ("aliased-best-weights", FAST_WEIGHTS, {"kept": "keep_vars=True"}, {"kept": ""}),
    "a window of episodes, from which a policy learns": (
        "unscaled-accumulation-loss", EPISODES, {"count": "episode"}, {"count": "batch"},
    ),
    "both arms of a window's test go backward": (
        "accumulation-defeated", BOTH_ARMS, {"first": "print(i)"}, {"first": "optimizer.zero_grad()"},
    ),
    "the numbers of a loss that was computed of a packed sequence": (
        "graph-retained-in-metric", PADDED, {"number": "loss.data[0]"}, {"number": "loss[0]"},
    ),
    "a network that code out of sight has made of another, and is handed back to it": (
        "missing-zero-grad", HELD_BY_ANOTHER, {"cleared": "flows.clear_grad(model)"}, {"cleared": "print(loss)"},
    ),
    "a sum over the micro-batches of one window": (
        "graph-retained-in-metric", MICRO_LOOP, {"name": "accumulation_contexts"}, {"name": "passes"},
    ),
    "weights that the last epoch keeps in any case": (
        "aliased-best-weights", LAST_EPOCH, {"last": "epochs - 1", "epochs": "60"}, {"last": "epochs - 2", "epochs": "60"},
    ),
    "weights that the last epoch keeps in any case, however many there are": (
        "aliased-best-weights", LAST_EPOCH,
        {"last": "epochs - 1", "epochs": "int(input())"}, {"last": "7", "epochs": "int(input())"},
    ),
    "weights of which others take the place, key by key": (
        "aliased-best-weights", PARTLY_LOADED, {"mixed": "own['weight'] = found['weight']"}, {"mixed": "print(own)"},
    ),
    "weights of which others take the place": (
        "aliased-best-weights", PARTLY_LOADED, {"mixed": "own.update(found)"}, {"mixed": "print(own)"},
    ),
    "a mode that is asked for before and behind what is known by its name alone": (
        "detached-loss", BY_MODE, {"when": "model.training"}, {"when": "not x"},
    ),
    "what is only called a scaler, of data": (
        "optimizer-step-bypasses-scaler", TARGETS_SCALED, {"scaled": "y", "data": "True"},
        {"scaled": "nn.functional.mse_loss(net(x), y)", "data": "False"},
    ),
    "a network that is called like what finds documents": (
        "missing-zero-grad", CALLED_A_TOOL, {"name": "DenseRetriever", "cleared": "net.zero_grad()"},
        {"name": "DenseRetriever", "cleared": "print(loss)"},
    ),
    "a network that is called like what cuts texts": (
        "missing-zero-grad", CALLED_A_TOOL, {"name": "VqTokenizer", "cleared": "net.zero_grad()"},
        {"name": "VqTokenizer", "cleared": "print(loss)"},
    ),
    "one epoch, whose order is that of no other": (
        "missing-set-epoch", ONE_EPOCH, {"epochs": "1"}, {"epochs": "2"},
    ),
    "a clip before there is any gradient limits none that is scaled": (
        "clip-scaled-gradients", CLIPPED_EARLY,
        {"before": CLIP, "after": "print(loss)"}, {"before": "print(loss)", "after": CLIP},
    ),
    "a loss whose graph ends in what a network put out without one": (
        "second-loss-unscaled", CACHED, {"context": "no_grad", "leaf": "out.requires_grad = True"},
        {"context": "enable_grad", "leaf": "out.retain_grad()"},
    ),
    "a loss that is told how many tokens the window has": (
        "unscaled-accumulation-loss", NORMALIZED, {"given": ", normalization=tokens"}, {"given": ", tokens=tokens"},
    ),
    "the data of a packed sequence, which has its graph": (
        "detached-loss", PACKED, {"cut": ""}, {"cut": ".data"},
    ),
    "losses of single samples, added up": (
        "unscaled-accumulation-loss", SINGLE, {"over": "targets"}, {"over": "out"},
    ),
    "weights that a copy takes the place of, and a copy that they take the place of": (
        "aliased-best-weights", STOPPER, {"first": "net.state_dict()", "better": "copy.deepcopy(net.state_dict())"},
        {"first": "copy.deepcopy(net.state_dict())", "better": "net.state_dict()"},
    ),
    "losses that are numbers by the time they are summed up": (
        "graph-retained-in-metric", NAMED_LOSSES, {"number": "value.item()"}, {"number": "value / 2"},
    ),
    "a step at the beginning of a window, which has no more than that": (
        "missing-zero-grad", PHASES, {"one": "1"}, {"one": "2"},
    ),
    "a sampler under the type that it is said to be of": (
        "missing-set-epoch", SAMPLED, {"tell": "sampler.set_epoch(epoch)"}, {"tell": "print(sampler)"},
    ),
    "numbers beside what a network puts out": (
        "graph-retained-in-metric", COUNTED, {"steps": "(lengths - 1).tolist()"}, {"steps": "self.out(lengths)"},
    ),
    "numbers beside what one of two networks puts out": (
        "graph-retained-in-metric", ARITY, {"steps": "(lengths - 1).tolist()"}, {"steps": "self.out(lengths)"},
    ),
    "a schedule steps before each epoch but the first of a run that goes on from no other": (
        "scheduler-before-optimizer", RESUMED, {"test": "epoch != 0"}, {"test": "epoch >= 0"},
    ),
    "what a network of unknown making puts out has a graph": (
        "detached-loss", ORACLE, {"loss": "target(x).detach(), weak(x)"}, {"loss": "target(x).detach(), y"},
    ),
    "gradients of single samples that the program sums itself": (
        "accumulation-defeated", PRIVATE, {"taken": "0", "added": "before + grad"}, {"taken": "0", "added": "before + 1"},
    ),
    "a window that is thrown away where its loss is no number": (
        "accumulation-defeated", DROPPED, {"test": "torch.isnan(loss) or torch.isinf(loss)", "then": "continue"},
        {"test": "True", "then": "pass"},
    ),
    "a checkpoint of whoever calls, who may ask for the rank": (
        "save-on-every-rank", RANKS, {"script": "KINDS = [Runner]"}, {"script": "one = Runner(); one.train(); one.keep()"},
    ),
    "what learns of outputs, and is only called like a network, is put into no mode": (
        "clip-before-backward", ENCODER, {"learns": "critic.train(encoder(x), y)"}, {"learns": "critic.train(True)"},
    ),
    "norms that are functions, in a plain list, under a test": (
        "layers-in-plain-list", NORMED, {"norms": "nn.ModuleList()"}, {"norms": "[]"},
    ),
    "optimizers and scalers that a module has under names which are computed": (
        "clip-scaled-gradients", NUMBERED, {"unscaled": "scaler.unscale_(optimizer)"}, {"unscaled": "pass"},
    ),
    "autocast of a device that is chosen": (
        "fp16-without-scaler", HALVED,
        {"device": CHOSEN, "cast": "device, dtype=torch.bfloat16"}, {"device": CHOSEN, "cast": "device"},
    ),
    "autocast of a device's kind": (
        "fp16-without-scaler", HALVED,
        {"device": "torch.device('cpu')", "cast": "device.type"},
        {"device": f"torch.device({CHOSEN})".replace('"cuda"', '"cuda:0"'), "cast": "device_type=device.type"},
    ),
    "autocast where there is a GPU": (
        "fp16-without-scaler", HALVED,
        {"device": CHOSEN, "cast": "'cuda', enabled=device == 'cpu'"},
        {"device": CHOSEN, "cast": "'cuda', enabled=torch.cuda.is_available()"},
    ),
    "micro-batches that are cut from a batch, each with its share": (
        "unscaled-accumulation-loss", SLICED,
        {"stride": "microbatch", "reduction": "", "loss": "loss * len(part) / len(x)"},
        {"stride": "microbatch", "reduction": "", "loss": "loss"},
    ),
    "micro-batches that are cut from a batch, of a sum": (
        "unscaled-accumulation-loss", SLICED,
        {"stride": "microbatch", "reduction": ", reduction='sum'", "loss": "loss"},
        {"stride": "microbatch", "reduction": ", reduction='mean'", "loss": "loss"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("twin", TWINS.values(), ids=TWINS)
def test_the_bug_is_told_and_its_twin_is_not(twin: Twin) -> None:
    assert told(twin) == (False, True)


SOUND = [
    "math.isfinite(norm)", "not torch.isnan(norm).any()", "not (norm.isnan() or norm.isinf())", "torch.isfinite(loss).all()",
    "not np.isnan(float(loss))", "loss == loss", "torch.isnan(loss).sum() == 0", "torch.logical_not(torch.isinf(norm))",
    "(~torch.isnan(norm)).all()", "bool(torch.isfinite(norm))", "not math.isnan(loss.item())",
    "not (torch.isnan(norm) | torch.isinf(loss))", "torch.isnan(loss) | torch.isfinite(norm)",
    "torch.isfinite(norm) & torch.isfinite(loss)", "torch.isnan(loss).float().mean() < 0.5",
]  # fmt: skip
OF_THE_DATA = ["number % 8 == 3", "y == y", "torch.isfinite(y).all()"]
OF_THE_NUMBERS = [
    "torch.where(torch.isnan(loss), torch.zeros_like(loss), loss) < 2", "(torch.isfinite(loss) * loss) < 2",
    "not (torch.isfinite(loss) * y).sum()", "not torch.where(torch.isnan(loss), x, y).any()",
    "(torch.isfinite(loss) & (y > 0)).any()", "loss.item() < 2",
]  # fmt: skip


@pytest.mark.parametrize(
    ("test", "partial"), [*((each, False) for each in SOUND), *((each, True) for each in (*OF_THE_DATA, *OF_THE_NUMBERS))]
)
def test_a_run_is_judged_where_its_numbers_are_finite(test: str, partial: bool) -> None:
    """Those that a network has computed: a target may be missing in any run. Of the numbers themselves nothing is known."""
    clear = "self.optimizer.zero_grad()"
    assert ("clip-partial-accumulation" in names(HEALTHY.format(sound=test, clear=clear))) is partial
    assert "missing-zero-grad" in names(HEALTHY.format(sound=test, clear="pass"))


def test_a_window_that_is_cleared_as_it_begins_is_not_thrown_away() -> None:
    """Nor is it in an arm that the step of its last micro-batch does not share."""
    assert not names(PHASES.format(one="1"))
    assert not names(LONG_WINDOWS)


def test_what_comes_after_a_loop_of_one_pass_is_read() -> None:
    assert names(LEFT_EPOCH) == {"missing-zero-grad"}


@pytest.mark.parametrize(
    ("program", "row"),
    [
        (STOPPER.format(first="net.state_dict()", better="net.state_dict()"), "self.best, self.weights = loss, net.state_dict()"),
        (IN_A_DICT, "kept.update(epoch=epoch, state=net.state_dict())"),
    ],
)
def test_of_weights_that_others_take_the_place_of_those_are_told(program: str, row: str) -> None:
    """What was there before any was better is nothing that anybody wants back."""
    text = HEAD + dedent(program)
    found = [each for each in check_source(text.encode(), "train.py", packs.rules()).findings if each.rule.code == "LC904"]
    assert [text.splitlines()[each.primary.row - 1].strip() for each in found] == [row]


CLOSED = """
from torch.optim import Optimizer


class Plain(Optimizer):
    def __init__(self, params, lr):
        super().__init__(params, {{"lr": lr}})

    @torch.no_grad()
    def step(self, closure=None):
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            for p in group["params"]:
                p.data.add_(p.grad, alpha=-group["lr"])
        return loss


def fit(net, loader):
    optimizer = Plain(net.parameters(), lr=0.1)
    for x, y in loader:

        def backward():
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(net(x), y)
            {early}
            loss.backward()
            return loss

        def limited():
            loss = backward()
            {late}
            return loss

        optimizer.step(limited)
"""


def test_a_closure_that_an_optimizer_of_the_project_runs_is_run_once() -> None:
    clip = "nn.utils.clip_grad_norm_(net.parameters(), 1.0)"
    assert not names(CLOSED.format(early="pass", late=clip))
    assert "clip-before-backward" in names(CLOSED.format(early=clip, late="pass"))


PICKED = """
def train(optimizers, net, head, loader, every):
    for i, (x, y) in enumerate(loader):
        loss = nn.functional.cross_entropy(head(net(x)), y)
        (loss / every).backward()
        done = []
        for at, opt in enumerate(optimizers):
            if (i + 1) % every != 0:
                {other}continue
            opt.step()
            done.append(opt)
        for opt in done:
            opt.zero_grad()
"""


def test_optimizers_that_are_put_into_a_list_on_a_condition_are_those_of_that_alone() -> None:
    """Of the micro-batches between the windows none is stepped, so none is in the list, and no gradients are cleared there."""
    assert "accumulation-defeated" not in names(PICKED.format(other=""))
    assert "accumulation-defeated" in names(PICKED.format(other="done.append(opt)\n                "))


BY_SETTINGS = """
class Optimizers:
    def __init__(self, net, head, args):
        self.net, self.head, self.limit, self.optimizers = net, head, args.limit, []
        self.first = torch.optim.SGD(net.parameters(), lr=0.1) if args.net else None
        self.second = torch.optim.SGD(head.parameters(), lr=0.1) if args.head else None
        self.optimizers.append(self.first) if self.first is not None else None
        self.optimizers.append(self.second) if self.second is not None else None
        self.scaler = torch.amp.GradScaler("cuda")

    def step(self, loss):
        self.scaler.scale(loss).backward()
        if self.limit is not None:
            for optimizer in self.optimizers:
                {unscale}
            nn.utils.clip_grad_norm_(self.net.parameters(), self.limit)
        for optimizer in self.optimizers:
            self.scaler.step(optimizer)
        self.scaler.update()
        for optimizer in self.optimizers:
            optimizer.zero_grad()

"""


def test_nobody_sets_that_there_are_no_optimizers() -> None:
    assert "clip-scaled-gradients" not in names(BY_SETTINGS.format(unscale="self.scaler.unscale_(optimizer)"))
    assert "clip-scaled-gradients" in names(BY_SETTINGS.format(unscale="pass"))
