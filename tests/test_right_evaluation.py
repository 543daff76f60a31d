"""Programs that evaluate rightly, each beside its twin that has the bug: modes, graphs, what is applied and by whom."""

from __future__ import annotations

import pytest
from twins import Twin, names, told

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

ENCODED = """
from transformers import BertModel, GPT2Model


class Net(nn.Module):
    def __init__(self, name):
        super().__init__()
        self.encoder = GPT2Model.from_pretrained(name) if name.startswith("gpt") else BertModel.from_pretrained(name)
        self.head = nn.Sequential({head}nn.Linear(768, 2))

    def represent(self, x):
        return self.head(self.encoder(x)[0].mean(1))

    def forward(self, x):
        return self.represent(x).softmax(-1)


def cached(loader, net):
    with torch.no_grad():
        return [net.represent(x) for x, _ in loader]


def run(path, name):
    rows = []
    if path.endswith(".csv"):
        net = Net(name)
    elif path.endswith(".txt"):
        net = Net(name)
        for line in open(path):
            rows.append(evaluate(line))
    else:
        net = Net(name)
        for line in open(path):
            rows.append(evaluate(line))
    kept = cached(TEST_LOADER, net)
    torch.save(net.head.state_dict(), "head.pt")


run(*input().split())
"""

INNER = """
class Learner(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(4, 2)

    def adapted(self, loss, rate):
        grads = torch.autograd.grad(loss, self.net.parameters())
        return [weight - rate * grad for weight, grad in zip(self.net.parameters(), grads)]

    def test(self, steps):
        self.net.eval()
        for _ in range(steps):
            loss = torch.tensor(0.0)
            for x, y in TEST_LOADER:
                loss += nn.functional.mse_loss(self.net(x), y)
            {use}


Learner().test(3)
"""

HEADLESS = """
class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        resnet = torchvision.models.resnet18(pretrained=True)
        for weight in resnet.parameters():
            {frozen}
        modules = MODULES
        self.features = nn.Sequential(*modules)

    def forward(self, x):
        return self.features(x).flatten(1)


encoder = Encoder()
encoder.eval()
for x, y in TEST_LOADER:
    print(encoder(x).detach().numpy())
"""
UNFROZEN = {"frozen": "weight.requires_grad_(False)"}, {"frozen": "print(weight.shape)"}

METERED = """
from torchmetrics import Accuracy


def accuracy(net, loader):
    net.eval()
    metric = Accuracy(task="multiclass", num_classes=2)
    for x, y in loader:
        out = net(x)
        metric.update(out, y)
        {trained}
    return metric.compute()


net = nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
print(accuracy(net, LOADER))
"""

PERCEPTUAL = """
class Perceptual(nn.Module):
    def __init__(self):
        super().__init__()
        layers = torchvision.models.vgg16(pretrained=True).features
        self.enc_0, self.enc_1 = nn.Sequential(*layers[:5]), nn.Sequential(*layers[5:10])
        self.encs = nn.ModuleList([self.enc_0, self.enc_1])
        for i in range(2):
            for weight in PART.parameters():
                {frozen}

    def forward(self, x, y):
        loss = 0.0
        for i in range(2):
            x, y = PART(x), PART(y)
            loss += nn.functional.l1_loss(x, y)
        return loss


def validate(net, perceptual):
    net.eval()
    for x, y in TEST_LOADER:
        with torch.no_grad():
            made = net(x)
        print(perceptual(made, y).item())
    net.train()


net, perceptual = nn.Conv2d(3, 3, 1), Perceptual()
optimizer = torch.optim.Adam(net.parameters())
for x, y in LOADER:
    loss = perceptual(net(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
validate(net, perceptual)
"""
FROZEN = {"frozen": "weight.requires_grad = False"}, {"frozen": "print(weight.shape)"}

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

FIRST_LAYERS = """
import torch.nn.functional as F


class {name}(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 8), nn.Linear(8, 8)])

    def forward(self, x):
        for layer in self.layers:
            x = F.dropout(F.relu(layer(x)), 0.5)
        return x
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

AT_ONCE = """
def fit(net, held_out, labels, epochs):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(epochs):
        net.train()
        for x, y in LOADER:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(x), y).backward()
            optimizer.step()
        net.eval()
        {computed}
        {used}


