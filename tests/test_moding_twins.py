"""Modes that are asked for in one place and hold in another, each program beside its twin that is right."""

from __future__ import annotations

import pytest
from twins import HEAD, Twin, names, told

from loopcheck import packs
from loopcheck.check import check_source

GIVEN = """
import os

parser = argparse.ArgumentParser()
parser.add_argument("--resume", default=None)
parser.add_argument("--test_path", default=None)
parser.add_argument("--trains", action="store_true")
parser.add_argument("--checkpoints", action="store_true")
args = parser.parse_args()


def loaded(net):
    if {test}:
        net.load_state_dict(torch.load(args.resume))
    {between}
        net.eval()
    return net


net = loaded(nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 2)))
{counted}
optimizer = torch.optim.Adam({params})
for epoch in range(5):
    {begins}
    for x, y in LOADER:
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x), y).backward()
        optimizer.step()
"""
PLAIN = {"test": "args.resume", "between": "", "counted": "", "params": "net.parameters()", "begins": ""}
COUNTS = 'print("parameters:", sum(p.numel() for p in net.parameters() if p.requires_grad))'
TRAINED = "filter(lambda p: p.requires_grad, net.parameters())"

COUNTED = """
names = ["first", "second", "third"]
nets = [nn.Sequential(nn.Linear(4, 2), nn.BatchNorm1d(2)), nn.Sequential(nn.Linear(4, 2), nn.Dropout(0.5)), {third}]
{before}


def outputs(net, name):
    net.load_state_dict(torch.load(name + ".pt"))
    return [(net(x).argmax(1) == y.argmax(1)).sum().item() for x, y in TEST_LOADER]


with torch.no_grad():
    for number in range({many}):
        {begins}
        print(outputs(nets[{which}], names[number]))
"""
ALL = {
    "third": "nn.Sequential(nn.Linear(4, 2), nn.BatchNorm1d(2))",
    "before": "",
    "many": "len(nets)",
    "begins": "",
    "which": "number",
}
EACH = "for number in range(len(nets)):\n    nets[number]{then}"
SHARED = """
parser = argparse.ArgumentParser()
parser.add_argument("--rate", type=float, default={default})
parser.add_argument("--deep", action="store_true")
args = parser.parse_args()


class Net(nn.Module):
    def __init__(self, rate, deep):
        super().__init__()
        self.last = nn.Linear(4, 2)
        self.rate = rate
        {made}

    def forward(self, x):
        return self.last({applied})


net = Net(args.rate, args.deep)
optimizer = torch.optim.Adam(net.parameters())
for epoch in range(5):
    for x, y in LOADER:
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x), y).backward()
        optimizer.step()
    with torch.no_grad():
        print(sum(nn.functional.mse_loss(net(x), y).item() for x, y in TEST_LOADER))
"""


def shared(test: str, default: str = "0.3", made: str = "if {test}:\n            self.drop = nn.Dropout(rate)") -> dict[str, str]:
    """A network that has a layer which drops where a test holds."""
    applied = "self.drop(x) if self.rate else x" if "self.drop =" in made else "self.drops(x)"
    return {"default": default, "made": made.format(test=test), "applied": applied}


CHOSEN = "self.drop = nn.Dropout(rate) if {test} else nn.Identity()"
HELD = "self.drops = nn.Sequential(nn.Linear(4, 4), nn.Dropout(rate) if {test} else nn.Identity())"

WITHIN = """
from transformers import BertModel


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = {body}
        {after}
        self.head = nn.Linear(768, 2)

    def forward(self, x):
        {around}
            features = self.body(input_ids=x)
        return self.head(features[0])


net = {made}
optimizer = torch.optim.Adam({params}, lr=1e-5)
for epoch in range(5):
    {begins}
    for x, y in LOADER:
        optimizer.zero_grad()
        nn.functional.mse_loss({applied}, y).backward()
        optimizer.step()
"""
PART = {
    "body": 'BertModel.from_pretrained("bert-base-cased")',
    "applied": "net(x)",
    "after": "",
    "around": "if True:",
    "made": "Net()",
    "params": "net.parameters()",
    "begins": "",
}

