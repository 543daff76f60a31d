"""Programs that are right, each beside its twin that has the bug: which of two networks runs, who calls, what goes backward."""

from __future__ import annotations

from textwrap import dedent

import pytest

from loopcheck import packs
from loopcheck.check import check_source
from loopcheck.rule import Confidence

HEAD = """\
import argparse
import functools

import torch
import torchvision
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

LOADER = DataLoader(TensorDataset(torch.randn(8, 4), torch.randn(8, 2)), batch_size=2, shuffle=True)
TEST_LOADER = DataLoader(TensorDataset(torch.randn(8, 4), torch.randn(8, 2)), batch_size=2)
"""

REBOUND = """
def train_epochs(epochs):
    model, worse = torchvision.models.resnet18(), 0
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        if worse > 0:
            model = torch.load("best.pt")["model"]
            optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
        train(model, optimizer)
        validate(model)
        worse += 1


def train(model, optimizer):
    {mode}
    for x, y in LOADER:
        loss = (model(x) - y).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


@torch.no_grad()
def validate(model):
    model.eval()
    return sum((model(x) - y).square().mean().item() for x, y in TEST_LOADER)


train_epochs(3)
"""

COMMANDS = """
def logged(function):
    @functools.wraps(function)
    def around(*args):
        print(function.__name__)
        return function(*args)

    return around


def load(path):
    model = nn.Sequential(nn.Linear(4, 2), nn.Dropout())
    model.load_state_dict(torch.load(path))
    return model.eval()


@logged
def likelihoods(args, model=None):
    model = load(args.weights) if model is None else model
    for x, y in TEST_LOADER:
        print(model(x).detach().mean(-1).cpu().numpy())


def prior(args):
    likelihoods(args, model=load(args.weights))


TABLE = {{"likelihoods": likelihoods, "prior": prior}}


def main(args):
    with {context}:
        TABLE[args.command](args)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("command", choices=TABLE)
    parser.add_argument("--weights")
    main(parser.parse_args())
"""

ITSELF = """
class Gan(nn.Module):
    def __init__(self):
        super().__init__()
        self.generator, self.discriminator = nn.Linear(4, 4), nn.Linear(4, 1)

    def backward_g(self, fake, x):
        loss = (fake - x).square().mean() + self.discriminator(fake).mean()
        {backward}
        return loss

    def forward(self, x):
        fake = self.generator(x)
        return self.backward_g(fake, x), fake


model = Gan()
model.load_state_dict(torch.load("gan.pt"))
model.eval()
losses = []
for x, y in TEST_LOADER:
    loss, fake = model(x)
    losses.append(loss.detach().cpu().numpy())
"""

STACKED = """
parser = argparse.ArgumentParser(description="Test of {what}")
args = parser.parse_args()
layers = []
if not args.linear:
    layers.append(nn.MultiheadAttention(8, 2, dropout=0.1))
for trial in range(args.trials):
    x = torch.randn(3, 4, 8).requires_grad_(True)
    for index in range(0, args.layers):
        outputs, _ = layers[index].forward(x, x, x)
        x = outputs
    x.backward(torch.ones(3, 4, 8))
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

ENCODER = """
from critics import make_critic_learner

encoder, critic = nn.Linear(4, 2), make_critic_learner()
net = nn.Sequential(encoder, nn.Linear(2, 2))
optimizer, encoder_optimizer = torch.optim.Adam(net.parameters()), torch.optim.Adam(encoder.parameters())
for x, y in LOADER:
    {learns}
    nn.utils.clip_grad_norm_(encoder.parameters(), 1.0)
    encoder_optimizer.step()
    encoder_optimizer.zero_grad()
    loss = (net(x) - y).square().mean()
    optimizer.zero_grad()
    loss.backward()
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

MASKED = """
import torch.nn.functional as F


class Curious(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(4, 2)

    def forward(self, x):
        return self.encoder(x)

    def surprise(self, x, y):
        return F.dropout({dropped}, p=0.2).sum(-1)
"""

GRAPHS = """
import torch.nn.functional as F
from torch_geometric.nn import GCNConv, SAGEConv, global_mean_pool


class Net(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.args = args
        self.conv = GCNConv(3, 4{share}) if args.gcn else SAGEConv(3, 4)
        self.head = nn.Linear(4, 2)

    def forward(self, x, edges, batch):
        return self.head(global_mean_pool(F.relu(self.conv(x, edges)), batch))


def train(args, graphs, held_out):
    net = Net(args)
    optimizer = torch.optim.Adam(net.parameters())
    net.train()
    for epoch in range(5):
        for x, edges, batch, y in graphs:
            optimizer.zero_grad()
            loss = F.cross_entropy(net(x, edges, batch), y)
            loss.backward()
            optimizer.step()
        net.eval()
        with torch.no_grad():
            print(sum((net(x, edges, batch).argmax(1) == y).sum().item() for x, edges, batch, y in held_out))
"""