fit(nn.Linear(4, 2), *torch.load("test.pt"), 9)
"""

BY_OPTION = """
class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Sequential(nn.Linear(4, 4), nn.Dropout())

    def forward(self, x):
        return self.layer(x)


class Net(nn.Module):
    def __init__(self, kind):
        super().__init__()
        {chosen}
        self.head = nn.Linear(4, 2)

    def forward(self, x):
        return self.head(self.encoder(x))


def main(kind):
    net = Net(kind)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(9):
        for x, y in LOADER:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(x), y).backward()
            optimizer.step()
        with torch.no_grad():
            print(sum(nn.functional.mse_loss(net(x), y).item() for x, y in TEST_LOADER))


main(input())
"""

ONE_BRANCH = """
from somewhere import make


def scored(net, kind):
    if kind == "short":
        with torch.no_grad():
            return [{short}(x).detach().numpy() for x, _ in TEST_LOADER]
    out = []
    for x, y in TEST_LOADER:
        out.append((net(x) - y).mean().item())
    return out


def main():
    net = make()
    net.load_state_dict(torch.load("net.pt"))
    net.eval()
    print(scored(net, input()))


main()
"""

TAKEN_OUT = """
def validate(net):
    {mode}
    with torch.no_grad():
        return sum(nn.functional.mse_loss(net(x), y).item() for x, y in TEST_LOADER)


def main():
    net = nn.Sequential(nn.Linear(4, 2), nn.BatchNorm1d(2))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(9):
        for x, y in LOADER:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(x), y).backward()
            optimizer.step()
        print(validate(net))


main()
"""

HOPS = """
class Hops(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer, self.dropout = nn.Linear(4, 4), {made}

    def forward(self, x, mess_dropout=True):
        return self.dropout(self.layer(x)) if mess_dropout else self.layer(x)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.hops, self.head = Hops(), nn.Linear(4, 2)

    def forward(self, x, y):
        return nn.functional.mse_loss(self.head(self.hops(x)), y)

    def generate(self, x):
        return self.head(self.hops(x, mess_dropout={dropout}))


net = Net()
optimizer = torch.optim.Adam(net.parameters())
for epoch in range(3):
    for x, y in LOADER:
        optimizer.zero_grad()
        net(x, y).backward()
        optimizer.step()
    with torch.no_grad():
        for x, y in TEST_LOADER:
            print(nn.functional.mse_loss(net.generate(x), y).item())
"""

FROZEN_BY_OPTIONS = """
args = argparse.ArgumentParser().parse_args()


def is_on(name):
    return hasattr(args, name) and type(getattr(args, name)) == bool and getattr(args, name)


def score(net, loader):
    net.eval()
    return sum(nn.functional.mse_loss(net(x), y).item() for x, y in loader)


net = None
if is_on("hidden") or (is_on("freeze") and not args.replay == "all" and not is_on("buffer") and not is_on("generate")):
    net = nn.Linear(4, 2)
    for parameter in net.parameters():
        {frozen}
if net is not None:
    print(score(net, TEST_LOADER))
"""

ENERGIES = """
class Energy(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 2))

    def forward(self, x):
        energy = self.layers(x)
        return {force}


class Criterion(nn.Module):
    def __init__(self):
        super().__init__()
        self.share = nn.Parameter(torch.ones(()))

    def forward(self, found, y):
        return self.share * (found - y).square().mean()


model, criterion = Energy(), Criterion()
optimizer = torch.optim.Adam([*model.parameters(), *criterion.parameters()])
for epoch in range(3):
    for x, y in LOADER:
        optimizer.zero_grad()
        criterion(model(x.requires_grad_()), y[:, :1]).backward()
        optimizer.step()
    for x, y in TEST_LOADER:
        print(criterion(model(x.requires_grad_()), y[:, :1]).item())
