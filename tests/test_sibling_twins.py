"""Evaluations that stand side by side, and those of programs that train nothing, each beside its twin that is right."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest
from twins import HEAD, Twin, told

from loopcheck import packs
from loopcheck.check import check_file, check_source
from loopcheck.rule import Confidence

SEARCH = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell, self.head = nn.GRUCell(4, 4), nn.Linear(4, 9)

    def search(self, x):
        {under}
        found, state = [], None
        for length in range(9):
            state = self.cell(x, state)
            score = self.head(state)
            found.append((score.max().item(), state))
            found = sorted(found)[:3]
        return found


net = Net()
net.load_state_dict(torch.load("net.pt"))
{mode}
for x, y in LOADER:
    found = net.{called}(x)
    {use}
"""
FIRST = SEARCH.replace("        found, state", "        first = self.cell(x)\n        found, state").replace(
    "return found", "return first"
)
WHOLE = """
    def __init__(self):
        super().__init__()
        self.part = Net()

    def best(self, x):
        return self.part.search(x)"""
SILENT = {"under": "pass", "mode": "net.eval()", "called": "search", "use": "print(found)"}

TWINS: dict[str, Twin] = {
    "a beam search of a network keeps states in a list of its own": (
        "missing-no-grad",
        SEARCH,
        {**SILENT, "use": "found[0][1].sum().backward()"},
        SILENT,
    ),
    "the caller asks for gradients of what a search has found": (
        "missing-no-grad",
        SEARCH,
        {**SILENT, "use": "print(torch.autograd.grad(found[0][1].sum(), list(net.parameters())))"},
        {**SILENT, "use": "print([score for score, state in found])"},
    ),
    "a search of a part of a network": (
        "missing-no-grad",
        SEARCH.replace("net = Net()", "class Whole(nn.Module):{whole}\n\n\nnet = Whole()"),
        {**SILENT, "called": "best", "whole": WHOLE, "use": "print(torch.autograd.grad(found[0][1], list(net.parameters())))"},
        {**SILENT, "called": "best", "whole": WHOLE},
    ),
    "what a search has found learns after all": (
        "missing-no-grad",
        SEARCH,
        {**SILENT, "use": "pass\nfound[0][1].sum().backward()"},
        {**SILENT, "use": "pass\nprint(found[0])"},
    ),
    "gradients of something else are asked for": (
        "missing-no-grad",
        SEARCH,
        {**SILENT, "mode": "net.eval()\nother = nn.Linear(4, 1)\ntorch.autograd.grad(other.loss, list(other.parameters()))"},
        {
            **SILENT,
            "mode": "net.eval()\nother = nn.Linear(4, 1)\n"
            "print(torch.autograd.grad(other(torch.ones(4)), list(other.parameters())))",
        },
    ),
    "the caller puts what a search ends with into a list of its own": (
        "missing-no-grad",
        f"from library import explain\nkept = []\n{FIRST}",
        {**SILENT, "use": "kept.append(found)\nexplain(kept)"},
        {**SILENT, "use": "kept.append(found.detach())\nexplain(kept)"},
    ),
    "an object gets what a search began with": (
        "missing-no-grad",
        f"class Bank:\n    last = None\n\n\nbank = Bank()\n{FIRST}",
        {**SILENT, "use": "pass\nbank.last = found"},
        {**SILENT, "use": "pass\nprint(found)"},
    ),
    "a search of a network that is left in train mode": (
        "missing-eval-mode",
        SEARCH.replace("nn.Linear(4, 9)", "nn.Sequential(nn.Dropout(), nn.Linear(4, 9))"),
        SILENT,
        {**SILENT, "mode": "pass"},
    ),
    "a list of the caller has the graphs, and code out of sight gets it": (
        "missing-no-grad",
        """
from library import explain

net = nn.Linear(4, 2)
net.load_state_dict(torch.load("net.pt"))
net.eval()
found = []
for x, y in LOADER:
    out = net(x)
    print(out.max().item())
    {keeps}
{then}
""",
        {"keeps": "found.append((len(found), out))", "then": "explain(found)"},
        {"keeps": "found.append((len(found), out.argmax(1)))", "then": "explain(found)"},
    ),
}
STEPS = """
train_x, train_y, test_x, test_y = torch.load("data.pt")
net = nn.Sequential(nn.Linear(4, 8), nn.Dropout(), nn.Linear(8, 2))
optimizer = torch.optim.Adam(net.parameters())


def step(data, optimizer=None):
    xs, ys = train_x, train_y
    {unpacked}
    total = 0
    for i in range(len(xs) // 8):
        loss = nn.functional.mse_loss(net(xs[8 * i : 8 * i + 8]), ys[8 * i : 8 * i + 8])
        total += loss.item()
        if optimizer is not None:
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return total


for epoch in range(9):
    net.train()
    step((train_x, train_y), optimizer)
    with torch.no_grad():
        {mode}
        print(step(({data})))
"""
TESTS = {"unpacked": "xs, ys = data", "mode": "pass", "data": "test_x, test_y"}
COUNTED = """
from library import compute_loss

net = nn.Linear(4, 2)
optimizer = torch.optim.Adam(net.parameters())
total = 0
for x, y in LOADER:
    optimizer.zero_grad()
    result = compute_loss(net(x), y)
    loss, number = result
    loss.backward()
    optimizer.step()
    total += {added}
print(total)
"""
TWINS |= {
    "one tuple has the held-out data, and is taken apart": (
        "missing-eval-mode",
        STEPS,
        {**TESTS, "mode": "net.eval()"},
        TESTS,
    ),
    "one tuple has the data that is trained on": (
        "missing-eval-mode",
        STEPS,
        {**TESTS, "data": "train_x, train_y"},
        TESTS,
    ),
    "a tuple that is taken apart where a test holds alone": (
        "missing-eval-mode",
        STEPS,
        {**TESTS, "unpacked": "if len(xs) > 9:\n        xs, ys = data"},
        TESTS,
    ),
    "a number that comes with a loss in one result": (
        "graph-retained-in-metric",
        COUNTED,
        {"added": "number"},
        {"added": "loss"},
    ),
}


