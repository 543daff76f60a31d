"""Ways in which strangers evaluate, and where what they evaluate with comes from, each beside its twin that is right."""

from __future__ import annotations

from pathlib import Path

import pytest
from twins import Twin, told

from loopcheck import packs
from loopcheck.check import check_file
from loopcheck.read.triage import applies
from loopcheck.rule import Confidence

LEARNS = """
net = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.5), nn.Linear(8, 2))
optimizer = torch.optim.Adam(net.parameters())


def error(batch):
    x, y = batch
    return nn.functional.mse_loss(net(x), y)


def validation_error(batch):
    return error(batch).item()


def report(losses):
    with torch.no_grad():
        print(sum(losses))


"""
EPOCH = """    net.train()
    for x, y in LOADER:
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x), y).backward()
        optimizer.step()
"""
DRAWN = (
    LEARNS
    + """
for epoch in range(5):
"""
    + EPOCH
    + """    {asks}print(sum(map({how}, {loader})))
"""
)
MODES = "net.{first}()\n    list(map(lambda part: part.{then}(), net.children()))\n    "
OFF = "net.eval()\n    with torch.no_grad():\n        "
LATER = (
    LEARNS
    + """
for epoch in range(5):
"""
    + EPOCH
    + """    losses = {losses}
    net.eval()
    {draws}
"""
)
PASSED = (
    LEARNS
    + """
for epoch in range(5):
"""
    + EPOCH
    + """    total = 0.0
    for {target} in {over}:
        total += loss
    print(total)
"""
)
TRAINS = (
    LEARNS
    + """
for epoch in range(5):
    for {target} in {over}:
        {clears}loss.backward()
        optimizer.step()
"""
)
HOOKS = (
    "from collections import defaultdict\n"
    + LEARNS
    + """
class Trainer:
    def __init__(self):
        self.hooks = {hooks}

    def register(self, event, hook):
        {registers}.append(hook)

    def run(self):
        for epoch in range(5):
            net.train()
            for x, y in LOADER:
                optimizer.zero_grad()
                nn.functional.mse_loss(net(x), y).backward()
                optimizer.step()
            for hook in self.hooks["epoch"]:
                hook()


def measure():
    {asks}print(sum(nn.functional.mse_loss(net(x), y).item() for x, y in TEST_LOADER))


trainer = Trainer()
trainer.register("epoch", {first})
trainer.register("{event}", {second})
trainer.run()
"""
)
HOOK = {
    "hooks": "defaultdict(list)",
    "registers": "self.hooks[event]",
    "first": "print",
    "second": "measure",
    "event": "epoch",
    "asks": "",
}
GIVEN = {"hooks": "{}", "registers": "self.hooks.setdefault(event, [])", "first": "lambda: None"}
KEPT = """
net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
optimizer = torch.optim.Adam(net.parameters())
history = {{"loss": [0.0]}}
for epoch in range(5):
    for x, y in LOADER:
        loss = nn.functional.mse_loss(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        history.setdefault("{key}", [])
        history.setdefault("loss", []).append(loss{taken})
print(sum(history["loss"]))
"""
WRAPPED = """
from torch.autograd import Variable

threshold = 0.5


def hidden(size):
    return Variable(torch.zeros(size, 8){hidden})


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 8)
        self.last = nn.Linear(8, 2)

    def start(self, size):
        return Variable(torch.zeros(size, 8){start})

    def forward(self, x, *others):
        return self.last(self.first(x) + hidden(len(x)) + self.start(len(x)))


net = Net()
optimizer = torch.optim.Adam(net.parameters())


def wrapped(x):
    return Variable(x.cuda() if torch.cuda.is_available() else x{wrapped})


def batch(size):
    rows = sorted((TEST_LOADER.dataset[row] for row in range(size)), key=lambda row: float(row[0][0]))
    x = Variable(torch.stack([row[0] for row in rows]){batch})
    y = Variable(torch.stack([row[1] for row in rows]))
    {later}if torch.cuda.is_available():
        x = x.cuda()
        y = y.cuda()
    return x, y


def plain(size):
    rows = sorted((TEST_LOADER.dataset[row] for row in range(size)), key=lambda row: float(row[0][0]))
    x = torch.stack([row[0] for row in rows])
    y = torch.stack([row[1] for row in rows])
    if len(rows) > 3:
        x = x[:3]
        y = y[:3]
    return x, y


def predict(x):
    net.eval()
    return net(Variable(x, volatile=True)).data


def raw(x):
    return net(Variable(x, volatile=True))


def apply(x):
    return net(x)


def evaluate():
    net.eval()
    total = 0.0
    for x, y in TEST_LOADER:
        {drawn}
        total += nn.functional.mse_loss({net}({given}), Variable(y)).data[0]
    return total


for epoch in range(5):
    net.train()
    for x, y in LOADER:
        optimizer.zero_grad()
        nn.functional.mse_loss(net(Variable(x)), Variable(y)).backward()
        optimizer.step()
    print(evaluate())
print(predict(torch.randn(2, 4)))
"""
NOTHING = {
    "hidden": "",
    "start": "",
    "wrapped": "",
    "batch": "",
    "later": "",
    "drawn": "pass",
    "given": "Variable(x)",
    "net": "net",
}
VOLATILE = ", volatile=True"
MODE, GRAPH, CLEAR = "missing-eval-mode", "missing-no-grad", "missing-zero-grad"
IN_TURN = {"losses": "map(validation_error, TEST_LOADER)", "draws": "with torch.no_grad():\n        print(sum(losses))"}