FROZEN_NORMS = """
def train(model, data, optimizer):
    model.train()
    for layer in model.module.modules() if isinstance(model, nn.DataParallel) else model.modules():
        if isinstance(layer, (nn.BatchNorm1d, nn.BatchNorm2d)):
            layer.eval()
    for i, (x, y) in enumerate(data["train"]):
        {restored}
        optimizer.zero_grad()
        loss = (model(x) - y).square().mean()
        loss.backward()
        optimizer.step()
        if i % 100 == 99:
            evaluate(model, data)


def evaluate(model, data):
    model.eval()
    with torch.no_grad():
        for x, y in data["val"]:
            print((model(x) - y).square().mean().item())
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

SHARES = """
class FeedForward(nn.Module):
    def __init__(self, width, layers, activation, dropout=0.0):
        super().__init__()
        if not isinstance(width, list):
            width = [width] * layers
        activation = [activation] * layers
        dropout = [dropout] * layers
        self.activations = activation
        self.layers = nn.ModuleList([nn.Linear(i, o) for i, o in zip([4, *width[:-1]], width)])
        self.drops = nn.ModuleList([nn.Dropout(share) for share in dropout])
        self.size = width[-1]

    def get_size(self):
        return self.size

    def forward(self, x):
        for layer, activation, dropout in zip(self.layers, self.activations, self.drops):
            x = dropout(activation(layer(x)))
        return x


net = FeedForward([8, 2], 2, nn.ReLU(){share})
net.load_state_dict(torch.load("net.pt"))
with torch.no_grad():
    for x, y in TEST_LOADER:
        print(net(x).argmax(1))
"""

FLOW = """
import torch.distributions as D

class Scale(nn.Module):
    def __init__(self):
        super().__init__()
        self.factor = nn.Parameter(torch.zeros(3))
        self.net = nn.Conv2d(3, 3, kernel_size=3)

    def forward(self, x):
        return self.net(x) * self.factor.exp()

class Half(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = Scale()

    def forward(self, x):
        return {half}

class Flow(nn.Module):
    def __init__(self, depth):
        super().__init__()
        self.steps = nn.ModuleList([Half() for _ in range(depth)])
        self.scale = Scale()

    def forward(self, x):
        for step in self.steps:
            x = step(x)
        return -D.Normal(0, 1).log_prob(self.scale(x)).mean()

model = Flow(args.depth)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
loader, test = (DataLoader(torch.load(each), batch_size=4, shuffle=True) for each in ("train.pt", "test.pt"))
model.train()
for epoch in range(9):
    for x in loader:
        opt.zero_grad()
        model(x).backward()
        opt.step()
    model.eval()
    with torch.no_grad():
        print(sum(model(x).item() for x in test))
"""
INSISTED = """
model = nn.Sequential(nn.Linear(3, 3), nn.BatchNorm1d(3))
model.load_state_dict(torch.load("model.pt"))
loader = DataLoader(torch.load("test.pt"), batch_size=1)

def test(model, loader):
    {mode}
    with torch.no_grad():
        return sum((model(x).argmax(1) == y).sum().item() for x, y in loader)

print(test(model, loader))
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
    scores, steps, order = model(x, lengths)
    loss = F.cross_entropy(scores.flatten(0, 1), y)
    loss.backward()
    opt.step()
    meter.update(loss.item(), sum(steps))
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
NAMED_LOSS = """
import segmentation_models_pytorch as smp

model = nn.Sequential(nn.Linear(3, 3), nn.Dropout())
loss = getattr(nn, args.loss)() if args.plain else getattr({made}, args.loss)(mode="multilabel")
opt = torch.optim.SGD(model.parameters(), lr=0.1)
loader, test_loader = (DataLoader(torch.load(each), batch_size=4, shuffle=True) for each in ("train.pt", "test.pt"))
for epoch in range(9):
    model.train()
    for x, y in loader:
        opt.zero_grad()
        loss(model(x), y).backward()
        opt.step()
    model.eval()
    with torch.no_grad():
        for x, y in test_loader:
            print(loss(model(x), y).item())
"""
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
SIZES = """
class Small(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = {layer}

    def forward(self, x):
        return self.layer(x)

def network(size):
    if size == "small":
        return Small(), False
    elif size == "wide":
        return nn.Linear(3, 30), False
    elif size == "wider":
        return nn.Linear(3, 40), False
    elif size == "widest":
        return nn.Linear(3, 50), True
    elif size == "large":
        return nn.Linear(3, 60), True
    elif size == "larger":
        return nn.Linear(3, 70), True
    return nn.Linear(3, 80), True

model, is_large = network(args.size)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
loader, test = (DataLoader(torch.load(each), batch_size=4, shuffle=True) for each in ("train.pt", "test.pt"))
model.train()
for epoch in range(9):
    for x, y in loader:
        opt.zero_grad()
        F.cross_entropy(model(x), y).backward()
        opt.step()
    model.eval()
    with torch.no_grad():
        print([model(x).argmax(1).tolist() for x, _ in test])
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

RESTARTED = """
def make(config):
    if config.kind == "deep":
        return nn.Sequential(nn.Linear(4, 2), nn.Dropout())
    return nn.Sequential(nn.Linear(4, 9), nn.Dropout(), nn.Linear(9, 2))


def train(net):
    {mode}
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for x, y in LOADER:
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x), y).backward()
        optimizer.step()


