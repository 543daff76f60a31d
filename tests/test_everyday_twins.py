"""Everyday ways to write what has a bug, each beside its twin that is right and the same but for what makes that."""

from __future__ import annotations

import pytest
from twins import Twin, told

STEP = """
        loss = nn.functional.cross_entropy(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()"""
TRAINED = f"""
    optimizer = torch.optim.Adam(net.parameters())
    for x, y in train_loader:{STEP}
"""
DROPPING = "nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.1), nn.Linear(8, 4))"

TWINS: dict[str, Twin] = {
    "a text with the network in it": (
        "missing-eval-mode",
        f"""
def main(train_loader, test_loader):
    net = {DROPPING}
    print("a network of {{}}".format(net))
{TRAINED}
    {{mode}}
    with torch.no_grad():
        for x, y in test_loader:
            print((net(x).argmax(1) == y).sum().item())
""".replace("of {}", "of {{}}"),
        {"mode": "net.eval()"},
        {"mode": "pass"},
    ),
    "a class that its decorator registers": (
        "missing-eval-mode",
        f"""
NETS = {{{{}}}}


def named(name):
    def keep(cls):
        NETS[name] = cls
        return cls

    return keep


@named("small")
class Small(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = {DROPPING}

    def forward(self, x):
        return self.layers(x)


net = NETS["small"]()
net.load_state_dict(torch.load("net.pt"))
{{mode}}
with torch.no_grad():
    for x, y in TEST_LOADER:
        print(net(x).argmax(1))
""",
        {"mode": "net.eval()"},
        {"mode": "pass"},
    ),
    "a class by its own name in a table": (
        "missing-eval-mode",
        f"""
class Small(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = {DROPPING}

    def forward(self, x):
        return self.layers(x)


NETS = {{{{cls.__name__: cls for cls in [Small]}}}}
net = NETS["Small"]()
net.load_state_dict(torch.load("net.pt"))
{{mode}}
with torch.no_grad():
    for x, y in TEST_LOADER:
        print(net(x).argmax(1))
""",
        {"mode": "net.eval()"},
        {"mode": "pass"},
    ),
    "one of several classes, by an option": (
        "missing-eval-mode",
        """
class Small(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.drop = nn.Linear(4, 2), nn.Dropout(0.5)
        {mode}

    def forward(self, x):
        return self.drop(self.first(x))


class Large(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.norm = nn.Linear(4, 2), nn.BatchNorm1d(2)

    def forward(self, x):
        return self.norm(self.first(x))


NETS = {{"small": Small, "large": Large}}


def main(args, test_set):
    net = NETS[args.net]()
    net.load_state_dict(torch.load(args.weights))
    with torch.no_grad():
        for x, y in DataLoader(test_set, batch_size=4):
            print((net(x).argmax(1) == y).sum().item())
""",
        {"mode": "self.eval()"},
        {"mode": "pass"},
    ),
    "a long factory with a table": (
        "missing-eval-mode",
        f"""
class Slim(nn.Module):
    def __init__(self, bias=True):
        super().__init__()
        self.layers = {DROPPING}

    def forward(self, x):
        return self.layers(x)


class Wide(Slim):
    pass


KINDS = {{{{"slim": Slim, "wide": Wide}}}}


def create(args):
    make = KINDS.get(args.kind)
    if not make:
        raise ValueError(args.kind)
    if args.kind == "slim":
        net = make(bias=True)
    elif args.kind == "wide":
        net = make()
    else:
        net = make(bias=args.bias)
    return net


def main(args, x):
    net = create(args).to("cuda")
    net.load_state_dict(torch.load(args.weights))
    {{mode}}
    with torch.no_grad():
        scores = net(x)
    print(torch.softmax(scores, dim=1).argmax(dim=1).item())


main(argparse.Namespace(kind="slim", bias=True, weights="net.pt"), torch.randn(1, 4))
""",
        {"mode": "net.eval()"},
        {"mode": "pass"},
    ),
    "a wrapper around what was loaded": (
        "missing-eval-mode",
        """
class Tap(nn.Module):
    def __init__(self, net):
        super().__init__()
        self.net = net

    def forward(self, x):
        return self.net(x), x


def main(path, x):
    net = torchvision.models.resnet18()
    net.load_state_dict(torch.load(path))
    tap = Tap(net)
    {mode}
    with torch.no_grad():
        scores, maps = tap(x)
    print(torch.softmax(scores, dim=1).argmax(dim=1).item())


main("net.pt", torch.randn(1, 3, 64, 64))
""",
        {"mode": "net.eval()"},
        {"mode": "pass"},
    ),
    "a layer of one's own": (
        "layer-replaced-after-optimizer",
        """
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = {inner}

    def forward(self, x):
        return self.inner(x)


class Tower(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.head = nn.Linear(4, 4), Block()

    def forward(self, x):
        return self.head(self.body(x))


tower = Tower()
optimizer = torch.optim.Adam(tower.parameters())
tower.head = Block()
for x, y in LOADER:
    optimizer.zero_grad()
    nn.functional.mse_loss(tower(x), y).backward()
    optimizer.step()
""",
        {"inner": "nn.ReLU()"},
        {"inner": "nn.Linear(4, 2)"},
    ),
    "a pass that iterates itself": (
        "missing-eval-mode",
        f"""
class Report:
    def __init__(self, net):
        self.net = net

    def __iter__(self):
        with torch.no_grad():
            for x, y in TEST_LOADER:
                yield (self.net(x).argmax(1) == y).sum().item()


net = {DROPPING}
net.load_state_dict(torch.load("net.pt"))
{{mode}}
for right in Report(net):
    print(right)
""",
        {"mode": "net.eval()"},
        {"mode": "pass"},
    ),
    "the test set at once, in a function after the loop": (
        "missing-eval-mode",
        f"""
def error(net, inputs, targets):
    return ((net(inputs) - targets) ** 2).mean().item()


def main(train_loader, x_test, y_test):
    net = {DROPPING}
{TRAINED}
    {{mode}}
    print(error(net, x_test, y_test))
""",
        {"mode": "net.eval()"},
        {"mode": "pass"},
    ),
    "a mask that a function is handed": (
        "missing-no-grad",
        f"""
def accuracy(net, graph, mask):
    {{grad}}
    scores = net(graph.x)
    return (scores[mask].argmax(1) == graph.y[mask]).float().mean().item()


def main(graph):
    net = {DROPPING}
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(9):
        net.train()
        loss = nn.functional.cross_entropy(net(graph.x)[graph.train_mask], graph.y[graph.train_mask])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        net.eval()
        print(accuracy(net, graph, graph.val_mask))
""",
        {"grad": "torch.set_grad_enabled(False)"},
        {"grad": "pass"},
    ),
    "a method that training goes through": (
        "missing-no-grad",
        """
from flows import Spline


def held_out(density, loader):
    total = 0.0
    {grad}
        for points in loader:
            total -= density.log_prob(points).mean().item()
    return total


def main(args, train_loader, val_loader):
    density = Spline(args.size)
    optimizer = torch.optim.Adam(density.parameters())
    for epoch in range(args.epochs):
        density.train()
        for points in train_loader:
            loss = -density.log_prob(points).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        density.eval()
        print(held_out(density, val_loader))
""",
        {"grad": "with torch.no_grad():"},
        {"grad": "if True:"},
    ),
    "scores that are written into a tensor": (
        "missing-no-grad",
        f"""
from rollouts import KEPT


def decode(net, x):
    scores = torch.zeros(5, 4)
    for at in range(5):
        scores[at] = net(x)[0]
    {{taken}}


net = {DROPPING}
net.load_state_dict(torch.load("net.pt"))
net.eval()
decode(net, torch.randn(1, 4))
""",
        {"taken": "KEPT.keep(scores)"},
        {"taken": "print(scores.argmax(1).tolist())"},
    ),
    "a trainer that is a module": (
        "missing-no-grad",
        """
class Painter(nn.Module):
    def __init__(self, data):
        super().__init__()
        self.data, self.net = data, nn.Linear(8, 8)
        self.optimizer = torch.optim.Adam(self.net.parameters())

    {grad}
    def validate(self, noise):
        print(self.net(noise).cpu().detach().numpy().mean())

    def fit(self, epochs):
        fixed = torch.randn(4, 8)
        for epoch in range(epochs):
            self.validate(fixed)
            for x, y in self.data:
                self.optimizer.zero_grad()
                loss = nn.functional.mse_loss(self.net(x), y)
                loss.backward()
                self.optimizer.step()


Painter(LOADER).fit(3)
""",
        {"grad": "@torch.no_grad()"},
        {"grad": "# of noise that is fixed"},
    ),
    "a method of what two functions are given": (
        "missing-no-grad",
        """
def train_epoch(model, loader, optimizer):
    model.train()
    for batch in loader:
        loss = model.compute_loss(batch)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def validate(model, val_loader):
    model.eval()
    total = 0.0
    {grad}
        for batch in val_loader:
            total += model.compute_loss(batch).item()
    return total / len(val_loader)
""",
        {"grad": "with torch.no_grad():"},
        {"grad": "if True:"},
    ),
    "a method out of sight whose graph is cut": (
        "missing-no-grad",
        """
from models import build


def measure(net, loader):
    net.eval()
    rows = []
    for x, y in loader:
        rows.append(net.encode(x){cut}.cpu())
    return torch.cat(rows)


def main(args, train_loader, val_loader):
    net = build(args)
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(args.epochs):
        net.train()
        for x, y in train_loader:
            loss = net(x)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(measure(net, val_loader).std())
""",
        {"cut": ""},
        {"cut": ".detach()"},
    ),
    "a loss function of the project": (
        "softmax-before-cross-entropy",
        f"""
def objective(scores, y):
    return nn.functional.cross_entropy(scores, y)


def main(train_loader):
    net = nn.Sequential(nn.Linear(4, 8){{last}})
    optimizer = torch.optim.Adam(net.parameters())
    for x, y in train_loader:{STEP.replace("nn.functional.cross_entropy", "objective")}
""",
        {"last": ", nn.ReLU()"},
        {"last": ", nn.Softmax(dim=1)"},
    ),
    "a mask of the outputs": (
        "softmax-before-cross-entropy",
        f"""
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 8)

    def forward(self, x):
        return {{last}}(self.first(x))


def main(train_loader, mask):
    net = Net()
    optimizer = torch.optim.Adam(net.parameters())
    for x, y in train_loader:{STEP.replace("net(x), y", "net(x)[mask], y[mask]")}
""",
        {"last": "torch.relu"},
        {"last": "nn.functional.softmax"},
    ),
    "a container that is added to": (
        "softmax-before-cross-entropy",
        f"""
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(4, 8), nn.Softmax(dim=1))
        self.layers.add_module("last", {{last}})

    def forward(self, x):
        return self.layers(x)


def main(train_loader):
    net = Net()
    optimizer = torch.optim.Adam(net.parameters())
    for x, y in train_loader:{STEP}
""",
        {"last": "nn.Linear(8, 4)"},
        {"last": "nn.Softmax(dim=1)"},
    ),
    "a sequence that is added to": (
        "softmax-before-cross-entropy",
        f"""
def main(train_loader):
    net = nn.Sequential(nn.Linear(4, 8), nn.Softmax(dim=1))
    {{last}}
    optimizer = torch.optim.Adam(net.parameters())
    for x, y in train_loader:{STEP}
""",
        {"last": "net.append(nn.Linear(8, 4))"},
        {"last": "pass"},
    ),
    "scores put together": (
        "sigmoid-before-bce-with-logits",
        """
class Judge(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 1)

    def forward(self, x):
        return {last}(self.first(x))


def main(train_loader):
    judge, criterion = Judge(), nn.BCEWithLogitsLoss()
    optimizer = torch.optim.Adam(judge.parameters())
    for real, fake in train_loader:
        optimizer.zero_grad()
        criterion(torch.cat([judge(real), judge(fake)])[:, 0], torch.ones(8)).backward()
        optimizer.step()
""",
        {"last": "torch.relu"},
        {"last": "torch.sigmoid"},
    ),
    "a head of a ready-made network": (
        "softmax-before-cross-entropy",
        f"""
def main(train_loader):
    net = torchvision.models.resnet18(weights="DEFAULT")
    net.fc = nn.Sequential(nn.Linear(512, 4){{last}})
    optimizer = torch.optim.Adam(net.parameters())
    for x, y in train_loader:{STEP}
""",
        {"last": ""},
        {"last": ", nn.Softmax(dim=1)"},
    ),
    "a loop over layers": (
        "softmax-before-cross-entropy",
        f"""
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 8), {{last}}])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x[:, -1]


def main(train_loader):
    net = Net()
    optimizer = torch.optim.Adam(net.parameters())
    for x, y in train_loader:{STEP}
""",
        {"last": "nn.Linear(8, 8)"},
        {"last": "nn.Softmax(dim=1)"},
    ),
    "layers by their names": (
        "softmax-before-cross-entropy",
        f"""
from collections import OrderedDict


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(OrderedDict([("first", nn.Linear(4, 8)), ("last", {{last}})]))

    def forward(self, x):
        return self.layers(x)


def main(train_loader):
    net = Net()
    optimizer = torch.optim.Adam(net.parameters())
    for x, y in train_loader:{STEP}
""",
        {"last": "nn.Linear(8, 8)"},
        {"last": "nn.Softmax(dim=1)"},
    ),
    "the entries of a dictionary of losses": (
        "graph-retained-in-metric",
        """
def epoch(net, train_loader, criterion):
    optimizer = torch.optim.Adam(net.parameters())
    kept = {{"fit": 0.0, "size": 0.0}}
    for x, y in train_loader:
        out = net(x)
        losses = {{"fit": criterion(out, y), "size": out.abs().mean()}}
        loss = losses["fit"] + losses["size"]
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        for name, value in losses.items():
            kept[name] += value{number}
    return kept
""",
        {"number": ".item()"},
        {"number": ""},
    ),
    "a moving average": (
        "graph-retained-in-metric",
        f"""
def epoch(net, train_loader):
    optimizer, mean = torch.optim.Adam(net.parameters()), 0.0
    for x, y in train_loader:{STEP}
        mean = 0.9 * mean + 0.1 * loss{{number}}
    return mean
""",
        {"number": ".item()"},
        {"number": ""},
    ),
    "a dictionary of lists": (
        "graph-retained-in-metric",
        f"""
from collections import defaultdict


def epoch(net, train_loader):
    optimizer, kept = torch.optim.Adam(net.parameters()), defaultdict(list)
    for x, y in train_loader:{STEP}
        kept["loss"].append(loss{{number}})
    return kept
""",
        {"number": ".item()"},
        {"number": ""},
    ),
    "a sum under a key": (
        "graph-retained-in-metric",
        f"""
def epoch(net, train_loader):
    optimizer, kept = torch.optim.Adam(net.parameters()), {{{{}}}}
    for x, y in train_loader:{STEP}
        kept["loss"] = kept.get("loss", 0.0) + loss{{number}}
    return kept
""",
        {"number": ".item()"},
        {"number": ""},
    ),
    "a loader that a function has made": (
        "scheduler-cadence",
        f"""
from data import make


def main(args, net):
    train_loader = make(args)
    optimizer = torch.optim.Adam(net.parameters())
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=args.epochs{{batches}})
    for epoch in range(args.epochs):
        for x, y in train_loader:{STEP.replace("        ", "            ")}
        scheduler.step()
""",
        {"batches": ""},
        {"batches": " * len(train_loader)"},
    ),
    "a loop that may be broken off": (
        "scheduler-cadence",
        f"""
def main(args, net, train_loader, patience):
    optimizer = torch.optim.Adam(net.parameters())
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=args.epochs{{batches}})
    for epoch in range(args.epochs):
        for x, y in train_loader:{STEP.replace("        ", "            ")}
        if patience(net):
            break
        scheduler.step()
""",
        {"batches": ""},
        {"batches": " * len(train_loader)"},
    ),
    "milestones": (
        "scheduler-cadence",
        f"""
def main(args, net, train_loader):
    optimizer = torch.optim.Adam(net.parameters())
    milestones = [args.epochs // 2, args.epochs * 3 // 4]
    scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, milestones)
    for epoch in range(args.epochs):
        for x, y in train_loader:{STEP.replace("        ", "            ")}
            {{inner}}
        {{outer}}
""",
        {"inner": "pass", "outer": "scheduler.step()"},
        {"inner": "scheduler.step()", "outer": "pass"},
    ),
    "as many steps as there are epochs": (
        "scheduler-cadence",
        f"""
def main(net, train_loader):
    optimizer = torch.optim.Adam(net.parameters())
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max={{length}})
    for epoch in range(90):
        for x, y in train_loader:{STEP.replace("        ", "            ")}
            scheduler.step()
""",
        {"length": "9000"},
        {"length": "90"},
    ),
    "as many steps as there are epochs, and a warm-up": (
        "scheduler-cadence",
        f"""
from torch.optim.lr_scheduler import LinearLR


def main(net, train_loader):
    optimizer = torch.optim.Adam(net.parameters())
    scheduler = LinearLR(optimizer, {{ends}}, total_iters=10)
    for epoch in range(10):
        for x, y in train_loader:{STEP.replace("        ", "            ")}
            scheduler.step()
""",
        {"ends": "0.01, 1.0"},
        {"ends": "1.0, 0.01"},
    ),
    "a schedule that an option asks for": (
        "scheduler-cadence",
        f"""
from torch.optim.lr_scheduler import CosineAnnealingLR, ReduceLROnPlateau


def main(args, net, train_loader):
    optimizer = torch.optim.Adam(net.parameters())
    if args.schedule == "cosine":
        scheduler = CosineAnnealingLR(optimizer, T_max=args.epochs{{batches}})
    elif args.schedule == "plateau":
        scheduler = ReduceLROnPlateau(optimizer)
    for epoch in range(args.epochs):
        total = 0.0
        for x, y in train_loader:{STEP.replace("        ", "            ")}
            total += loss.item()
        if args.schedule == "plateau":
            scheduler.step(total)
        else:
            scheduler.step()
""",
        {"batches": ""},
        {"batches": " * len(train_loader)"},
    ),
    "milestones among the epochs": (
        "scheduler-cadence",
        f"""
def main(net, train_loader):
    optimizer = torch.optim.Adam(net.parameters())
    scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, [10, {{last}}])
    for epoch in range(30):
        for x, y in train_loader:{STEP.replace("        ", "            ")}
            scheduler.step()
""",
        {"last": "200"},
        {"last": "20"},
    ),
    "what is left of a run": (
        "scheduler-cadence",
        f"""
def main(args, net, train_loader):
    optimizer = torch.optim.Adam(net.parameters())
    total = args.epochs{{batches}}
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda t: (total - t) / total)
    for epoch in range(args.epochs):
        for x, y in train_loader:{STEP.replace("        ", "            ")}
        scheduler.step()
""",
        {"batches": ""},
        {"batches": " * len(train_loader)"},
    ),
    "one schedule after another": (
        "scheduler-cadence",
        f"""
from torch.optim.lr_scheduler import CosineAnnealingLR, LinearLR, SequentialLR


def main(args, net, train_loader):
    optimizer = torch.optim.Adam(net.parameters())
    warm = LinearLR(optimizer, 0.1, total_iters=args.warmup_epochs)
    cosine = CosineAnnealingLR(optimizer, T_max=args.epochs - args.warmup_epochs)
    scheduler = SequentialLR(optimizer, [warm, cosine], milestones=[args.warmup_epochs])
    for epoch in range(args.epochs):
        for x, y in train_loader:{STEP.replace("        ", "            ")}
            {{inner}}
        {{outer}}
""",
        {"inner": "pass", "outer": "scheduler.step()"},
        {"inner": "scheduler.step()", "outer": "pass"},
    ),
    "a cosine of one's own": (
        "scheduler-cadence",
        f"""
import math


class Cosine:
    def __init__(self, steps):
        self.steps = steps

    def __call__(self, step):
        return 0.5 * (1 + math.cos(math.pi * step / self.steps))


def main(args, net, train_loader):
    optimizer = torch.optim.Adam(net.parameters())
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, Cosine(args.epochs{{batches}}))
    for epoch in range(args.epochs):
        for x, y in train_loader:{STEP.replace("        ", "            ")}
        scheduler.step()
""",
        {"batches": ""},
        {"batches": " * len(train_loader)"},
    ),
    "samples by the size of a batch": (
        "scheduler-cadence",
        f"""
def main(args, net, train_set):
    train_loader = DataLoader(train_set, batch_size=args.batch_size, shuffle=True)
    optimizer = torch.optim.Adam(net.parameters())
    total = args.epochs{{batches}}
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=total)
    for epoch in range(args.epochs):
        for x, y in train_loader:{STEP.replace("        ", "            ")}
        scheduler.step()
""",
        {"batches": ""},
        {"batches": " * (len(train_set) // args.batch_size)"},
    ),
    "a schedule of Lightning's by an option": (
        "scheduler-cadence",
        """
import lightning as L


class Task(L.LightningModule):
    def __init__(self, args):
        super().__init__()
        self.args, self.net = args, nn.Linear(4, 4)

    def training_step(self, batch, batch_idx):
        return nn.functional.cross_entropy(self.net(batch[0]), batch[1])

    def configure_optimizers(self):
        optimizer = torch.optim.Adam(self.parameters())
        found = [optimizer]
        if self.args.schedule:
            steps = self.trainer.estimated_stepping_batches
            scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.1, total_steps=steps)
            found = ([optimizer], [{schedule}])
        return found


L.Trainer(max_epochs=9).fit(Task(args), LOADER)
""",
        {"schedule": '{"scheduler": scheduler, "interval": "step"}'},
        {"schedule": "scheduler"},
    ),
    "epochs in steps of Lightning's": (
        "scheduler-cadence",
        """
import lightning as L


class Task(L.LightningModule):
    def __init__(self, args):
        super().__init__()
        self.args, self.net = args, nn.Linear(4, 4)

    def training_step(self, batch, batch_idx):
        return nn.functional.cross_entropy(self.net(batch[0]), batch[1])

    def configure_optimizers(self):
        optimizer = torch.optim.Adam(self.parameters())
        scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=self.args.max_epochs)
        return {{"optimizer": optimizer, "lr_scheduler": {{"scheduler": scheduler, "interval": {unit}}}}}


L.Trainer(max_epochs=args.max_epochs).fit(Task(args), LOADER)
""",
        {"unit": '"epoch"'},
        {"unit": '"step"'},
    ),
    "blocks of a dict, with norms that a function makes": (
        "missing-eval-mode",
        """
from collections import OrderedDict


def norm(size, kind="batch"):
    if kind == "group":
        return nn.GroupNorm(4, size)
    elif kind == "batch":
        return nn.BatchNorm1d(size)


class Block(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.linear = nn.Linear(size, size)
        self.norm = norm(size)

    def forward(self, x):
        return x + self.norm(self.linear(x))


class Net(nn.Module):
    def __init__(self, depths):
        super().__init__()
        stages = OrderedDict()
        for i, depth in enumerate(depths):
            stages[f"stage{{i + 1}}"] = self.stage(depth)
        self.stages = nn.Sequential(stages)

    def stage(self, depth):
        blocks = [Block(4)]
        for _ in range(1, depth):
            blocks.append(Block(4))
        return nn.Sequential(*blocks)

    def forward(self, x):
        return self.stages(x)


def evaluate(path):
    net = Net([2, 2])
    net.load_state_dict(torch.load(path))
    {mode}
    with torch.no_grad():
        return sum((net(x).argmax(1) == y).sum().item() for x, y in TEST_LOADER)


print(evaluate("net.pt"))
""",
        {"mode": "net.eval()"},
        {"mode": "pass"},
    ),
    "a process group that is joined among much else": (
        "save-on-every-rank",
        """
import os

import torch.distributed as dist


def set_up(args):
    if "RANK" in os.environ:
        args.rank = int(os.environ["RANK"])
        args.gpu = int(os.environ["LOCAL_RANK"])
        args.world_size = int(os.environ["WORLD_SIZE"])
    else:
        args.distributed = False
        print("one process")
        return
    args.distributed = True
    torch.cuda.set_device(args.gpu)
    print("rank", args.rank)
    dist.init_process_group("nccl", world_size=args.world_size, rank=args.rank)


def main(args):
    set_up(args)
    net = nn.Linear(4, 4).cuda()
    plain = net
    if args.distributed:
        net = nn.parallel.DistributedDataParallel(net, device_ids=[args.gpu])
        plain = net.module
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(args.epochs):
        for x, y in LOADER:
            optimizer.zero_grad()
            nn.functional.cross_entropy(net(x), y).backward()
            optimizer.step()
        {save}


parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=9)
main(parser.parse_args())
""",
        {"save": 'if args.rank == 0: torch.save(plain.state_dict(), "net.pt")'},
        {"save": 'torch.save(plain.state_dict(), "net.pt")'},
    ),
    "a clamp of each gradient": (
        "clip-after-step",
        """
net = nn.Linear(4, 4)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)


def learn(x, y):
    nn.functional.cross_entropy(net(x), y).backward()
    {before}
    optimizer.step()
    {after}
    optimizer.zero_grad()


for x, y in LOADER:
    learn(x, y)
""",
        {"before": "for p in net.parameters(): p.grad.data.clamp_(-1, 1)", "after": "pass"},
        {"before": "pass", "after": "for p in net.parameters(): p.grad.data.clamp_(-1, 1)"},
    ),
    "a body that is thawed when the head was given": (
        "unfrozen-but-not-optimized",
        """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.head = torchvision.models.resnet18(pretrained=True), nn.Linear(1000, 2)

    def forward(self, x):
        return self.head(self.body(x))


net = Net()
for p in net.body.parameters():
    p.requires_grad = False
optimizer = torch.optim.Adam({given}.parameters())
for epoch in range(9):
    if epoch == 3:
        for p in net.body.parameters():
            p.requires_grad = True
    for x, y in LOADER:
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        optimizer.step()
""",
        {"given": "net"},
        {"given": "net.head"},
    ),
    "a list of what needs a gradient": (
        "unfrozen-but-not-optimized",
        """
net = torchvision.models.resnet18(pretrained=True)
for p in net.parameters():
    p.requires_grad = False
net.fc = nn.Linear(512, 2)
given = []
for name, p in net.named_parameters():
    if {test}:
        given.append(p)
optimizer = torch.optim.Adam(given)
for epoch in range(9):
    if epoch == 3:
        for p in net.parameters():
            p.requires_grad = True
    for x, y in LOADER:
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        optimizer.step()
""",
        {"test": "p.dim() > 0"},
        {"test": "p.requires_grad == True"},
    ),
    "a head that a trainer puts in": (
        "layer-replaced-after-optimizer",
        """
class Trainer:
    def __init__(self, net, loader):
        self.net, self.loader = net, loader
        {before}
        self.optimizer = torch.optim.Adam(self.net.parameters())
        {after}

    def run(self):
        for x, y in self.loader:
            self.optimizer.zero_grad()
            nn.functional.cross_entropy(self.net(x), y).backward()
            self.optimizer.step()


Trainer(torchvision.models.resnet18(), LOADER).run()
""",
        {"before": "self.net.fc = nn.Linear(512, 2)", "after": "pass"},
        {"before": "pass", "after": "self.net.fc = nn.Linear(512, 2)"},
    ),
    "steps that Lightning is told beforehand": (
        "scheduler-cadence",
        """
import lightning as L


class Data(L.LightningDataModule):
    def train_dataloader(self):
        return LOADER


class Task(L.LightningModule):
    def __init__(self, args):
        super().__init__()
        self.args, self.net = args, nn.Linear(4, 4)

    def setup(self, stage):
        self.total = len(LOADER) * self.args.max_epochs

    def training_step(self, batch, batch_idx):
        return nn.functional.cross_entropy(self.net(batch[0]), batch[1])

    def configure_optimizers(self):
        optimizer = torch.optim.Adam(self.parameters())
        scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=self.total)
        return [optimizer], [{schedule}]


L.Trainer(max_epochs=args.max_epochs).fit(Task(args), Data())
""",
        {"schedule": '{"scheduler": scheduler, "interval": "step"}'},
        {"schedule": "scheduler"},
    ),
    "as many steps as Lightning takes": (
        "scheduler-cadence",
        """
import lightning as L


class Task(L.LightningModule):
    def __init__(self, args):
        super().__init__()
        self.args, self.net = args, nn.Linear(4, 4)

    def training_step(self, batch, batch_idx):
        return nn.functional.cross_entropy(self.net(batch[0]), batch[1])

    def configure_optimizers(self):
        optimizer = torch.optim.Adam(self.parameters())
        scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max={length})
        return {{"optimizer": optimizer, "lr_scheduler": scheduler}}


L.Trainer(max_steps=args.max_steps).fit(Task(args), LOADER)
""",
        {"length": "self.trainer.max_epochs"},
        {"length": "self.args.max_steps"},
    ),
    "a wave that is learned and predicted": (
        "missing-eval-mode",
        """
import numpy as np

wave = np.sin(np.arange(0, 100, 0.1)).reshape(-1, 1)
train_x = torch.from_numpy(wave[:800]).float()
test_x = torch.from_numpy(wave[800:]).float()
net = nn.Sequential(nn.Linear(1, 8), nn.Dropout(0.1), nn.Linear(8, 1))
optimizer = torch.optim.Adam(net.parameters())
for step in range(100):
    optimizer.zero_grad()
    nn.functional.mse_loss(net(train_x), train_x).backward()
    optimizer.step()
{mode}
found = net(test_x).detach().numpy()
print(np.sqrt(np.mean((found - wave[800:]) ** 2)))
""",
        {"mode": "net.eval()"},
        {"mode": "pass"},
    ),
    "a method of what is wrapped": (
        "forward-bypasses-wrapper",
        """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)

    def forward(self, x):
        return self.layer(x)

    def loss(self, x, y):
        return nn.functional.cross_entropy(self(x), y)


torch.distributed.init_process_group("nccl")
net = nn.parallel.DistributedDataParallel(Net().cuda())
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in LOADER:
    loss = {loss}
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
""",
        {"loss": "nn.functional.cross_entropy(net(x), y)"},
        {"loss": "net.module.loss(x, y)"},
    ),
    "shards that may be clipped by a method": (
        "raw-clip-under-framework",
        """
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP

torch.distributed.init_process_group("nccl")
net = nn.Linear(4, 4).cuda()
if args.shard:
    net = FSDP(net, limit_all_gathers=True)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in LOADER:
    optimizer.zero_grad()
    nn.functional.cross_entropy(net(x), y).backward()
    if {test}:
        net.clip_grad_norm_(1.0)
    else:
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    optimizer.step()
""",
        {"test": 'hasattr(net, "clip_grad_norm_")'},
        {"test": "args.by_method"},
    ),
    "a first look at the test set": (
        "missing-train-restore",
        """
class Scorer(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.head = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.1)), nn.Linear(8, 4)

    def forward(self, x):
        return self.head(self.body(x))


def measure(scorer, loader):
    scorer.eval()
    with torch.no_grad():
        return sum((scorer(x).argmax(1) == y).sum().item() for x, y in loader)


scorer = Scorer()
slow = torch.optim.Adam(scorer.body.parameters(), lr=1e-5)
fast = torch.optim.Adam(scorer.head.parameters(), lr=1e-3)
print(measure(scorer, TEST_LOADER))
for epoch in range(10):
    {mode}
    for x, y in LOADER:
        slow.zero_grad()
        fast.zero_grad()
        nn.functional.cross_entropy(scorer(x), y).backward()
        slow.step()
        fast.step()
    print(measure(scorer, TEST_LOADER))
""",
        {"mode": "scorer.train()"},
        {"mode": "pass"},
    ),
}