"""

SWITCHED = """
net = nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.5), nn.Linear(4, 2))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)


def run(phase):
    net.train() if phase == "train" else net.eval()
    {switch}
    for x, y in LOADER if phase == "train" else TEST_LOADER:
        loss = nn.functional.mse_loss(net(x), y)
        if phase == "train":
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(phase, loss.item())


for epoch in range(3):
    torch.set_grad_enabled(True)
    run("train")
    run("test")
"""

WHOLE = """
FEATURES, LABELS = torch.load("features.pt"), torch.load("labels.pt")
{split}
net, criterion = nn.Sequential(nn.Linear(4, 8), nn.Dropout(), nn.Linear(8, 2)), nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(100):
    net.train()
    optimizer.zero_grad()
    {loss}.backward()
    optimizer.step()
    {each}
{mode}
{measure}
"""
TWO_SETS = "X_train, X_test, y_train, y_test = FEATURES[:80], FEATURES[80:], LABELS[:80], LABELS[80:]"
OF_TWO_SETS = {"split": TWO_SETS, "loss": "criterion(net(X_train), y_train)"}
OF_A_MASK = {
    "split": "train_mask, test_mask = torch.load('masks.pt')", "loss": "criterion(net(FEATURES)[train_mask], LABELS[train_mask])",
}  # fmt: skip
ACCURATE = "print((net(X_test).argmax(1) == y_test).float().mean().item())"
ON_MASK = "scores = net(FEATURES).argmax(1)\n    print((scores[{mask}] == LABELS[{mask}]).float().mean().item())"
EACH_EPOCH = "score = criterion(net(X_test), y_test)\n    print(score.item())"
UNRECORDED = "with torch.no_grad():\n        score = criterion(net(X_test), y_test)\n    print(score.item())"

ADAPTING = """
net = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8))
net.load_state_dict(torch.load("source.pt"))
head = nn.Sequential(nn.BatchNorm1d(8), nn.Linear(8, 2))
optimizer = torch.optim.SGD([*net.parameters(), *head.parameters()], lr=0.1)
net.train()
for inputs_test, _ in LOADER:
    with torch.no_grad():
        before = head(net(inputs_test)).softmax(1)
    loss = -(head(net({learned})).log_softmax(1) * before).sum(1).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""

BORROWED = """
from torchvision import models


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        {body}

    def forward(self, x):
        return self.body(x).flatten(1)


net, head = Encoder(), nn.Linear(512, 3)
optimizer = torch.optim.SGD([*net.parameters(), *head.parameters()], lr=0.1)
for epoch in range(3):
    net.train()
    for x, y in LOADER:
        optimizer.zero_grad()
        nn.functional.cross_entropy(head(net(x)), y).backward()
        optimizer.step()
    {mode}
    with torch.no_grad():
        for x, y in TEST_LOADER:
            print((head(net(x)).argmax(1) == y).sum().item())
"""

BORROWS = {"body": "self.body = models.vgg19_bn(pretrained=True).features"}

HANDED_ANOTHER = """
import timm

net = nn.Sequential(nn.Linear(4, 4), nn.Dropout())
net.load_state_dict(torch.load("net.pt"))
tuner = timm.create_model("tuner", pretrained=True)
tuner.eval()
hits = 0
for x, y in DataLoader(torch.load("test.pt"), batch_size=8):
    hits += (tuner({given}).argmax(1) == y).sum().item()
print(hits)
"""

TEACHING_ITSELF = """
class Whole(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Linear(8, 2))
        self.optimizer = torch.optim.Adam(self.body.parameters())

    def forward(self, x, y):
        loss = nn.functional.cross_entropy(self.body(x), y)
        {learn}
        return {{"loss": loss}}

    def update(self, loss):
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()


net = Whole()
net.load_state_dict(torch.load("net.pt"))
net.train()
total = 0.0
for x, y in LOADER:
    total += net(x, y)["loss"].item()
print(total)
"""