STEPS = """
class Learner(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(4, 2)
        self.optimizer = torch.optim.Adam(self.net.parameters())

    def forward(self, x, y):
        loss = nn.functional.mse_loss(self.net(x), y)
        if self.training:
            {clears}
            self.learn(loss)
        return loss.item()

    def learn(self, loss):
        loss.backward()
        self.optimizer.step()


learner = Learner()
for epoch in range(5):
    {begins}
    for x, y in LOADER:
        learner(x, y)
"""

MANY = (
    GIVEN.replace("args = parser", 'parser.add_argument("--net")\nargs = parser')
    .replace(
        "net = loaded(nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 2)))",
        """
if args.net == "a":
    net = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Linear(8, 2))
"""
        + "".join(
            f"""elif args.net == "{name}":
    net = nn.Sequential(nn.Linear(4, {width}), nn.BatchNorm1d({width}), nn.Linear({width}, 2))
"""
            for width, name in enumerate("bcdefgh", 9)
        )
        + """else:
    raise ValueError(args.net)
net = loaded(net)""",
    )
    .replace("{counted}\n", "")
)

TWINS: dict[str, Twin] = {
    "one of more networks than are told apart": (
        "training-in-eval-mode",
        MANY,
        {**PLAIN, "begins": "net.train()"},
        PLAIN,
    ),
    "a network that comes in eval mode where it gets weights": (
        "training-in-eval-mode",
        GIVEN,
        {**PLAIN, "begins": "net.train()"},
        PLAIN,
    ),
    "a test that asks for more than weights": (
        "training-in-eval-mode",
        GIVEN,
        {**PLAIN, "test": "args.resume and not args.trains"},
        {**PLAIN, "test": "args.resume is not None"},
    ),
    "a test that asks whether there is a file of weights": (
        "training-in-eval-mode",
        GIVEN,
        {**PLAIN, "test": 'os.path.exists("data.csv")'},
        {**PLAIN, "test": 'os.path.exists("last.pt")'},
    ),
    "a test that asks for the weights of what is only measured": (
        "training-in-eval-mode",
        GIVEN,
        {**PLAIN, "test": "args.test_path"},
        PLAIN,
    ),
    "another test than that of the weights": (
        "training-in-eval-mode",
        GIVEN,
        {**PLAIN, "between": "if args.checkpoints:"},
        {**PLAIN, "between": "if args.resume:"},
    ),
    "parameters that are counted, and parameters that are handed out": (
        "training-in-eval-mode",
        GIVEN,
        {**PLAIN, "params": TRAINED},
        {**PLAIN, "counted": COUNTS},
    ),
    "networks of a list that a loop counts through": (
        "missing-eval-mode",
        COUNTED,
        {**ALL, "before": EACH.format(then=".eval()")},
        ALL,
    ),
    "networks that a loop counts through by the length of another list": (
        "missing-eval-mode",
        COUNTED,
        {**ALL, "many": "len(names)", "begins": "nets[number].eval()"},
        {**ALL, "many": "len(names)"},
    ),
    "networks of a list that a loop counts through by a number": (
        "missing-eval-mode",
        COUNTED,
        {**ALL, "many": "2", "begins": "nets[number].eval()"},
        {**ALL, "many": "2"},
    ),
    "networks of a list that a loop may not count to the end": (
        "missing-eval-mode",
        COUNTED,
        {**ALL, "before": EACH.format(then=".eval()\n    if number > 5:\n        break")},
        ALL,
    ),
    **{
        f"a layer under a test of its share, {test}, {default}, {made.split()[0]}": (
            "missing-eval-mode",
            SHARED,
            shared(right, default, made),
            shared(test, made=made),
        )
        for test, right, default, made in [
            ("rate > 0", "rate > 0", "0.0", shared("{test}")["made"]),
            ("self.rate != 0", "deep", "0.3", shared("{test}")["made"]),
            ("rate is not None and 0 < rate", "rate and deep", "0.3", shared("{test}")["made"]),
            ("rate", "rate > 0.2", "0.3", shared("{test}")["made"]),
            ("rate > 0.0", "deep", "0.3", CHOSEN),
            ("rate", "deep", "0.3", HELD),
        ]
    },
    **{
        f"a part that comes in eval mode, {name}": ("training-in-eval-mode", WITHIN, {**PART, **right}, PART)
        for name, right in {
            "and is put in train mode": {"begins": "net.train()"},
            "and computes without gradients": {"around": "with torch.no_grad():"},
            "and computes what is cut from its graph": {"applied": "net.head(net.body(input_ids=x)[0].detach())"},
            "and is frozen": {"after": "self.body.requires_grad_(False)"},
            "and is not given to the optimizer": {"params": "net.head.parameters()"},
            "of a network that code out of sight makes": {"made": "functools.reduce(lambda a, b: b, [Net()])"},
        }.items()
    },
    "a part of a network in a container": (
        "training-in-eval-mode",
        WITHIN,
        {**PART, "made": "nn.Sequential(Net())", "begins": "net.train()"},
        {**PART, "made": "nn.Sequential(Net())"},
    ),
    "a part that is put in eval mode by itself": (
        "training-in-eval-mode",
        WITHIN,
        {
            **PART,
            "body": "nn.Sequential(nn.Linear(4, 768), nn.Dropout(0.1))",
            "made": "Net()\nnet.body.eval()",
            "applied": "net.head(net.body(x))",
        },
        PART,
    ),
    "a network whose forward takes a step of its training": (
        "missing-zero-grad",
        STEPS,
        {"clears": "self.optimizer.zero_grad()", "begins": "learner.train()"},
        {"clears": "pass", "begins": "learner.train()"},
    ),
    "a network whose forward takes a step in train mode alone": (
        "missing-zero-grad",
        STEPS,
        {"clears": "pass", "begins": "learner.eval()"},
        {"clears": "pass", "begins": "pass"},
    ),
}


