"""What a `with` or a decorator out of sight leaves open: an evaluation in it may record no graph, and be in eval mode."""

from __future__ import annotations

from textwrap import dedent

import pytest

from loopcheck import packs
from loopcheck.check import check_source

HEAD = """
import tempfile
import click
import torch
from torch import nn
from tqdm import tqdm
import lab
from lab import evaluating, quiet, timer

class Silent(lab.Context):
    pass

model = nn.Sequential(nn.Linear(4, 2), nn.Dropout())
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x, y in train_loader:
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(x), y).backward()
    optimizer.step()

{mark}
def validate(model, val_loader, around):
    hits = 0
    with {context}:
        for x, y in val_loader:
            hits += (model(x).argmax(1) == y).sum().item()
    return hits
print(validate(model, val_loader, lab.around))
"""
RULES = [rule for rule in packs.rules() if rule.name in ("missing-no-grad", "missing-eval-mode")]
ALL = {rule.name for rule in RULES}
TELLS_NOTHING = ["evaluating(model)", "quiet()", "lab.quiet()", "around", "around(model)", "Silent()", "lab.around[mode]()"]
LEAVES_GRADIENTS = [
    "timer('validation')",
    "lab.profiler.section()",
    "tempfile.TemporaryDirectory() as folder",
    "open('scores.txt') as scores",
    "tqdm(total=8) as progress",
    "torch.autocast('cpu')",
    "torch.profiler.profile()",
    "torch.random.fork_rng()",
]
MARKS = {
    "@quiet": False,
    "@lab.evaluation(model)": False,
    "@torch.enable_grad()\n@quiet": False,
    "@timer if lab.TORCH else (lambda function: function)": True,
    "@timer": True,
    "@lab.app.command()": True,
    "@click.option('--batch-size', default=8)": True,
    "@torch.compile": True,
    "": True,
}


def told(context: str = "torch.random.fork_rng()", mark: str = "") -> set[str]:
    """What is told of the evaluation."""
    program = dedent(HEAD.format(context=context, mark=mark))
    return {finding.rule.name for finding in check_source(program.encode(), "train.py", RULES).findings}


@pytest.mark.parametrize("context", TELLS_NOTHING)
def test_a_context_out_of_sight_may_hold_gradients_off_and_look_to_the_mode(context: str) -> None:
    assert not told(context)


@pytest.mark.parametrize("context", LEAVES_GRADIENTS)
def test_a_context_that_is_known_or_says_what_it_is_for_leaves_autograd_as_it_is(context: str) -> None:
    assert told(context) == ALL


@pytest.mark.parametrize(("mark", "graph"), MARKS.items())
def test_a_decorator_is_read_as_a_context_is(mark: str, graph: bool) -> None:
    assert told(mark=mark) == (ALL if graph else set())


def test_a_decorator_that_a_test_has_chosen_may_be_the_one_that_turns_autograd_off() -> None:
    assert told(mark="@torch.no_grad() if lab.TORCH else (lambda function: function)") == {"missing-eval-mode"}


SCALED = """
import torch
from torch import nn
from apex import amp

net = nn.Sequential(nn.Linear(4, 2), nn.Dropout())
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
net, optimizer = amp.initialize(net, optimizer)

def evaluate(net, val_loader):
    net.eval()
    with torch.no_grad():
        return sum((net(x).argmax(1) == y).sum().item() for x, y in val_loader)

net.train()
for epoch in range(3):
    for x, y in train_loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(net(x), y)
        with amp.scale_loss(loss, optimizer) as scaled_loss:
            scaled_loss.backward()
        optimizer.step()
    print(evaluate(net, val_loader))
"""


def test_a_context_that_scales_a_loss_sets_no_mode() -> None:
    rules = [rule for rule in packs.rules() if rule.name == "missing-train-restore"]
    assert check_source(SCALED.encode(), "train.py", rules).findings