HOOKED = """
def kept_at(net, layer, x):
    kept = []
    hook = layer.{hangs}(lambda module, given, out: kept.append({kept}))
    shown = net(x)
    print(shown.argmax(1))
    hook.remove()
    return kept[0]


net = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.5), nn.Linear(8, 2))
net.load_state_dict(torch.load("net.pt"))
net.eval()
for x, y in TEST_LOADER:
    print(kept_at(net, net[0], x))
"""

TWICE = """
net = nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)


def clear():
    {clears}


handlers = [clear, clear]
for x, y in LOADER:
    for handler in handlers:
        handler()
    nn.functional.mse_loss(net(x), y).backward()
    optimizer.step()
"""

TUNED = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4))
        self.head = nn.Linear(4, 2)

    def forward(self, x):
        return self.head(self.body(x))

    def tune(self, wanted):
        for p in self.parameters():
            p.requires_grad = wanted


parser = argparse.ArgumentParser()
parser.add_argument("--tune", action="store_true")
args = parser.parse_args()
net = Net()
net.tune(args.tune)
optimizer = torch.optim.Adam({given})
{then}


def validate():
    net.eval()
    return sum((net(x) - y).square().mean().item() for x, y in TEST_LOADER)


for epoch in range(3):
    net.train()
    for x, y in LOADER:
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x), y).backward()
        optimizer.step()
    print(validate())
