"""Ways in which people evaluate, each right: nothing is told of any, however it comes to eval mode and to no graphs."""

from __future__ import annotations

from textwrap import dedent, indent

import pytest

from loopcheck import packs
from loopcheck.check import check_source

HEAD = """
import contextlib, copy, functools, torch
import torch as t
from contextlib import ExitStack, contextmanager, nullcontext
from torch import nn, no_grad

model = nn.Sequential(nn.Linear(4, 2), nn.Dropout(), nn.BatchNorm1d(2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
"""
TRAINING = """
for epoch in range(3):
    model.train()
    for x, y in train_loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
    print(test(model, test_loader))
"""
PASS = """
hits = 0
for x, y in loader:
    hits += (model(x).argmax(1) == y).sum().item()
return hits
"""
EVALUATING = """
@contextmanager
def evaluating(net):
    was = net.training
    net.eval()
    with torch.no_grad():
        yield net
    net.train(was)
"""
METHOD = """
class Inner:
    def __init__(self, net):
        self.net = net
    @contextmanager
    def evaluating(self):
        was = self.net.training
        self.net.eval()
        with torch.no_grad():
            yield
        self.net.train(was)
class Holder:
    def __init__(self, net):
        self.inner = Inner(net)
"""
OBJECT = """
class Evaluating(contextlib.AbstractContextManager):
    def __init__(self, net):
        self.net, self.quiet = net, torch.no_grad()
    def __enter__(self):
        self.net.eval()
        self.quiet.__enter__()
        return self.net
    def __exit__(self, *error):
        self.quiet.__exit__(*error)
        self.net.train()
"""
DECORATOR = """
def evaluation(function):
    @functools.wraps(function)
    def inner(model, *given):
        model.eval()
        with torch.no_grad():
            found = function(model, *given)
        model.train()
        return found
    return inner
"""
MAKER = """
def evaluation(quiet):
    def wrap(function):
        def inner(*given):
            given[0].eval()
            with torch.no_grad():
                return function(*given)
        return inner
    return wrap
"""
CALLED = """
class Evaluation:
    def __init__(self, function):
        self.function = function
    def __call__(self, model, *given):
        model.eval()
        with torch.no_grad():
            return self.function(model, *given)
"""
CALLING = """
class Evaluation:
    def __call__(self, function):
        def inner(model, *given):
            model.eval()
            with torch.no_grad():
                return function(model, *given)
        return inner
"""
QUIET = """
class Quiet(contextlib.ContextDecorator):
    def __enter__(self):
        self.recorded = torch.is_grad_enabled()
        torch.set_grad_enabled(False)
    def __exit__(self, *error):
        torch.set_grad_enabled(self.recorded)
"""
SETTER = """
def set_mode(nets, training):
    for net in nets:
        net.train(training)
"""
NAMED = """
def set_mode(net, mode):
    if mode == "train":
        net.train()
    else:
        net.eval()
"""
PUT_IN_EVAL_MODE = [
    "model.eval()",
    "model.train(False)",
    "model.train(mode=False)",
    "model.train(not True)",
    "for net in [model]: net.eval()",
    "[net.eval() for net in (model,)]",
    "list(map(lambda net: net.eval(), [model]))",
    "nn.Module.eval(model)",
    "getattr(model, 'eval')()",
    "mode = 'eval'\ngetattr(model, mode)()",
    "for part in model.modules(): part.training = False",
    "model.apply(lambda part: part.eval())",
    "model.apply(lambda part: setattr(part, 'training', False))",
    "put = model.eval\nput()",
    "model = copy.deepcopy(model).eval()",
    "net = model.module if hasattr(model, 'module') else model\nnet.eval()",
    "(model.module if hasattr(model, 'module') else model).eval()",
    "modes = {'train': model.train, 'eval': model.eval}\nmodes['eval']()",
    "model.train() if False else model.eval()",
    "(net := model).eval()",
    "model = torch.compile(model)\nmodel.eval()",
    "model = nn.DataParallel(model)\nmodel.eval()",
    "model.eval()\nmodel = torch.jit.script(model)",
    f"{NAMED}\nset_mode(model, 'eval')",
    f"{SETTER}\nset_mode([model], False)",
]
WITHOUT_GRAPHS = [
    "with torch.no_grad():",
    "with torch.inference_mode(mode=True):",
    "with torch.autograd.no_grad():",
    "with torch.autograd.grad_mode.no_grad():",
    "with t.no_grad():",
    "with no_grad():",
    "with torch.autocast('cuda'), torch.no_grad():",
    "with torch.set_grad_enabled(model.training):",
    "torch.set_grad_enabled(False)\nif True:",
    "torch._C._set_grad_enabled(False)\nif True:",
    "around = torch.no_grad()\nwith around:",
    "around = torch.no_grad if True else nullcontext\nwith around():",
    "around = torch.no_grad if not model.training else torch.enable_grad\nwith around():",
    "around = functools.partial(torch.no_grad)\nwith around():",
    "stack = ExitStack()\nstack.enter_context(torch.no_grad())\nwith stack:",
    "model = copy.deepcopy(model).eval().requires_grad_(False)\nif True:",
]
AROUND = {
    "with evaluating(model):": EVALUATING,
    "around = evaluating(model)\nwith around:": EVALUATING,
    "stack = ExitStack()\nstack.enter_context(evaluating(model))\nwith stack:": EVALUATING,
    "holder = Holder(model)\nwith holder.inner.evaluating():": METHOD,
    "with Evaluating(model) as model:": OBJECT,
    "around = Evaluating(model)\nwith around:": OBJECT,
    "model.eval()\nwith Quiet():": QUIET,
}
MARKS = {
    "@torch.no_grad()\n@evaluation": DECORATOR,
    "@evaluation": DECORATOR,
    "@evaluation(True)": MAKER,
    "@Evaluation": CALLED,
    "@Evaluation()": CALLING,
    "@evaluating(model)": EVALUATING,
}