def main(config):
    net = make(config)
    for task in range(config.tasks):
        if task > 0 and config.from_scratch:
            if config.alone:
                net = make(config)
        train(net)
        net.eval()


parser = argparse.ArgumentParser()
parser.add_argument("--kind")
parser.add_argument("--tasks", type=int)
parser.add_argument("--from_scratch", action="store_true")
parser.add_argument("--alone", action="store_true")
main(parser.parse_args())
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

WEIGHTED = """
class WeightedLoss(nn.Module):
    def __init__(self):
        super().__init__()
        self.loss = nn.MSELoss(reduction="none")
        {own}

    def __call__(self, out, target, weights):
        return (self.loss(out, target) * weights).sum()


def validate(net, criterion):
    net.eval()
    found = {{"out": [], "y": []}}
    with torch.no_grad():
        for x, y in TEST_LOADER:
            found["out"].extend(list(net(x).cpu()))
            found["y"].extend(list(y))
    for key in found:
        found[key] = torch.stack(found[key])
    for share in (0.5, 1.0):
        print(criterion(found["out"], found["y"], share).item())


def train(net, criterion):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for x, y in LOADER:
        net.train()
        optimizer.zero_grad()
        criterion(net(x), y, 1.0).backward()
        optimizer.step()
    validate(net, criterion)


train(nn.Linear(4, 2), WeightedLoss())
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

LOOKUP = """
def main():
    table = {made}
    optimizer = torch.optim.SGD(table.parameters(), lr=0.1)
    for x, y in LOADER:
        optimizer.zero_grad()
        table(x).mean().backward()
        optimizer.step()
    table.eval()
    for x, y in TEST_LOADER:
        print(table(x).detach().numpy())


main()
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

OTHER_NORM = """
def main():
    net = torchvision.models.resnet18(norm_layer={norm})
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(2):
        for x, y in LOADER:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(x), y).backward()
            optimizer.step()
        with torch.no_grad():
            print(sum(nn.functional.mse_loss(net(x), y).item() for x, y in TEST_LOADER))


main()
"""