"""
SOME = "filter(lambda p: p.requires_grad, net.parameters())"

TWINS: dict[str, Twin] = {
    "an optimizer takes what needs gradients, which is something": (
        GRAPH,
        TUNED,
        {"given": "net.parameters()", "then": ""},
        {"given": SOME, "then": ""},
    ),
    "until that is set again": (
        GRAPH,
        TUNED,
        {"given": SOME, "then": "net.tune(args.tune)"},
        {"given": SOME, "then": "net.train(args.tune)"},
    ),
    "of several networks it may be of another": (
        GRAPH,
        TUNED,
        {"given": SOME.replace("net.p", "nn.ModuleList([net, nn.Linear(2, 2)]).p"), "then": ""},
        {"given": SOME, "then": ""},
    ),
    "a function that a list has twice": (CLEAR, TWICE, {"clears": "optimizer.zero_grad()"}, {"clears": "print(net)"}),
    "what hooks are given on the way": (
        "missing-no-grad",
        HOOKED,
        {"hangs": "register_forward_hook", "kept": "out"},
        {"hangs": "register_forward_hook", "kept": "out.detach()"},
    ),
    "hooks of another kind": (
        "missing-no-grad",
        HOOKED,
        {"hangs": "register_forward_pre_hook", "kept": "out"},
        {"hangs": "register_state_dict_pre_hook", "kept": "out"},
    ),
    "a call draws what map passes over": (
        MODE,
        DRAWN,
        {"asks": OFF, "how": "validation_error", "loader": "TEST_LOADER"},
        {"asks": "", "how": "validation_error", "loader": "TEST_LOADER"},
    ),
    "and records graphs of it": (
        GRAPH,
        DRAWN,
        {"asks": OFF, "how": "validation_error", "loader": "TEST_LOADER"},
        {"asks": "", "how": "validation_error", "loader": "TEST_LOADER"},
    ),
    "whatever the function is called, the loader says what is held out": (
        MODE,
        DRAWN,
        {"asks": "", "how": "validation_error", "loader": "LOADER"},
        {"asks": "", "how": "lambda batch: error(batch).item()", "loader": "TEST_LOADER"},
    ),
    "so it does in a loop": (
        MODE,
        PASSED,
        {"target": "loss", "over": "map(validation_error, LOADER)"},
        {"target": "loss", "over": "map(validation_error, TEST_LOADER)"},
    ),
    "one function after another": (
        MODE,
        PASSED,
        {"target": "loss", "over": "map(float, map(validation_error, LOADER))"},
        {"target": "loss", "over": "map(lambda loss: 2 * loss, map(validation_error, TEST_LOADER))"},
    ),
    "a call draws one function after another": (
        MODE,
        DRAWN,
        {"asks": "", "how": "lambda loss: 2 * loss", "loader": "map(validation_error, LOADER)"},
        {"asks": "", "how": "lambda loss: 2 * loss", "loader": "map(validation_error, TEST_LOADER)"},
    ),
    "nothing is drawn before somebody asks": (
        GRAPH,
        LATER,
        IN_TURN,
        {**IN_TURN, "draws": "print(sum(losses))"},
    ),
    "who counts draws nothing yet": (
        GRAPH,
        LATER,
        {
            "losses": "enumerate(map(validation_error, TEST_LOADER))",
            "draws": "with torch.no_grad():\n        for number, loss in losses:\n            print(loss)",
        },
        {
            "losses": "enumerate(map(validation_error, TEST_LOADER))",
            "draws": "for number, loss in losses:\n        print(loss)",
        },
    ),
    "a function is handed what it draws itself": (
        GRAPH,
        LATER,
        {**IN_TURN, "draws": "report(losses)"},
        {**IN_TURN, "draws": "print(list(losses))"},
    ),
    "of layers it is all of them": (
        MODE,
        DRAWN,
        {"asks": MODES.format(first="train", then="eval"), "how": "validation_error", "loader": "TEST_LOADER"},
        {"asks": MODES.format(first="eval", then="train"), "how": "validation_error", "loader": "TEST_LOADER"},
    ),
    "what a loop draws trains in it": (
        CLEAR,
        TRAINS,
        {"target": "loss", "over": "map(error, LOADER)", "clears": "optimizer.zero_grad()\n        "},
        {"target": "loss", "over": "map(error, LOADER)", "clears": ""},
    ),
    "a hook under a key that begins with a list": (
        MODE,
        HOOKS,
        {**HOOK, "asks": "net.eval()\n    "},
        HOOK,
    ),
    "of another key it is not called": (
        MODE,
        HOOKS,
        {**HOOK, "event": "batch"},
        HOOK,
    ),
    "one that comes after others": (
        MODE,
        HOOKS,
        {**HOOK, "first": "measure", "asks": "net.eval()\n    "},
        {**HOOK, "first": "lambda: None"},
    ),
    "a list that is made where it is asked for": (
        MODE,
        HOOKS,
        {**HOOK, **GIVEN, "asks": "net.eval()\n    "},
        {**HOOK, **GIVEN},
    ),
    "what is under the key stays there": (
        MODE,
        HOOKS,
        {**HOOK, **GIVEN, "first": "measure", "second": "lambda: None", "asks": "net.eval()\n    "},
        {**HOOK, **GIVEN, "first": "measure", "second": "lambda: None"},
    ),
    "what is put into such a list is kept": (
        "graph-retained-in-metric",
        KEPT,
        {"key": "other", "taken": ".item()"},
        {"key": "other", "taken": ""},
    ),
    "data was told to do without graphs": (
        GRAPH,
        WRAPPED,
        {**NOTHING, "given": f"Variable(x{VOLATILE})"},
        NOTHING,
    ),
    "or may be where it was drawn": (GRAPH, WRAPPED, {**NOTHING, "given": "x"}, NOTHING),
    "it is wrapped, and put elsewhere": (
        GRAPH,
        WRAPPED,
        {**NOTHING, "given": f"Variable(x{VOLATILE}).cuda().view(-1, 4)"},
        {**NOTHING, "given": "Variable(x).cuda().view(-1, 4)"},
    ),
    "by a function": (
        GRAPH,
        WRAPPED,
        {**NOTHING, "given": "wrapped(x)", "wrapped": VOLATILE},
        {**NOTHING, "given": "wrapped(x)"},
    ),
    "by one that makes whole batches": (
        GRAPH,
        WRAPPED,
        {**NOTHING, "drawn": "x, y = batch(4)", "given": "x", "batch": VOLATILE},
        {**NOTHING, "drawn": "x, y = batch(4)", "given": "x"},
    ),
    "that may tell it when they are made": (
        GRAPH,
        WRAPPED,
        {**NOTHING, "drawn": "x, y = batch(4)", "given": "x", "later": "x.volatile = True\n    "},
        {**NOTHING, "drawn": "x, y = batch(4)", "given": "x", "later": "x.requires_grad = False\n    "},
    ),
    "one that wraps nothing says nothing of it": (
        GRAPH,
        WRAPPED,
        {**NOTHING, "drawn": "x, y = plain(4)", "given": "x"},
        {**NOTHING, "drawn": "x, y = plain(4)", "given": "Variable(x)"},
    ),
    "one or the other": (
        GRAPH,
        WRAPPED,
        {**NOTHING, "given": "Variable(x) if threshold < len(x) else x"},
        {**NOTHING, "drawn": "x = Variable(x) if threshold < len(x) else Variable(-x)", "given": "x"},
    ),
    "of all that a network is given": (
        GRAPH,
        WRAPPED,
        {**NOTHING, "given": "Variable(x), y"},
        {**NOTHING, "given": "Variable(x), Variable(y), 3"},
    ),
    "by what networks have made": (
        GRAPH,
        WRAPPED,
        {**NOTHING, "drawn": "before = raw(x)", "given": "Variable(x), before"},
        {**NOTHING, "drawn": "before = apply(Variable(x))", "given": "Variable(x), before"},
    ),
    "a function may tell it later": (
        GRAPH,
        WRAPPED,
        {**NOTHING, "drawn": "x = Variable(x)\n        x.volatile = True", "given": "x"},
        {**NOTHING, "drawn": "x = Variable(x)", "given": "x"},
    ),
    "or who calls it": (
        GRAPH,
        WRAPPED,
        {**NOTHING, "drawn": "x = Variable(x)\n        x.volatile = True", "given": "x", "net": "apply"},
        {**NOTHING, "drawn": "x = Variable(x)", "given": "x", "net": "apply"},
    ),
    "a network may tell it itself": (GRAPH, WRAPPED, {**NOTHING, "start": VOLATILE}, NOTHING),
    "or call what does": (GRAPH, WRAPPED, {**NOTHING, "hidden": VOLATILE}, NOTHING),
}

SHOWN = """
from tqdm import tqdm