RESTORED = """
from transformers import BertForTokenClassification

parser = argparse.ArgumentParser()
parser.add_argument("--restore", default=None)
args = parser.parse_args()


def train(net, optimizer, restore):
    if restore is not None:
        net = BertForTokenClassification.from_pretrained(restore)
    for epoch in range(3):
        {begins}
        for x, y in LOADER:
            optimizer.zero_grad()
            net(x, labels=y)[0].backward()
            optimizer.step()


net = BertForTokenClassification.from_pretrained("bert-base-cased", num_labels=5)
train(net, torch.optim.AdamW(net.parameters(), lr=1e-4), args.restore)
"""
TWINS["a network in eval mode, in the place of which an option puts another one"] = (
    "training-in-eval-mode",
    RESTORED,
    {"begins": "net.train()"},
    {"begins": "pass"},
)


NAMED = """
parser = argparse.ArgumentParser()
parser.add_argument("--name")
args = parser.parse_args()

if args.name in ["plain", "simple"]:
    net = nn.Sequential(nn.Linear(4, 2))
elif args.name in ("dropped",):
    net = nn.Sequential(nn.Linear(4, 2), nn.Dropout(0.5))
else:
    raise ValueError(args.name)
net.load_state_dict(torch.load("net.pt"))
if args.name == "{name}":
    wrong = 0
    with torch.no_grad():
        for x, y in TEST_LOADER:
            wrong += (net(x) != y).sum().item()
    print(wrong)
"""
TWINS["a network by a name that is one of several"] = ("missing-eval-mode", NAMED, {"name": "simple"}, {"name": "dropped"})