TWINS = {
    "what is only called a scaler, of data": (
        "optimizer-step-bypasses-scaler", TARGETS_SCALED, {"scaled": "y", "data": "True"},
        {"scaled": "nn.functional.mse_loss(net(x), y)", "data": "False"},
    ),
    "an architecture with another norm than its own": (
        "missing-eval-mode", OTHER_NORM.replace("norm_layer=", ""), {"norm": "norm_layer=nn.InstanceNorm2d"}, {"norm": ""},
    ),
    "a network that is called like what finds documents": (
        "missing-zero-grad", CALLED_A_TOOL, {"name": "DenseRetriever", "cleared": "net.zero_grad()"},
        {"name": "DenseRetriever", "cleared": "print(loss)"},
    ),
    "a network that is called like what cuts texts": (
        "missing-zero-grad", CALLED_A_TOOL, {"name": "VqTokenizer", "cleared": "net.zero_grad()"},
        {"name": "VqTokenizer", "cleared": "print(loss)"},
    ),
    "rows of a table are looked up": (
        "missing-no-grad", LOOKUP, {"made": "nn.Embedding(10, 4)"}, {"made": "nn.Linear(4, 4)"},
    ),
    "one epoch, whose order is that of no other": (
        "missing-set-epoch", ONE_EPOCH, {"epochs": "1"}, {"epochs": "2"},
    ),
    "a loss that is called and has no weights": (
        "missing-no-grad", WEIGHTED, {"own": "self.scale = 2.0"}, {"own": "self.scale = nn.Parameter(torch.ones(2))"},
    ),
    "a clip before there is any gradient limits none that is scaled": (
        "clip-scaled-gradients", CLIPPED_EARLY,
        {"before": CLIP, "after": "print(loss)"}, {"before": "print(loss)", "after": CLIP},
    ),
    "a network that several tests have made anew": (
        "missing-train-restore", RESTARTED, {"mode": "net.train()"}, {"mode": "print(net)"},
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
    "networks of parameters and of other networks, with a density": (
        "missing-train-restore", FLOW, {"half": "self.scale(x)"}, {"half": "F.dropout(self.scale(x), 0.5, self.training)"},
    ),
    "a program that only evaluates, in train mode in so many words": (
        "missing-eval-mode", INSISTED, {"mode": "model.train()"}, {"mode": "print(model)"},
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
    "a criterion of a library's, by a name": (
        "missing-eval-mode", NAMED_LOSS, {"made": "smp.losses"}, {"made": "smp"},
    ),
    "a schedule steps before each epoch but the first of a run that goes on from no other": (
        "scheduler-before-optimizer", RESUMED, {"test": "epoch != 0"}, {"test": "epoch >= 0"},
    ),
    "one of many networks, handed back beside something else": (
        "missing-train-restore", SIZES, {"layer": "nn.Linear(3, 3)"}, {"layer": "nn.Sequential(nn.Linear(3, 3), nn.Dropout())"},
    ),
    "a network that is loaded on some passes is put into train mode on each": (
        "missing-train-restore", REBOUND, {"mode": "model.train()"}, {"mode": "print(model)"},
    ),
    "a table's functions run where the table is asked": (
        "missing-no-grad", COMMANDS, {"context": "torch.no_grad()"}, {"context": "open('log.txt')"},
    ),
    "a network that goes backward itself needs its graph": (
        "missing-no-grad", ITSELF, {"backward": "loss.backward(retain_graph=True)"}, {"backward": "print(loss)"},
    ),
    "what a network of unknown making puts out has a graph": (
        "detached-loss", ORACLE, {"loss": "target(x).detach(), weak(x)"}, {"loss": "target(x).detach(), y"},
    ),
    "gradients of single samples that the program sums itself": (
        "accumulation-defeated", PRIVATE, {"taken": "0", "added": "before + grad"}, {"taken": "0", "added": "before + 1"},
    ),
    "a loss of which a part is dropped": (
        "ungated-functional-dropout", MASKED, {"dropped": "F.mse_loss(self(x), y, reduction='none')"}, {"dropped": "self(x)"},
    ),
    "convolutions over graphs, which are the same in both modes": (
        "missing-train-restore", GRAPHS, {"share": ""}, {"share": ", dropout=0.5"},
    ),
    "the kind of a network under the name of one": (
        "missing-train-restore", GRAPHS.replace("self.args = args", "self.model = args.model").replace("net", "model"),
        {"share": ""}, {"share": ", dropout=0.5"},
    ),
    "layers that a test picks out are kept in eval mode, and the rest is not": (
        "missing-train-restore", FROZEN_NORMS, {"restored": "model.train()"}, {"restored": "print(i)"},
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
    "shares of nothing, and activations, in lists that are repeated": (
        "missing-eval-mode", SHARES, {"share": ""}, {"share": ", 0.1"},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("rule", "program", "right", "wrong"), TWINS.values(), ids=TWINS)
def test_the_bug_is_told_and_its_twin_is_not(rule: str, program: str, right: dict[str, str], wrong: dict[str, str]) -> None:
    assert [rule in names(program.format(**each)) for each in (right, wrong)] == [False, True]


def names(program: str) -> set[str]:
    """The rules of the bug tier that tell something of a program, with more than low confidence."""
    report = check_source((HEAD + dedent(program)).encode(), "train.py", packs.rules())
    return {each.rule.name for each in report.findings if each.confidence is not Confidence.LOW}


@pytest.mark.parametrize("what", ["attention", "speed"])
def test_a_program_that_calls_itself_a_test_holds_nothing_out(what: str) -> None:
    assert not names(STACKED.format(what=what))


def test_a_window_that_is_cleared_as_it_begins_is_not_thrown_away() -> None:
    """Nor is it in an arm that the step of its last micro-batch does not share."""
    assert not names(PHASES.format(one="1"))
    assert not names(LONG_WINDOWS)


ONE_EPOCH = """
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


def test_what_comes_after_a_loop_of_one_pass_is_read() -> None:
    assert names(ONE_EPOCH) == {"missing-zero-grad"}


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
