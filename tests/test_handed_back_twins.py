"""Best weights that a function hands back, to whoever calls it: programs that differ in one line, of which one is right."""

from __future__ import annotations

from textwrap import dedent

import pytest

from loopcheck import packs
from loopcheck.check import check_source

TRAINS = """
import copy

import torch
from lab import loaders, measured
from torch import nn


def train(model, epochs=10):
    train_loader, val_loader = loaders()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    weights = model.state_dict()
    best, best_state, last_state, best_epoch = 0, {first}, None, 0
    for epoch in range(epochs):
        for x, y in train_loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
        hits = measured(model, val_loader)
        last_state = model.state_dict()
        if hits > best:
            best, best_epoch = hits, epoch
            best_state = {kept}
            {left}
    return {back}
"""


def told(**lines: str) -> bool:
    program = dedent(TRAINS).format(
        **{"first": "None", "kept": "model.state_dict()", "left": "pass", "back": "best_state", **lines}
    )
    rules = [rule for rule in packs.rules() if rule.code == "LC904"]
    return bool(check_source(program.encode(), "train.py", rules).findings)


@pytest.mark.parametrize(
    "back", ["best_state", "best_state, best", "(best, best_state)", '{"epoch": best_epoch, "state": best_state}']
)
@pytest.mark.parametrize(
    ("kept", "wrong"),
    [
        ("model.state_dict()", True),
        ("copy.deepcopy(model.state_dict())", False),
        ("{name: each.clone() for name, each in model.state_dict().items()}", False),
    ],
)
def test_who_gets_the_best_weights_back_gets_them_as_they_are_by_then(back: str, kept: str, wrong: bool) -> None:
    assert told(back=back, kept=kept) is wrong


def test_training_that_ends_with_the_best_changes_nothing_more() -> None:
    assert not told(left="break")


def test_what_is_handed_back_as_the_last_weights_is_meant_to_be_that() -> None:
    assert not told(kept="hits", back="last_state")
    assert not told(kept="hits", back="weights")
    assert not told(kept="hits", back="model.state_dict()")


def test_weights_that_were_there_before_all_training_are_no_longer() -> None:
    assert told(first="model.state_dict()", kept="best_state", back="best_state")
