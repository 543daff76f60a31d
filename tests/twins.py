"""Programs of which one is right and the other has a bug, and are the same but for what makes that."""

from __future__ import annotations

from textwrap import dedent
from typing import TypeAlias

from loopcheck import packs
from loopcheck.check import check_source
from loopcheck.rule import Confidence

HEAD = """\
import argparse
import contextlib
import functools

import torch
import torchvision
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

LOADER = DataLoader(TensorDataset(torch.randn(8, 4), torch.randn(8, 2)), batch_size=2, shuffle=True)
TEST_LOADER = DataLoader(TensorDataset(torch.randn(8, 4), torch.randn(8, 2)), batch_size=2)
"""

Twin: TypeAlias = tuple[str, str, dict[str, str], dict[str, str]]
"""The rule, the program with what differs in braces, and what stands there where it is right and where it is not."""


def told(twin: Twin) -> tuple[bool, ...]:
    """Whether the rule tells something of the right one, and of the other."""
    rule, program, right, wrong = twin
    return tuple(rule in names(program.format(**each)) for each in (right, wrong))


def names(program: str) -> set[str]:
    """The rules of the bug tier that tell something of a program, with more than low confidence."""
    report = check_source((HEAD + dedent(program)).encode(), "train.py", packs.rules())
    return {each.rule.name for each in report.findings if each.confidence is not Confidence.LOW}