PREDICTED = """
class {of}:
    def __init__(self):
        self.net = nn.Sequential(nn.Linear(4, 8), nn.Dropout(), nn.Linear(8, 2))
        self.optimizer = torch.optim.Adam(self.net.parameters())

    def fit(self, loader):
        for x, y in loader:
            self.optimizer.zero_grad()
            nn.functional.mse_loss(self.net(x), y).backward()
            self.optimizer.step()

    def {called}(self, given):
        {mode}
        found = []
        for start in range(0, len(given), 8):
            x = given[start : start + 8]
            found.append({out})
        return torch.cat(found)


course = {of}()
{before}
course.fit(LOADER)
print(course.{called}(torch.load("x.pt")))
{behind}
"""
PREDICTS = {
    "of": "Course",
    "called": "predict_proba",
    "mode": "pass",
    "out": "self.net(x).softmax(1).detach()",
    "before": "pass",
    "behind": "pass",
}
TWINS |= {
    f"predictions once training is over: {what}": (rule, PREDICTED, {**PREDICTS, **right}, PREDICTS)
    for what, rule, right in (
        ("in eval mode", "missing-eval-mode", {"mode": "self.net.eval()"}),
        ("without graphs", "missing-no-grad", {"mode": "torch.set_grad_enabled(False)"}),
        ("in train mode on purpose", "missing-eval-mode", {"mode": "self.net.train()"}),
        ("drawn again and again", "missing-eval-mode", {"out": "torch.stack([self.net(x).detach() for _ in range(9)])"}),
        ("in a function that says nothing", "missing-no-grad", {"called": "outputs"}),
        ("in a class that says it", "missing-no-grad", {"of": "Inference", "called": "outputs"}),
        ("in one that says that it trains", "missing-no-grad", {"called": "train_predictor"}),
        ("that train it again", "missing-eval-mode", {"behind": "course.fit(LOADER)"}),
        ("whose graphs are kept", "missing-no-grad", {"out": "self.net(x)"}),
    )
}
TWINS["predictions before training has begun"] = (
    "missing-eval-mode",
    PREDICTED.replace("print(course", "{behind}  # print(course").replace("{before}", "{before}(course)"),
    {**PREDICTS, "before": "lambda course: course.predict_proba(torch.load('x.pt'))", "behind": "pass"},
    {**PREDICTS, "before": "print", "behind": "print(course.predict_proba(torch.load('x.pt')))"},
)