NORMED = """
class Norm(nn.BatchNorm1d):
    {own}


{net}
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in LOADER:
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x), y).backward()
        optimizer.step()
    with torch.no_grad():
        print(sum(nn.functional.mse_loss(net(x), y).item() for x, y in TEST_LOADER))
"""
STACKED = "net = nn.Sequential(nn.Linear(4, 2), Norm(2))"
HELD = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc, self.norm = nn.Linear(4, 2), Norm(2)

    def forward(self, x):
        return self.norm(self.fc(x))


net = Net()
net.train()"""


def normed(trains: str) -> str:
    """A norm with a forward of its own. trains: what tells it whether to use the batch, with a comma before it."""
    return f"""def forward(self, x):
        return nn.functional.batch_norm(x, self.running_mean, self.running_var, self.weight, self.bias{trains})"""


def switched(mode: str) -> str:
    """A norm with a switch of its own."""
    return f"""def train(self, mode=True):
        return super().train({mode})"""


TWINS |= {
    f"a norm that {how}, {where}": ("missing-eval-mode", NORMED, {"own": right, "net": net}, {"own": wrong, "net": net})
    for where, net in {"stacked": STACKED, "held": HELD}.items()
    for how, right, wrong in (
        ("is told in its place to use its statistics", normed(", False"), normed(", self.training")),
        ("is told by name to use its statistics", normed(", training=False"), normed(", training=self.training")),
        ("uses its statistics as nothing is said", normed(""), normed(", self.training")),
        ("stays in eval mode", switched("False"), switched("mode")),
        ("stays in eval mode by name", switched("mode=False"), switched("mode=mode")),
    )
}


BORROWED = """
parser = argparse.ArgumentParser()
parser.add_argument("--body")
args = parser.parse_args()


class Body(nn.Module):
    def __init__(self, name):
        super().__init__()
        {made}
        {parts}
        self.last = nn.Linear(8, 2)

    def forward(self, x):
        return self.last({applied})


net = Body(args.body)
net.load_state_dict(torch.load("net.pt"))
with torch.no_grad():
    print(sum((net(x).argmax(1) == y.argmax(1)).sum().item() for x, y in TEST_LOADER))
"""
ONE = 'model = torchvision.models.{name}(weights="DEFAULT")'


def many(names: tuple[str, ...]) -> str:
    """A network by its name."""
    ways = [f'if name == "{name}":\n            {ONE.format(name=name)}' for name in names]
    return "\n        el".join(ways) + "\n        else:\n            raise ValueError(name)"


RESNETS = ("resnet18", "resnet34", "resnet50", "resnet101", "resnet152", "wide_resnet50_2", "wide_resnet101_2")
NORMED_PARTS = {"parts": "self.norm, self.block = model.bn1, model.layer1", "applied": "self.block(self.norm(x))"}
PLAIN_PARTS = {"parts": "self.block = model.features", "applied": "self.block(x)"}
TWINS |= {
    f"parts that are taken of {how}": (
        "missing-eval-mode",
        BORROWED,
        {"made": ONE.format(name="vgg16"), **PLAIN_PARTS},
        {"made": made, **NORMED_PARTS},
    )
    for how, made in {
        "a network": ONE.format(name="resnet18"),
        "one of two": many(RESNETS[:2]),
        "one of many": many(RESNETS),
    }.items()
}

AGAIN = """
def {name}(layer):
    if isinstance(layer, list):
        for each in layer:
            {name}(each)
    elif isinstance(layer, nn.Linear):
        nn.init.constant_(layer.bias, 0.0)
    elif isinstance(layer, nn.Dropout):
        {does}
    elif isinstance(layer, nn.Module):
        for each in layer.children():
            {name}(each)


net = nn.Sequential(nn.Linear(4, 2), nn.Dropout(0.5))
{name}(net)
net.load_state_dict(torch.load("net.pt"))
with torch.no_grad():
    print(sum((net(x).argmax(1) == y.argmax(1)).sum().item() for x, y in TEST_LOADER))
"""
TWINS["a function that calls itself for each part"] = (
    "missing-eval-mode",
    AGAIN,
    {"name": "prepare", "does": "layer.eval()"},
    {"name": "prepare", "does": "print(layer)"},
)

SERVED = """
from {package} import {name}