TUNED = """
parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=1)
args = parser.parse_args()
net = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Linear(8, 2))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)


def tune(net, x):
    for step in range(args.steps):
        optimizer.zero_grad()
        (-net(x).softmax(1).pow(2).sum(1).mean()).backward()
        optimizer.step()


net.train()
for x, _ in LOADER:
    if args.steps > {least}:
        net.train()
    tune(net, x)
    net.eval()
    with torch.no_grad():
        print(net(x).argmax(1))
"""

LEFT_TO_HEIRS = """
class Trainer:
    def fit(self, train, test):
        net = self.build()
        optimizer = torch.optim.Adam(net.parameters())
        for epoch in range(9):
            net.train()
            for x, y in DataLoader(train, batch_size=8, shuffle=True):
                optimizer.zero_grad()
                self.loss(net(x), y).backward()
                optimizer.step()
            net.eval()
            total = 0.0
            for x, y in DataLoader(test, batch_size=8):
                {grad}
                    total += self.loss(net(x), y).item()
            print(total)

    def loss(self, output, target):
        raise NotImplementedError

    def build(self):
        raise NotImplementedError("what is trained")


class Baseline(Trainer):
    def loss(self, output, target):
        return nn.functional.cross_entropy(output, target)

    def build(self):
        return nn.Sequential(nn.Linear(4, 8), nn.Dropout(), nn.Linear(8, 2))
"""

