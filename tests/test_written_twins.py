"""Bugs that are written the everyday way, in parts that know of each other, each beside its twin that is right."""

from __future__ import annotations

import pytest
from twins import Twin, names, told

from loopcheck.read.triage import worth_reading

FOCAL = """
def focal_loss(pred, target, gamma=2.0, logits=True):
    if pred.shape[1] == 1:
        pred = {inner_sigmoid}
    else:
        pred = {inner}
    weight = torch.pow(1 - pred, gamma)
    return -(weight * torch.log({logged}) * target).sum(1).mean()


class {cls}(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.classes = classes

    def forward(self, pred, target):
        if self.classes == 1:
            pred = {outer_sigmoid}
        else:
            pred = {outer}
        return focal_loss({handed})
"""
TWICE = {
    "cls": "Focal",
    "inner_sigmoid": "torch.sigmoid(pred)",
    "inner": "nn.functional.softmax(pred, dim=1)",
    "logged": "pred",
    "outer_sigmoid": "torch.sigmoid(pred)",
    "outer": "nn.functional.softmax(pred, dim=1).float()",
    "handed": "pred, target",
}
ERRORS = """
def error(out, y, scale):
    return {returned}


def long_error(out, y):
    out = out.detach()
    return (out - y).abs().sum()


def tracked(function):
    return function


@tracked
def wrapped(out, y):
    return (out - y).abs().sum()


net = {net}
optimizer = torch.optim.Adam(net.parameters())
total = 0.0
for x, y in LOADER:
    optimizer.zero_grad()
    {out} = net(x)
    {loss}.backward()
    optimizer.step()
    {between}
    total += {added}
    {after}
print(total)
"""
ADDED = {
    "net": "nn.Linear(4, 2)",
    "returned": "((y - out) * scale).abs().sum()",
    "out": "out",
    "loss": "nn.functional.mse_loss(out, y)",
    "between": "pass",
    "added": "(out - y).abs().sum()",
    "after": "pass",
}
RETAINED = "graph-retained-in-metric"
RESTARTS = """
import math

SKIPPED = set(input())
RESTARTS = [0, 10, 30, 70]


def cosine(step, high, low):
    for {each} in {over}:
        if step {past}:
            length = RESTARTS[1]
            {leave}
    rate = low + (high - low) * 0.5 * (1 + math.cos(step / length * math.pi))
    return {returned}


def scheduled(optimizer, lr):
    return torch.optim.lr_scheduler.LambdaLR(optimizer, lr_lambda=lambda step: cosine(step=step, high=lr, low=0.001))


net = nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr={own})
scheduler = scheduled(optimizer, lr={high})
for epoch in range(150):
    for x, y in LOADER:
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x), y).backward()
        optimizer.step()
    scheduler.step()
"""
RATES = {
    "each": "i, begun",
    "over": "enumerate(RESTARTS)",
    "past": ">= begun",
    "leave": "break",
    "returned": "rate",
    "own": "0.05",
    "high": "0.05",
}
SQUARED = "lambda-returns-lr"
SOFTMAX = "softmax-before-cross-entropy"
TWINS: dict[str, Twin] = {
    "a loss hands probabilities to a function that takes logits": (
        SOFTMAX,
        FOCAL,
        {**TWICE, "outer": "pred", "outer_sigmoid": "pred"},
        TWICE,
    ),
    "by a keyword": (SOFTMAX, FOCAL, {**TWICE, "handed": "target, target=pred"}, {**TWICE, "handed": "target=target, pred=pred"}),
    "probabilities of one row as a whole": (
        SOFTMAX,
        FOCAL,
        {**TWICE, "inner": "nn.functional.softmax(pred, dim=2)"},
        {**TWICE, "inner": "nn.functional.softmax(pred, dim=-1)"},
    ),
    "they are logged as they are handed": (SOFTMAX, FOCAL, {**TWICE, "inner": "pred", "inner_sigmoid": "pred"}, TWICE),
    "on some ways alone they are made anew": (SOFTMAX, FOCAL, {**TWICE, "inner_sigmoid": "pred"}, TWICE),
    "they are sharpened": (SOFTMAX, FOCAL, {**TWICE, "inner": "nn.functional.softmax(pred / 0.1, dim=1)"}, TWICE),
    "on some ways alone they are handed": (SOFTMAX, FOCAL, {**TWICE, "outer_sigmoid": "pred"}, TWICE),
    "an error of outputs is added up": (RETAINED, ERRORS, {**ADDED, "added": "(out - y).abs().sum().item()"}, ADDED),
    "an error that is computed of numbers": (
        RETAINED,
        ERRORS,
        {**ADDED, "added": "torch.abs(out.detach() - y).mean()"},
        {**ADDED, "added": "torch.abs(-out.cpu() ** 2 - y).mean()"},
    ),
    "an error by a function": (
        RETAINED,
        ERRORS,
        {**ADDED, "added": "error(y, y, 2)"},
        {**ADDED, "added": "error(out.cpu(), y, 2)"},
    ),
    "a function that counts": (
        RETAINED,
        ERRORS,
        {**ADDED, "added": "error(out, y, 2)", "returned": "(y == out.argmax(-1)).sum() * scale"},
        {**ADDED, "added": "error(out, y, 2)"},
    ),
    "a function that takes numbers": (
        RETAINED,
        ERRORS,
        {**ADDED, "added": "error(out, y, 2)", "returned": "(y - out.data).abs().sum() * scale"},
        {**ADDED, "added": "error(out, y, 2)", "returned": "(y - out).abs().sum() * scale"},
    ),
    "by a name of the pass": (
        RETAINED,
        ERRORS,
        {**ADDED, "between": "far = (out - y).abs().long()", "added": "far.sum()"},
        {**ADDED, "between": "far = (out - y).abs()", "added": "far.sum()"},
    ),
    "a name that is bound anew": (
        RETAINED,
        ERRORS,
        {**ADDED, "between": "out = out.detach()"},
        {**ADDED, "between": "shown = out.detach()"},
    ),
    "an error without a graph": (
        RETAINED,
        ERRORS,
        {**ADDED, "between": "with torch.no_grad():\n        out = net(x)"},
        {**ADDED, "between": "with torch.no_grad():\n        other = net(x)"},
    ),
    "outputs that nobody learns from": (
        RETAINED,
        ERRORS,
        {**ADDED, "loss": "nn.functional.mse_loss(net(x + 1), y)"},
        ADDED,
    ),
    "one of several outputs": (RETAINED, ERRORS, {**ADDED, "out": "out, scores"}, ADDED),
    "a sum that is begun anew": (RETAINED, ERRORS, {**ADDED, "between": "total = 0"}, ADDED),
    "a sum that is backpropagated": (
        RETAINED,
        ERRORS,
        {**ADDED, "loss": "nn.functional.mse_loss(out, y)", "after": "total.backward()"},
        ADDED,
    ),
    "rates of a function that looks its interval up": (SQUARED, RESTARTS, {**RATES, "own": "1.0"}, RATES),
    "factors that begin lower": (SQUARED, RESTARTS, {**RATES, "high": "1.0"}, RATES),
    "rates of another optimizer": (SQUARED, RESTARTS, {**RATES, "own": "0.08"}, RATES),
    "a pass that is left for the next": (
        SQUARED,
        RESTARTS,
        {**RATES, "leave": "high = 1.0"},
        {**RATES, "leave": "continue\n            high = 1.0"},
    ),
    "what a later pass would do": (
        SQUARED,
        RESTARTS,
        {**RATES, "past": "<= begun", "leave": "high = high * (1 - i)"},
        {**RATES, "past": "<= begun", "leave": "high = high * (1 - i)\n            break"},
    ),
    "a pass that nobody knows": (SQUARED, RESTARTS, {**RATES, "past": "in SKIPPED"}, RATES),
    "something else is logged": (SOFTMAX, FOCAL, {**TWICE, "logged": "target"}, TWICE),
}