SWITCHED = """
from library import fill_gradients


def train(net):
    optimizer = torch.optim.Adam(net.parameters())
    for x, y in LOADER:
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x), y).backward()
        optimizer.step()


def step_alone(net):
    optimizer = torch.optim.Adam(net.parameters())
    for x, y in LOADER:
        optimizer.zero_grad()
        fill_gradients(net, x, y)
        optimizer.step()


def show(net):
    {mode}
    {filled}
    for line in open("x.txt"):
        x = torch.tensor([[float(word) for word in line.split()]])
        print(net(x).argmax(1).item())


parser = argparse.ArgumentParser()
parser.add_argument("--train", action="store_true")
parser.add_argument("--show", action="store_true")
args = parser.parse_args()
net = nn.Sequential(nn.Linear(4, 8), nn.Dropout(), nn.Linear(8, 2))
{first}
{second}
    {shown}
{last}
"""
SWITCHES = {
    "mode": "pass",
    "filled": "net.load_state_dict(torch.load('net.pt'))",
    "first": "if args.train:\n    train(net)",
    "second": "else:",
    "shown": "show(net)",
    "last": "",
}
BOTH = SWITCHES["first"] + "\nelse:\n    train(net)"
BY_ITSELF = {**SWITCHES, "second": "if not args.train:"}
TWINS |= {
    f"an option says whether a run trains or shows: {what}": (
        rule,
        SWITCHED,
        {**SWITCHES, **right},
        {**SWITCHES, **wrong},
    )
    for what, rule, right, wrong in (
        ("in eval mode", "missing-eval-mode", {"mode": "net.eval()"}, {}),
        ("without graphs", "missing-no-grad", {"mode": "torch.set_grad_enabled(False)"}, {}),
        ("two tests of one option", "missing-no-grad", {"second": "if args.train:"}, {"second": "if not args.train:"}),
        (
            "training where it is off",
            "missing-no-grad",
            {"first": "if args.show:\n    pass\nelse:\n    train(net)", "second": "if not args.show:"},
            {"first": "if args.show:\n    pass\nelse:\n    train(net)", "second": "if args.show:"},
        ),
        ("two options", "missing-no-grad", {"second": "if args.show:"}, BY_ITSELF),
        ("what is shown was trained", "missing-no-grad", {"second": "if True:"}, BY_ITSELF),
        ("a step without an option", "missing-no-grad", {**BY_ITSELF, "first": "train(net)"}, BY_ITSELF),
        (
            "both ways train",
            "missing-no-grad",
            {**BY_ITSELF, "first": SWITCHES["first"] + "\nelse:\n    train(net)"},
            BY_ITSELF,
        ),
        ("training after it", "missing-eval-mode", {"last": "train(net)"}, {}),
        ("steps after it", "missing-eval-mode", {"last": "step_alone(net)"}, {"last": "print(net)"}),
        ("training before it", "missing-no-grad", {"first": "train(net)\n" + SWITCHES["first"]}, {}),
        (
            "by turns",
            "missing-eval-mode",
            {"first": "for turn in range(9):\n  if turn % 2:\n    train(net)", "second": "  else:"},
            {"first": "for turn in range(9):\n  print(turn)\nif args.train:\n  train(net)"},
        ),
        ("random weights", "missing-eval-mode", {"filled": "pass"}, {}),
        (
            "what is only called",
            "missing-no-grad",
            {"second": "else:\n    train(net)\nif args.show:"},
            {"second": "else:\n    print(net)\nif not args.train:"},
        ),
    )
}
APART = """
def fit():
    net = nn.Linear(4, 2)
    optimizer = torch.optim.Adam(net.parameters())
    for x, y in LOADER:
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x), y).backward()
        optimizer.step()


def predict(path{given}):
    {made}
    for line in open(path):
        x = torch.tensor([[float(word) for word in line.split()]])
        {before}
        print(net(x).argmax(1).item())
"""
LOADS = {"given": "", "made": "net = nn.Linear(4, 2)\n    net.load_state_dict(torch.load('net.pt'))", "before": "pass"}
TWINS |= {
    "a function of a file that trains in another loads and predicts": (
        "missing-no-grad",
        APART,
        {**LOADS, "given": ", net", "made": "pass"},
        LOADS,
    ),
    "a function that goes on with what it has loaded": (
        "missing-no-grad",
        APART,
        {**LOADS, "before": "net(x).sum().backward()"},
        LOADS,
    ),
}


@pytest.mark.parametrize("twin", TWINS.values(), ids=list(TWINS))
def test_only_the_wrong_one_of_two_is_told(twin: Twin) -> None:
    assert told(twin) == (False, True)