def told(before: str, mark: str, first: str) -> list[str]:
    body = indent(f"{first}\n{indent(PASS.strip(), '    ')}", "    ")
    program = f"{HEAD}{before}\n{mark}\ndef test(model, loader):\n{body}\n{TRAINING}"
    compile(program, "train.py", "exec")
    report = check_source(dedent(program).encode(), "train.py", packs.rules())
    return [finding.message for finding in report.findings if finding.rule.group == "bug"]


@pytest.mark.parametrize("first", PUT_IN_EVAL_MODE)
def test_a_mode_is_set_in_many_ways(first: str) -> None:
    assert told("", "", f"{first}\nwith torch.no_grad():") == []


@pytest.mark.parametrize("first", WITHOUT_GRAPHS)
def test_autograd_is_turned_off_in_many_ways(first: str) -> None:
    assert told("", "", f"model.eval()\n{first}") == []


@pytest.mark.parametrize(("first", "before"), AROUND.items())
def test_a_context_manager_of_the_project_does_both(first: str, before: str) -> None:
    assert told(before, "", first) == []


@pytest.mark.parametrize(("mark", "before"), MARKS.items())
def test_a_decorator_of_the_project_does_both(mark: str, before: str) -> None:
    assert told(before, mark, "if True:") == []


def test_what_does_neither_is_told() -> None:
    assert len(told("", "", "if True:")) == 2


GRAPH = """
import torch
from torch import nn

model = nn.Sequential(nn.Linear(4, 4), nn.Dropout())
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
x, y, train_mask, test_mask = torch.load("graph.pt")

def train():
    model.train()
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(x)[train_mask], y[train_mask]).backward()
    optimizer.step()

@torch.no_grad()
def test():
    model.eval()
    return (model(x).argmax(-1)[test_mask] == y[test_mask]).sum()

for epoch in range(200):
    train()
    print(test())
"""
CALLBACKS = """
import torch
from torch import nn
from torch.utils.data import DataLoader

class Measure:
    def __init__(self, loader):
        self.loader = loader
    def after(self, net):
        net.eval()
        with torch.no_grad():
            print(sum((net(x).argmax(1) == y).sum().item() for x, y in self.loader))
        net.train()

def fit(net, optimizer, loader, callback):
    for epoch in range(3):
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(net(x), y).backward()
            optimizer.step()
        callback.after(net)

net = nn.Sequential(nn.Linear(4, 4), nn.Dropout())
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
train_loader = DataLoader(torch.load("train.pt"), 8, shuffle=True)
val_loader = DataLoader(torch.load("val.pt"), 8)
fit(net, optimizer, train_loader, Measure(val_loader))
"""
SPREAD = """
import torch
from torch import nn

class Coder(nn.Module):
    def __init__(self):
        super().__init__()
        self.code, self.back, self.drop = nn.Linear(8, 2), nn.Linear(2, 8), nn.Dropout(0.1)
    def forward(self, x):
        z = self.drop(self.code(x))
        return self.back(z), z

def loss_of(x, made, z, share=0.1):
    return (made - x).pow(2).sum() + share * z.pow(2).sum()

model = Coder()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(3):
    model.train()
    for x in train_loader:
        optimizer.zero_grad()
        loss = loss_of(x, *model(x))
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        print(sum(loss_of(x, *model(x)).item() for x in val_loader))
"""


@pytest.mark.parametrize(
    ("program", "line", "code"),
    [
        (GRAPH, "    model.eval()\n", "LC601"),  # a function that the file itself calls, in no other
        (GRAPH, "    model.train()\n", "LC603"),
        (CALLBACKS, "        net.eval()\n", "LC601"),  # held out is what its loader was called when it was made
        (CALLBACKS, "        net.train()\n", "LC603"),
        (SPREAD, "    model.train()\n", "LC603"),  # its loss is one of what the network puts out, a part for each parameter
        (SPREAD, "    model.eval()\n", "LC601"),
    ],
)
def test_a_mode_that_is_missing_is_told_wherever_it_is_set(program: str, line: str, code: str) -> None:
    for text, found in ((program, []), (program.replace(line, "", 1), [code])):
        report = check_source(text.encode(), "train.py", packs.rules())
        assert [each.rule.code for each in report.findings if each.rule.group == "bug"] == found