DIVIDED = """
import deepspeed

net = nn.Linear(4, 2)
{started}
for x, y in LOADER:
    engine.backward(nn.functional.mse_loss(engine(x), y))
    engine.step()
{saved}
"""
STARTED = "engine, _, _, _ = deepspeed.initialize(model=net, model_parameters=net.parameters(), config='zero.json')"
WRITTEN = {"started": STARTED, "saved": "torch.save(net.state_dict(), 'net.pt')"}
TWINS |= {
    f"what DeepSpeed's processes train, written by {whom}": ("save-on-every-rank", DIVIDED, WRITTEN | {"saved": right}, WRITTEN)
    for whom, right in {
        "the first of them": "if torch.distributed.get_rank() == 0:\n    torch.save(net.state_dict(), 'net.pt')",
        "its engine": "engine.save_checkpoint('out')",
    }.items()
}
JOINED = """
import sys

import apex
import deepspeed


def train(net, optimizer, distributed):
    if distributed:
        {joins}
        net = {wraps}.parallel.DistributedDataParallel(net)
    for x, y in LOADER:
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x), y).backward()
        optimizer.step()
    if {whom}:
        torch.save(net.state_dict(), "net.pt")


net = nn.Linear(4, 2)
train(net, torch.optim.SGD(net.parameters(), lr=0.1), len(sys.argv) > 1)
"""
FIRST = {"whom": "not distributed or torch.distributed.get_rank() == 0"}
TWINS |= {
    f"a model of several processes, {how}": ("save-on-every-rank", JOINED, made | FIRST, made | {"whom": "True"})
    for how, made in {
        "that DeepSpeed joins": {"joins": "deepspeed.init_distributed()", "wraps": "nn"},
        "that Apex averages": {"joins": "torch.distributed.init_process_group('nccl')", "wraps": "apex"},
    }.items()
}


@pytest.mark.parametrize("twin", TWINS.values(), ids=TWINS.keys())
def test_of_these_twins_the_wrong_one_is_told(twin: Twin) -> None:
    assert told(twin) == (False, True)