DRAWS = """
net = nn.Linear(4, 4)
optimizer = torch.optim.Adam(net.parameters())


def draw_first(x):
    out = net(x)
    torchvision.utils.save_image(out.data, "first.png")


def draw_second(x):
    out = net(x + 1)
    shown = net(out)
    torchvision.utils.save_image(shown.data, "second.png")


def fit():
    valid_x = next(iter(TEST_LOADER))[0]
    for x, y in LOADER:
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x), x).backward()
        optimizer.step()
        {beside}


def test():
    net.eval()
    for x, y in TEST_LOADER:
        {tested}


{runs}
"""
IN_TRAINING = {"beside": "draw_first(valid_x); draw_second(valid_x)", "tested": "pass", "runs": "fit()"}


def places(program: str, rule: str = "missing-no-grad") -> list[str]:
    """The lines at which a rule tells something."""
    text = HEAD + dedent(program)
    found = check_source(text.encode(), "train.py", packs.rules()).findings
    return [text.splitlines()[each.primary.row - 1].strip() for each in found if each.rule.name == rule]


def test_functions_that_a_training_pass_evaluates_by_are_mended_one_by_one() -> None:
    assert places(DRAWS.format(**IN_TRAINING)) == ["out = net(x)", "out = net(x + 1)"]


def test_a_pass_that_trains_nothing_is_mended_as_a_whole() -> None:
    alone = {"beside": "pass", "tested": "draw_first(x); draw_second(x)", "runs": "fit()\ntest()"}
    assert places(DRAWS.format(**alone)) == ["out = net(x)"]


def test_what_training_comes_to_as_well_is_mended_where_that_is_mended() -> None:
    both = {**IN_TRAINING, "tested": "draw_first(x); draw_second(x)"}
    for runs in ("fit()\ntest()", "test()\nfit()"):
        assert places(DRAWS.format(**{**both, "runs": runs})) == ["out = net(x)", "out = net(x + 1)"]


def test_a_function_is_told_once_by_whichever_call_it_is_reached() -> None:
    twice = "draw_first(valid_x); draw_first(valid_x + 1)"
    assert places(DRAWS.format(**{**IN_TRAINING, "beside": twice})) == ["out = net(x)"]


def test_each_pass_that_trains_has_functions_of_its_own() -> None:
    third = "def probe(x):\n    shown = net(x * 2)\n    print(shown.argmax(1))\n\n\ndef fit"
    runs = "for epoch in range(3):\n    fit()\n    probe(next(iter(TEST_LOADER))[0])"
    program = DRAWS.replace("def fit", third).format(**{**IN_TRAINING, "runs": runs})
    assert places(program) == ["out = net(x)", "out = net(x + 1)", "shown = net(x * 2)"]


def test_a_mode_is_one_of_the_whole_pass() -> None:
    program = DRAWS.replace("net = nn.Linear(4, 4)", "net = nn.Sequential(nn.Linear(4, 4), nn.Dropout())")
    assert places(program.format(**IN_TRAINING), "missing-eval-mode") == ["out = net(x)"]


SERVES = """\
import torch
from torch import nn


def make():
    net = nn.Linear(4, 2)
    net.load_state_dict(torch.load("net.pt"))
    with torch.no_grad():
        net.eval()
        return net


def answer(line, net):
    out = net(torch.tensor([[float(len(word)) for word in line.split()]]))
    return out.argmax(1).item()
"""
COMMANDS = """\
import fire
import contextlib
import {module}


def chat():
    net = {made}
    {under}:
        while True:
            print({given})


if __name__ == "__main__":
    {runs}
"""
COMMANDED = {
    "module": "serve",
    "made": "serve.make()",
    "under": "if net",
    "given": 'serve.answer(input("> "), net)',
    "runs": "fire.Fire()",
}


def told_of_commands(tmp_path: Path, **instead: str) -> bool:
    (tmp_path / "serve.py").write_text(SERVES)
    (tmp_path / "main.py").write_text(COMMANDS.format(**{**COMMANDED, **instead}))
    report = check_file(tmp_path / "serve.py", packs.rules())
    return any(each.rule.name == "missing-no-grad" and each.confidence is not Confidence.LOW for each in report.findings)


@pytest.mark.parametrize(
    ("instead", "wrong"),
    [
        ({}, True),
        ({"module": "other as serve"}, False),
        ({"module": "torch\nfrom serve import answer, make", "made": "make()", "given": 'answer(input("> "), net)'}, True),
        ({"given": "serve.answer"}, False),
        ({"under": "with serve.torch.no_grad()"}, False),
        ({"runs": "fire.Fire(print)"}, False),
        ({"runs": "print(fire)"}, False),
    ],
)
def test_who_runs_a_file_names_the_function_that_is_run(tmp_path: Path, instead: dict[str, str], wrong: bool) -> None:
    assert told_of_commands(tmp_path, **instead) == wrong