class Inference:
    def __init__(self, model: {name}, loader: DataLoader):
        self.model, self.loader = model, loader

    def run(self):
        right = 0
        for x, y in self.loader:
            right += (self.model(x).logits.argmax(1) == y).sum().item()
        print(right)


Inference({name}.from_pretrained("served"), TEST_LOADER).run()
"""
TWINS["a network that another runtime has"] = (
    "missing-no-grad",
    SERVED,
    {"package": "optimum.onnxruntime", "name": "ORTModelForSequenceClassification"},
    {"package": "transformers", "name": "AutoModelForSequenceClassification"},
)


OF_THEIRS = """
from transformers import BertModel, BertPreTrainedModel


class Net(BertPreTrainedModel):
    def __init__(self, config):
        super().__init__(config)
        self.bert = BertModel(config)
        {layer}
        self.last = nn.Linear(config.hidden_size, 2)
        self.post_init()

    def forward(self, x):
        return self.last({applied})


net = Net.from_pretrained("bert-base-cased", num_labels=2)
optimizer = torch.optim.AdamW(net.parameters(), lr=2e-5)
for epoch in range(3):
    {trains}
    for x, y in LOADER:
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x), y).backward()
        optimizer.step()
    {evaluates}
    with torch.no_grad():
        print(sum((net(x).argmax(1) == y.argmax(1)).sum().item() for x, y in TEST_LOADER))
"""
DROPPING = {"layer": "self.drop = nn.Dropout(0.1)", "applied": "self.drop(self.bert(x)[1])"}
TWINS |= {
    "a network of the project's own with weights of theirs, that is trained": (
        "training-in-eval-mode",
        OF_THEIRS,
        DROPPING | {"trains": "net.train()", "evaluates": "net.eval()"},
        DROPPING | {"trains": "pass", "evaluates": "net.eval()"},
    ),
    "a network of the project's own with weights of theirs, that is evaluated": (
        "missing-eval-mode",
        OF_THEIRS,
        DROPPING | {"trains": "net.train()", "evaluates": "net.eval()"},
        DROPPING | {"trains": "net.train()", "evaluates": "pass"},
    ),
}


KEPT = """
class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.first = nn.Linear(4, width)
        {makes}
        self.last = nn.Sequential(*[nn.ReLU(), nn.Linear(width, 2)])

    def forward(self, x):
        return self.last({applied})


net = Net(8)
net.load_state_dict(torch.load("net.pt"))
with torch.no_grad():
    print(sum((net(x).argmax(1) == y.argmax(1)).sum().item() for x, y in TEST_LOADER))
"""
IDLE = {"makes": "self.drop = nn.Dropout(0.5)", "applied": "self.first(x)"}
TWINS |= {
    f"a layer that is made and never applied, {how}": ("missing-eval-mode", KEPT, IDLE, IDLE | wrong)
    for how, wrong in {
        "beside one that is": {"applied": "self.drop(self.first(x))"},
        "beside one of its kind": {
            "makes": "self.drop, self.norm = nn.Dropout(0.5), nn.Dropout(0.1)",
            "applied": "self.norm(self.first(x))",
        },
        "beside one in a list": {
            "makes": "self.drop = nn.Dropout(0.5)\n        layers = unknown(width)\n        layers.append(nn.Dropout(0.5))\n"
            "        self.mid = nn.Sequential(*layers)",
            "applied": "self.mid(self.first(x))",
        },
        "beside one that a loop over its layers applies": {"applied": "[x := each(x) for each in self.children()][-1]"},
    }.items()
}

CONFIGURED = """
from transformers import BertConfig, BertModel

{config}


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = BertModel(config)
        self.head = nn.Linear(768, 2)

    def forward(self, x):
        return self.head(self.body(x).pooler_output)


net = Net()
net.load_state_dict(torch.load("net.pt"))
{mode}
with torch.no_grad():
    print(sum((net(x).argmax(1) == y.argmax(1)).sum().item() for x, y in TEST_LOADER))