@pytest.mark.parametrize("twin", TWINS.values(), ids=TWINS.keys())
def test_of_these_twins_the_wrong_one_is_told(twin: Twin) -> None:
    assert told(twin) == (False, True)


@pytest.mark.parametrize(
    ("function", "wrong"), [("focal_loss", True), ("focal", False), ("decorated_loss", False), ("imported_loss", False)]
)
def test_a_function_that_is_handed_probabilities_is_a_loss_by_its_name_and_seen(function: str, wrong: bool) -> None:
    program = FOCAL.format(**TWICE).replace("focal_loss", function)
    program = program.replace("def decorated_loss", "@functools.wraps(print)\ndef decorated_loss")
    program = program.replace("def imported_loss", "from losses import imported_loss\n\n\ndef other_loss")
    assert (SOFTMAX in names(program)) == wrong


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("def focal_loss(p, y):\n    return -(torch.log(torch.softmax(p, 1)) * y).sum()\n", True),
        ("def entropy(p, y):\n    return -(torch.log(torch.softmax(p, 1)) * y).sum()\n", False),
        ("def focal_loss(p, y):\n    return -(torch.exp(torch.softmax(p, 1)) * y).sum()\n", False),
        ("def focal_loss(p, y):\n    return -(torch.log(p) * y).sum()\n", False),
    ],
)
def test_a_file_is_read_in_which_losses_take_logarithms_of_probabilities(text: str, read: bool) -> None:
    assert worth_reading(b"import torch\n\n\n" + text.encode()) == read


@pytest.mark.parametrize(
    ("added", "wrong"),
    [
        ("error(out, y, 2)", True),
        ("wrapped(out, y)", False),
        ("error(out, y, scale=2)", False),
        ("error(*[out, y, 2])", False),
        ("long_error(out, y)", False),
        ("out.to(torch.long).sum()", False),
        ("(out // y).sum()", False),
        ("(y - out).abs().sum().clamp(max=1)", True),
    ],
)
def test_what_is_added_up_is_computed_by_what_keeps_a_graph(added: str, wrong: bool) -> None:
    assert (RETAINED in names(ERRORS.format(**{**ADDED, "added": added}))) == wrong


@pytest.mark.parametrize(
    ("was", "instead"),
    [
        ("focal_loss(pred, target)", "focal_loss(*pair, pred)"),
        ("        return focal_loss", "        focal_loss = self.measure\n        return focal_loss"),
        ("focal_loss", "focal"),
        ("    target = torch.softmax", "    if gamma > 2:\n        pred = torch.sqrt(pred)\n    target = torch.softmax"),
        ("gamma=2.0):", "gamma=2.0):\n    if gamma > 2:\n        pred = torch.logit(pred)"),
    ],
)
def test_what_a_loss_is_handed_are_probabilities_for_sure(was: str, instead: str) -> None:
    assert SOFTMAX in names(HANDS)
    assert SOFTMAX not in names(HANDS.replace(was, instead))


HANDS = """
def focal_loss(pred, target, gamma=2.0):
    pred = torch.softmax(pred, dim=1)
    target = torch.softmax(target, dim=1)
    return -(pred**gamma * (torch.log(pred) + torch.log(target))).sum(1).mean()


class Focal(nn.Module):
    def forward(self, pred, target, pair):
        pred = torch.softmax(pred, dim=1)
        if target is None:
            return nn.functional.nll_loss(pair, pair)
        return focal_loss(pred, target)
"""