def train(model, loader, optimizer):
    total = 0
    with {context} as shown:
        for x, y in loader:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(x), y)
            loss.backward()
            optimizer.step()
            total += {added}
    return total


def fit(model, loader, optimizer):
    for epoch in range(9):
        print(train(model, loader, optimizer))
"""
TWINS |= {
    f"a pass under {shown}": (
        "graph-retained-in-metric",
        SHOWN,
        {"context": shown, "added": "loss.item()"},
        {"context": shown, "added": "loss"},
    )
    for shown in ("tqdm(loader)", "tqdm(total=len(loader))", "open('log.txt')")
}


@pytest.mark.parametrize("twin", TWINS.values(), ids=TWINS.keys())
def test_of_these_twins_the_wrong_one_is_told(twin: Twin) -> None:
    assert told(twin) == (False, True)


def names(script: Path) -> set[str]:
    """The rules that tell something of a script, with more than low confidence."""
    report = check_file(script, packs.rules())
    return {each.rule.name for each in report.findings if each.confidence is not Confidence.LOW}


DRAWS = """\
import random

import torch
from torch.autograd import Variable


def batch(rows, size):
    rows = [random.choice(rows) for _ in range(size)]
    rows = sorted(rows, key=lambda row: float(row[0]))
    if len(rows) > 3:
        rows = rows[:3]
    return Variable(torch.stack(rows){flag}), 3
