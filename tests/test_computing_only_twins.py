"""A container of modules that learn nothing, augmentations say, records no graph: programs of which one is right."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from loopcheck import packs
from loopcheck.check import check_file, check_source

PROGRAM = """
import torch
from lab import held_out, options
from torch import nn


class Remix(nn.Module):
    def __init__(self):
        super().__init__()
        {holds}

    def forward(self, sources):
        return sources[torch.randperm(len(sources))]


kinds = []
if options.remix:
    kinds.append(Remix())
changed = nn.Sequential(*kinds{more})


def validate():
    losses = []
    for x, y in held_out:
        losses.append((changed(x) - y).abs().mean().item())
    return sum(losses)


print(validate())
"""


@pytest.mark.parametrize(
    ("holds", "more", "wrong"),
    [
        ("self.most = 3", "", False),
        ("self.most = 3", ", nn.ReLU()", False),
        ("self.most = 3", ", nn.Linear(2, 2)", True),
        ("self.scale = nn.Parameter(torch.ones(1))", "", True),
        ("self.most = 3", ", *options.layers", True),
    ],
)
def test_what_holds_nothing_that_learns_records_no_graph(holds: str, more: str, wrong: bool) -> None:
    program = dedent(PROGRAM).replace("{holds}", holds).replace("{more}", more)
    rules = [rule for rule in packs.rules() if rule.code == "LC602"]
    assert bool(check_source(program.encode(), "train.py", rules).findings) is wrong


@pytest.mark.parametrize("grown", ["append(nn.Linear(2, 2))", "add_module('last', nn.Linear(2, 2))", "append(options.last)"])
def test_a_container_that_is_given_more_learns(grown: str) -> None:
    program = dedent(PROGRAM).replace("{holds}", "self.most = 3").replace("{more}", f", nn.ReLU())\nchanged.{grown}\nprint(kinds")
    rules = [rule for rule in packs.rules() if rule.code == "LC602"]
    assert check_source(program.encode(), "train.py", rules).findings


HELPERS = """
import torch
from torch import nn


class LowPass(nn.Module):
    def __init__(self, cutoff):
        super().__init__()
        {holds}

    def forward(self, x):
        return torch.fft.irfft(torch.fft.rfft(x))
"""
FILTERED = """
import filters
import torch
from lab import held_out
from torch import nn


class Band(nn.Module):
    def forward(self, x):
        return x - filters.LowPass(0.1)(x)


changed = nn.Sequential(Band()).eval()


def validate():
    losses = []
    for x, y in held_out:
        losses.append((changed(x) - y).abs().mean().item())
    return sum(losses)


print(validate())
"""


@pytest.mark.parametrize(("holds", "wrong"), [("self.cutoff = cutoff", False), ("self.taps = nn.Conv1d(1, 1, 3)", True)])
def test_a_class_may_be_taken_of_a_module(tmp_path: Path, holds: str, wrong: bool) -> None:
    (tmp_path / "filters.py").write_text(HELPERS.replace("{holds}", holds))
    (tmp_path / "train.py").write_text(FILTERED)
    rules = [rule for rule in packs.rules() if rule.code == "LC602"]
    assert bool(check_file(tmp_path / "train.py", rules).findings) is wrong