"""
BERT = {"config": "config = BertConfig(num_hidden_layers=2)", "mode": "pass"}
TWINS |= {
    f"a network of transformers by its class, {how}": ("missing-eval-mode", CONFIGURED, BERT | right, BERT)
    for how, right in {
        "in eval mode": {"mode": "net.eval()"},
        "of a configuration that drops nothing": {"config": "config = BertConfig(hidden_dropout_prob=0.0)"},
        "of a configuration that is changed": {"config": "config = BertConfig()\nconfig.hidden_dropout_prob = 0.0"},
        "of a configuration that may be any": {"config": "config = BertConfig(**vars(unknown))"},
    }.items()
}

ALWAYS = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 2)

    def forward(self, x):
        return nn.functional.dropout(self.body(x), training={told})


net = Net()
net.load_state_dict(torch.load("net.pt"))
with torch.no_grad():
    print(sum((net(x).argmax(1) == y.argmax(1)).sum().item() for x, y in TEST_LOADER))
"""
TWINS |= {
    f"a dropout that is told {told}": ("missing-eval-mode", ALWAYS, {"told": told}, {"told": "self.training"})
    for told in ("True", "False")
}

MADE_AGAIN = """
import os

from transformers import BertConfig, BertModel

net = BertModel(BertConfig())
if os.path.exists("kept"):
    net = BertModel.from_pretrained("kept")
optimizer = torch.optim.Adam(net.parameters())
{mode}
for x, y in LOADER:
    optimizer.zero_grad()
    nn.functional.mse_loss(net(x).pooler_output, y).backward()
    optimizer.step()
net.save_pretrained("kept")
"""
TWINS["a network in the place of another, where it was kept"] = (
    "training-in-eval-mode",
    MADE_AGAIN,
    {"mode": "net.train()"},
    {"mode": "pass"},
)

ANSWERING = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.drop = nn.Linear(4, 2), nn.Dropout(0.5)

    def forward(self, x, y):
        out = self.drop(self.body(x))
        loss = nn.functional.mse_loss(out, y)
        {answer}


net = Net()
optimizer = torch.optim.Adam(net.parameters())
for epoch in range(10):
    for x, y in LOADER:
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x, y), y).backward()
        optimizer.step()
    with torch.no_grad():
        print(sum(nn.functional.mse_loss(net(x, y), y).item() for x, y in TEST_LOADER))
"""
TWINS |= {
    f"a network that answers in train mode with something else: {name}": (
        "missing-eval-mode",
        ANSWERING,
        {"answer": answer},
        {"answer": other},
    )
    for name, answer, other in [
        ("its loss", "return loss if self.training else out", "return out * 2 if self.training else out"),
        (
            "nothing in eval mode",
            "if self.training: return out\n        return None",
            "if self.training: return out\n        return x",
        ),
        (
            "its loss at once",
            "if self.training: return loss\n        return out",
            "if self.training: out = out * 2\n        return out",
        ),
        (
            "its loss, of several",
            "if not self.training: return out\n        return loss + out.mean()",
            "if not self.training: return out\n        return x + out.mean()",
        ),
        (
            "two things",
            "if self.training:\n            return out, x\n        else:\n            return out",
            "if self.training:\n            return out, x\n        else:\n            return out, out",
        ),
        (
            "its loss, where that comes of it",
            "try:\n            if self.training: return loss\n        finally:\n            print(loss)\n        return out",
            "try:\n            if self.drop.p: return out\n        finally:\n            print(loss)\n        return out",
        ),
        (
            "a dictionary",
            "if self.training:\n            return {{'out': out}}\n        return out".format(),
            "if self.drop.p:\n            return {{'out': out}}\n        return out".format(),
        ),
    ]
}

AROUND = """
from transformers import AutoModel


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = AutoModel.from_pretrained("bert-base-uncased")
        self.drop, self.head = nn.Dropout({share}), nn.Linear(768, 2)

    def forward(self, x):
        return self.head(self.drop(self.body(x).pooler_output))