"""
MEASURES = """\
import torch
from torch import nn
from torch.autograd import Variable

from {module} import {name}

net = nn.Sequential(nn.Linear(4, 8), nn.Linear(8, 2))
optimizer = torch.optim.Adam(net.parameters())


def predict(x):
    return net(Variable(x, volatile=True)).data


def train(x):
    optimizer.zero_grad()
    net(x).sum().backward()
    optimizer.step()


def validate(x):
    return net(x).data[0]


def main(rows, test_rows):
    for epoch in range(5):
        x, size = {name}(rows, 4)
        train(x)
        net.eval()
        total = 0.0
        for i in range(10):
            x, size = {name}(test_rows, 4)
            total += validate(x)
        net.train()
        print(total / 10)


main(torch.load("rows.pt"), torch.load("test.pt"))
"""


@pytest.mark.parametrize(
    ("flag", "module", "wrong"),
    [("", "batches", True), (", volatile=True", "batches", False), ("", "elsewhere", False)],
)
def test_data_of_another_file_was_not_told_to_do_without_graphs(tmp_path: Path, flag: str, module: str, wrong: bool) -> None:
    (tmp_path / "batches.py").write_text(DRAWS.format(flag=flag))
    (tmp_path / "train.py").write_text(MEASURES.format(module=module, name="batch"))
    assert (GRAPH in names(tmp_path / "train.py")) == wrong


ALONE = """\
import torch
from torch import nn
from torch.autograd import Variable

import batches

net = nn.Sequential(nn.Linear(4, 8), nn.Linear(8, 2))
optimizer = torch.optim.Adam(net.parameters())
for epoch in range(5):
    optimizer.zero_grad()
    net(Variable(torch.load("rows.pt"))).sum().backward()
    optimizer.step()
    net.eval()
    total = 0.0
    for x in torch.load("test.pt"):
        x = Variable(x)
        {then}total += net(x).data[0]
    net.train()
    print(total)
"""


@pytest.mark.parametrize(("then", "wrong"), [("", True), ("x.volatile = True\n        ", False)])
def test_outside_of_all_functions_the_file_speaks_of_it(tmp_path: Path, then: str, wrong: bool) -> None:
    (tmp_path / "batches.py").write_text(DRAWS.format(flag=", volatile=True"))
    (tmp_path / "train.py").write_text(ALONE.format(then=then))
    assert (GRAPH in names(tmp_path / "train.py")) == wrong


INSTALLED = """\
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 8)
        self.drop = nn.Dropout(0.5)
        self.last = nn.Linear(8, 2)

    def forward(self, x):
        return self.last(self.drop(self.first(x)))
"""
USES = """\
import torch
from torch import nn
from torch.utils.data import DataLoader

