"""What a `with` or a decorator out of sight leaves open: an evaluation in it may record no graph."""

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

model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x, y in train_loader:
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(x), y).backward()
    optimizer.step()

{mark}
def validate(val_loader, around):
    model.eval()
    hits = 0
    with {context}:
        for x, y in val_loader:
            hits += (model(x).argmax(1) == y).sum().item()
    return hits
print(validate(val_loader, lab.around))
"""
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
    "@timer": True,
    "@lab.app.command()": True,
    "@click.option('--batch-size', default=8)": True,
    "@torch.compile": True,
    "": True,
}


def told(context: str = "torch.random.fork_rng()", mark: str = "") -> bool:
    """Whether the evaluation is told to build a graph."""
    program = dedent(HEAD.format(context=context, mark=mark))
    rules = [rule for rule in packs.rules() if rule.name == "missing-no-grad"]
    return bool(check_source(program.encode(), "train.py", rules).findings)


@pytest.mark.parametrize("context", TELLS_NOTHING)
def test_a_context_out_of_sight_may_hold_gradients_off(context: str) -> None:
    assert not told(context)


@pytest.mark.parametrize("context", LEAVES_GRADIENTS)
def test_a_context_that_is_known_or_says_what_it_is_for_leaves_autograd_as_it_is(context: str) -> None:
    assert told(context)


@pytest.mark.parametrize(("mark", "graph"), MARKS.items())
def test_a_decorator_is_read_as_a_context_is(mark: str, graph: bool) -> None:
    assert told(mark=mark) is graph