net = Net()
net.load_state_dict(torch.load("net.pt"))
{mode}
with torch.no_grad():
    print(sum((net(x).argmax(1) == y.argmax(1)).sum().item() for x, y in TEST_LOADER))
"""
TWINS |= {
    f"a dropout beside a part that comes in eval mode: {name}": (
        "missing-eval-mode",
        AROUND,
        right,
        {"share": "0.5", "mode": "pass"},
    )
    for name, right in {
        "it drops nothing": {"share": "0.0", "mode": "pass"},
        "the whole is put there": {"share": "0.5", "mode": "net.eval()"},
    }.items()
}

HEARING = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.drop = nn.Linear(4, 2), nn.Dropout(0.5)

    def forward(self, x, {takes}):
        {hears}
        return self.drop(self.body(x))


net = Net()
net.load_state_dict(torch.load("net.pt"))
with torch.no_grad():
    print(sum((net(x, training=False).argmax(1) == y.argmax(1)).sum().item() for x, y in TEST_LOADER))
"""
TWINS |= {
    f"a network that hears of the mode, and one that does not: {name}": (
        "missing-eval-mode",
        HEARING,
        {"takes": takes, "hears": hears},
        {"takes": "*args, **kwargs", "hears": "pass"},
    )
    for name, takes, hears in [
        ("by a parameter", "training=True", "self.train(training)"),
        ("by one that is named alone", "*, training=True", "self.train(training)"),
        ("by all that it is given", "**kwargs", "self.train(kwargs['training'])"),
    ]
}

LOOKED_AT = """
net = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.5), nn.Linear(8, 2))
net.load_state_dict(torch.load("net.pt"))
net.eval()
with torch.no_grad():
    print(sum((net(x).argmax(1) == y.argmax(1)).sum().item() for x, y in TEST_LOADER))
for x, y in LOADER:
    net.zero_grad()
    net(x)[:, 0].sum().backward()
    print(net[0].weight.grad.abs().mean())
"""


COLLATED = """
from transformers import DataCollatorForLanguageModeling

collate = DataCollatorForLanguageModeling(tokenizer)
with torch.no_grad():
    for rows in TEST_LOADER:
        print(collate(rows)["labels"].sum().item())
"""


def test_what_collates_is_no_network() -> None:
    """Not even with low confidence, as its name ends like a network's."""
    assert not check_source((HEAD + COLLATED).encode(), "train.py", packs.rules()).findings


def test_gradients_that_are_looked_at_train_nothing() -> None:
    assert "missing-train-restore" not in names(LOOKED_AT)


ASKED = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.drop, self.act = nn.Linear(4, 2), nn.Dropout({share}), nn.ReLU()

    def forward(self, x):
        return self.drop(self.body(x))

    def ask(self, x):
        return {asked}

    def mixed(self, x):
        return self.drop(self.body(x))


net = Net()
net.load_state_dict(torch.load("net.pt"))
with torch.no_grad():
    print(sum((net.ask(x).argmax(1) == y.argmax(1)).sum().item() for x, y in TEST_LOADER))
"""
DROPS = {"share": "0.2", "asked": "self.drop(self.body(x))"}
TWINS |= {
    f"a method of a network that drops by itself: {name}": ("missing-eval-mode", ASKED, DROPS | right, DROPS | wrong)
    for name, right, wrong in [
        ("another layer", {"asked": "self.act(self.body(x))"}, {}),
        ("nothing", {"share": "0.0"}, {}),
        ("in a method that it calls", {"asked": "self.body(self.act(x))"}, {"asked": "self.act(self.mixed(x))"}),
    ]
}


@pytest.mark.parametrize("twin", TWINS.values(), ids=TWINS.keys())
def test_of_these_twins_the_wrong_one_is_told(twin: Twin) -> None:
    assert told(twin) == (False, True)