TWINS: dict[str, Twin] = {
    "code out of sight that is handed another network": (
        "missing-no-grad", HANDED_ANOTHER, {"given": "net, x"}, {"given": "x"},
    ),
    "a network that trains itself where it is applied": (
        "missing-eval-mode", TEACHING_ITSELF, {"learn": "self.update(loss)"}, {"learn": "loss = loss.mean()"},
    ),
    "a trainer that leaves its network and its loss to its heirs": (
        "missing-no-grad", LEFT_TO_HEIRS, {"grad": "with torch.no_grad():"}, {"grad": "if len(x) > 1:"},
    ),
    "a loop that has passes where the mode is restored": ("missing-train-restore", TUNED, {"least": "0"}, {"least": "1"}),
    "a part of a ready-made network, which is in the mode of the one that holds it": (
        "missing-eval-mode", BORROWED, {**BORROWS, "mode": "net.eval()"}, {**BORROWS, "mode": ""},
    ),
    "a part of a ready-made network without batch norms": (
        "missing-eval-mode", BORROWED,
        {**BORROWS, "body": "self.body = models.vgg19(pretrained=True).features", "mode": ""}, {**BORROWS, "mode": ""},
    ),
    "a network that adapts itself to what it is tested on": (
        "missing-eval-mode", ADAPTING, {"learned": "inputs_test"}, {"learned": "torch.load('train.pt')"},
    ),
    "all of the test set at once, after what was trained": (
        "missing-eval-mode", WHOLE,
        {**OF_TWO_SETS, "each": "", "mode": "net.eval()", "measure": ACCURATE},
        {**OF_TWO_SETS, "each": "", "mode": "", "measure": ACCURATE},
    ),
    "all of the data at once, of which a mask says what is held out": (
        "missing-eval-mode", WHOLE,
        {**OF_A_MASK, "each": ON_MASK.format(mask="train_mask"), "mode": "", "measure": ""},
        {**OF_A_MASK, "each": ON_MASK.format(mask="test_mask"), "mode": "", "measure": ""},
    ),
    "all of the test set at once, after each epoch": (
        "missing-eval-mode", WHOLE,
        {**OF_TWO_SETS, "each": "net.eval()\n    " + EACH_EPOCH, "mode": "", "measure": ""},
        {**OF_TWO_SETS, "each": EACH_EPOCH, "mode": "", "measure": ""},
    ),
    "a graph of all of the test set, each epoch": (
        "missing-no-grad", WHOLE,
        {**OF_TWO_SETS, "each": UNRECORDED, "mode": "", "measure": ""},
        {**OF_TWO_SETS, "each": EACH_EPOCH, "mode": "", "measure": ""},
    ),
    "a graph of all of the test set, at the end": (
        "missing-no-grad", WHOLE,
        {**OF_TWO_SETS, "each": "", "mode": "torch.set_grad_enabled(False)", "measure": ACCURATE},
        {**OF_TWO_SETS, "each": "", "mode": "net.eval()", "measure": ACCURATE},
    ),
    "the test set beside what is trained, which is learned from as well": (
        "missing-eval-mode", WHOLE,
        {**OF_TWO_SETS, "each": EACH_EPOCH + "\n    score.backward()", "mode": "", "measure": ""},
        {**OF_TWO_SETS, "each": EACH_EPOCH, "mode": "", "measure": ""},
    ),
    "a part that is told to drop nothing": (
        "missing-eval-mode", HOPS,
        {"made": "nn.Dropout(0.5)", "dropout": "False"}, {"made": "nn.Dropout(0.5)", "dropout": "True"},
    ),
    "a part with batch norms, which is told to drop nothing": (
        "missing-eval-mode", HOPS,
        {"made": "nn.Dropout(0.5)", "dropout": "False"},
        {"made": "nn.Sequential(nn.Dropout(0.5), nn.BatchNorm1d(4))", "dropout": "False"},
    ),
    "a network that is frozen where it is made, under more tests than are told apart": (
        "missing-no-grad", FROZEN_BY_OPTIONS, {"frozen": "parameter.requires_grad = False"}, {"frozen": "print(parameter)"},
    ),
    "what is made of the output of a network that takes gradients itself": (
        "missing-no-grad", ENERGIES,
        {"force": "torch.autograd.grad(energy.sum(), x, create_graph=True)[0]"}, {"force": "energy"},
    ),
    "autograd that is switched by the phase, in one expression": (
        "missing-no-grad", SWITCHED,
        {"switch": 'torch.set_grad_enabled(True) if phase == "train" else torch.set_grad_enabled(False)'},
        {"switch": 'torch.set_grad_enabled(True) if phase == "train" else print(phase)'},
    ),
    "autograd that is switched off where it is to be": (
        "missing-no-grad", SWITCHED,
        {"switch": 'phase == "test" and torch.set_grad_enabled(False)'}, {"switch": "print(phase)"},
    ),
    "autograd that stays on where it is to be": (
        "missing-no-grad", SWITCHED,
        {"switch": 'phase == "train" or torch.set_grad_enabled(False)'}, {"switch": "print(phase)"},
    ),
    "a test set that is evaluated at once, beside what is trained": (
        "missing-no-grad", AT_ONCE,
        {"computed": "out = torch.no_grad()(net)(held_out)", "used": "print((out - labels).mean().item())"},
        {"computed": "out = net(held_out)", "used": "print((out - labels).mean().item())"},
    ),
    "what is cut from its graph, to be trained on": (
        "missing-no-grad", AT_ONCE, {"computed": "soft = net(held_out).detach()", "used": "labels = soft"},
        {"computed": "soft = net(held_out).detach()", "used": "print(soft.numpy())"},
    ),
    "what autograd is turned off for elsewhere, as its own forward may need it": (
        "missing-no-grad", ONE_BRANCH, {"short": "make()"}, {"short": "net"},
    ),
    "layers that an option may have made": (
        "missing-eval-mode", BY_OPTION,
        {"chosen": "self.encoder = Encoder() if kind == 'deep' else nn.Linear(4, 4)"}, {"chosen": "self.encoder = Encoder()"},
    ),
    "a network that is left in train mode, as a comment says": (
        "missing-eval-mode", TAKEN_OUT, {"mode": "# net.eval()"}, {"mode": "# in which mode?"},
    ),
    "an architecture with another norm than its own": (
        "missing-eval-mode", OTHER_NORM.replace("norm_layer=", ""), {"norm": "norm_layer=nn.InstanceNorm2d"}, {"norm": ""},
    ),
    "rows of a table are looked up": (
        "missing-no-grad", LOOKUP, {"made": "nn.Embedding(10, 4)"}, {"made": "nn.Linear(4, 4)"},
    ),
    "a loss that is called and has no weights": (
        "missing-no-grad", WEIGHTED, {"own": "self.scale = 2.0"}, {"own": "self.scale = nn.Parameter(torch.ones(2))"},
    ),
    "a network that several tests have made anew": (
        "missing-train-restore", RESTARTED, {"mode": "net.train()"}, {"mode": "print(net)"},
    ),
    "networks of parameters and of other networks, with a density": (
        "missing-train-restore", FLOW, {"half": "self.scale(x)"}, {"half": "F.dropout(self.scale(x), 0.5, self.training)"},
    ),
    "a program that only evaluates, in train mode in so many words": (
        "missing-eval-mode", INSISTED, {"mode": "model.train()"}, {"mode": "print(model)"},
    ),
    "a criterion of a library's, by a name": (
        "missing-eval-mode", NAMED_LOSS, {"made": "smp.losses"}, {"made": "smp"},
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
    "a loss of which a part is dropped": (
        "ungated-functional-dropout", MASKED, {"dropped": "F.mse_loss(self(x), y, reduction='none')"}, {"dropped": "self(x)"},
    ),
    "a prenet, which drops in either mode": (
        "ungated-functional-dropout", FIRST_LAYERS, {"name": "PreNet"}, {"name": "FirstNet"},
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
    "shares of nothing, and activations, in lists that are repeated": (
        "missing-eval-mode", SHARES, {"share": ""}, {"share": ", 0.1"},
    ),
    "an encoder that came in eval mode, and a loop that may switch it": (
        "missing-eval-mode", ENCODED, {"head": ""}, {"head": "nn.Dropout(), "},
    ),
    "parts that are frozen by a name that is computed": (
        "missing-no-grad", PERCEPTUAL.replace("PART", "getattr(self, f'enc_{{i}}')"), *FROZEN,
    ),
    "elements that are frozen by their number": (
        "missing-no-grad", PERCEPTUAL.replace("PART", "self.encs[i]"), *FROZEN,
    ),
    "an element that is frozen, of those that a literal tells": (
        "missing-no-grad", PERCEPTUAL.replace("PART", "self.encs[0]"), *FROZEN,
    ),
    "what a metric of a library is told": (
        "missing-no-grad", METERED,
        {"trained": "(out - y).square().mean().backward(); optimizer.step(); optimizer.zero_grad()"}, {"trained": "print(y)"},
    ),
    "all children but the last of a network that is frozen": (
        "missing-no-grad", HEADLESS.replace("MODULES", "list(resnet.children())[:-1]"), *UNFROZEN,
    ),
    "layers of a network that is frozen": (
        "missing-no-grad", HEADLESS.replace("MODULES", "[resnet.conv1, resnet.bn1, resnet.layer1]"), *UNFROZEN,
    ),
    "a loss that a method takes gradients of": (
        "missing-no-grad", INNER, {"use": "print(self.adapted(loss, 0.1))"}, {"use": "print(loss.item())"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("twin", TWINS.values(), ids=TWINS)
def test_the_bug_is_told_and_its_twin_is_not(twin: Twin) -> None:
    assert told(twin) == (False, True)


@pytest.mark.parametrize("what", ["attention", "speed"])
def test_a_program_that_calls_itself_a_test_holds_nothing_out(what: str) -> None:
    assert not names(STACKED.format(what=what))


CHOSEN_BODY = """
from torchvision import models


class Teacher(nn.Module):
    def __init__(self, name):
        super().__init__()
        if name == "resnet50":
            self.encoder = nn.Sequential(*list(models.resnet50().children())[:-2])
        else:
            self.encoder = models.convnext_tiny().features

    def forward_features(self, x):
        return self.encoder(x)


@torch.no_grad()
def evaluate(teacher, loader):
    {mode}
    for x, y in loader:
        print((teacher.forward_features(x).argmax(1) == y).sum().item())


def run(name):
    evaluate(Teacher(name), TEST_LOADER)
"""


def test_a_part_of_one_network_or_of_another_is_in_the_mode_of_who_holds_it() -> None:
    assert "missing-eval-mode" not in names(CHOSEN_BODY.format(mode="teacher.eval()"))