from nets import Net
{imports}
loader, test_loader = DataLoader(torch.load("rows.pt")), DataLoader(torch.load("test.pt"))
net = Net()
optimizer = torch.optim.Adam(net.parameters())
for epoch in range(5):
    {trains}for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x), y).backward()
        optimizer.step()
    {evaluates}
"""
EVALUATES = "print(sum(nn.functional.mse_loss(net(x), y).item() for x, y in test_loader))"


@pytest.mark.parametrize(
    ("name", "said", "found"),
    [
        ("setup.py", 'setup(package_dir={"": "code/python"})', True),
        ("setup.py", "setup(package_dir={'nets': 'code/python/nets'})", False),
        ("setup.cfg", "[options]\npackage_dir =\n    =code/python\n", True),
        ("pyproject.toml", '[tool.setuptools]\npackage-dir = {"" = "code/python"}\n', True),
        ("pyproject.toml", '[tool.setuptools.package-dir]\n"" = "code/python"\n', True),
        ("pyproject.toml", '[tool.setuptools.packages.find]\nwhere = ["code/python"]\n', True),
        ("pyproject.toml", '[tool.setuptools.packages.find]\nwhere = ["../other"]\n', False),
        ("README.md", 'setup(package_dir={"": "code/python"})', False),
    ],
)
def test_a_project_says_where_its_packages_stand(tmp_path: Path, name: str, said: str, found: bool) -> None:
    root = tmp_path / "code"
    for folder in (root / "code" / "python" / "nets", tmp_path / "other" / "nets"):
        folder.mkdir(parents=True)
        (folder / "__init__.py").write_text(INSTALLED)
    (root / "examples").mkdir()
    (root / name).write_text(said)
    (root / ".git").mkdir()
    script = root / "examples" / "train.py"
    script.write_text(USES.format(imports="", trains="", evaluates=EVALUATES))
    assert (MODE in names(script)) == found


SCORES = """\
{says}
def score(model, loader):
    hits = 0
    for x, y in loader:
        hits += int((model(x).argmax(dim=1) == y).sum())
    return hits
"""


@pytest.mark.parametrize(
    ("modes", "wrong"), [("net.eval()\n    print(score(net, test_loader))", False), ("print(score(net, test_loader))", True)]
)
def test_a_file_that_says_nothing_of_torch_applies_a_network(tmp_path: Path, modes: str, wrong: bool) -> None:
    (tmp_path / "nets.py").write_text(INSTALLED)
    (tmp_path / "scores.py").write_text(SCORES.format(says=""))
    imports = "from scores import score\n"
    (tmp_path / "train.py").write_text(USES.format(imports=imports, trains="net.train()\n    ", evaluates=modes))
    assert (MODE in names(tmp_path / "train.py")) == wrong


HOLDS = """\
class Score:
    def __init__(self, it, rows):
        self.it, self.rows = {held}

    def __call__(self):
        return self.it(self.rows)
"""


@pytest.mark.parametrize(
    ("code", "name", "followed"),
    [
        ("def score(model, rows):\n    return model(rows)\n", "score", True),
        ("def score(metric, rows):\n    return metric(rows)\n", "score", False),
        ("import torch\n\n\ndef score(metric, rows):\n    return metric(rows)\n", "score", True),
        ("import tensorflow\n\n\ndef score(model, rows):\n    return model(rows)\n", "score", False),
        ("def score(model, rows):\n    return model.name(rows)\n", "score", False),
        ("class Score:\n    def __call__(self, model, rows):\n        return model(rows)\n", "Score", True),
        ("class Score:\n    def __call__(self, metric, rows):\n        return metric(rows)\n", "Score", False),
        (HOLDS.format(held="it, rows"), "Score", True),
        (HOLDS.format(held="rows, it"), "Score", False),
    ],
)
def test_what_applies_a_network_that_it_is_given(code: str, name: str, followed: bool) -> None:
    assert applies(code.encode(), name) == followed
