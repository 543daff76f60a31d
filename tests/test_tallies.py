"""Which sums, lists and meters of an evaluation are means of means: one line for each way to write one, and what looks alike."""

from __future__ import annotations

from textwrap import indent

import pytest

from loopcheck import packs
from loopcheck.check import check_source

PROGRAM = """
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader

{maker}

@torch.no_grad()
def evaluate(model, loader, criterion, meter):
    model.eval()
    total, seen, batches, losses = 0.0, 0, 0, []
    table = torch.zeros(len(loader))
    for i, (x, y) in enumerate(loader):
        loss = criterion(model(x), y)
{adds}
    return {ends}

{calls}
"""


def told(adds: str, ends: str, maker: str = "", calls: str = "") -> list[str]:
    """The confidence of each finding of this rule."""
    text = PROGRAM.format(adds=indent(adds, " " * 8), ends=ends, maker=maker, calls=calls)
    report = check_source(text.encode(), "evaluate.py", packs.rules())
    return [str(finding.confidence) for finding in report.findings if finding.rule.name == "batch-mean-of-means"]


@pytest.mark.parametrize(
    ("adds", "ends"),
    [
        ("total += loss.item()", "total / len(loader)"),
        ("total = total + loss.detach()", "(total / len(loader)).item()"),
        ("total += float(loss)", "total / (i + 1)"),
        ("total += loss.item()\nbatches += 1", "total / batches"),
        ("total += loss.item()", "total / max(1, len(loader))"),
        ("total += criterion(model(x), y).item()", "total / len(loader)"),
        ("losses.append(loss.item())", "np.mean(losses)"),
        ("losses.append(loss)", "torch.stack(losses).mean()"),
        ("losses.append(loss.item())", "sum(losses) / len(losses)"),
        ("table[i] = loss", "table.mean()"),
        ("meter.update(loss.item())\nmeter.hits.update(1, n=len(x))", "meter"),
        ("meter.update(loss=loss.item())\nmeter.hits.update(1, len(x))", "meter"),
    ],
)
def test_a_mean_of_means(adds: str, ends: str) -> None:
    assert told(adds, ends) == ["medium"]


@pytest.mark.parametrize(
    ("adds", "ends"),
    [
        ("total += loss.item() * len(x)", "total / len(loader.dataset)"),
        ("total += loss.item() * len(x)\nseen += len(x)", "total / seen"),
        ("loss = loss * len(x)\ntotal += loss.item()", "total / len(loader)"),
        ("total += loss.item()", "total"),
        ("total += loss.item()\nseen += len(x)", "total / seen"),
        ("total += loss.item()\nprint(total / (i + 1))", "None"),
        ("total += nn.functional.mse_loss(model(x), y, reduction='sum')", "total / len(loader)"),
        ("seen += (model(x).argmax(1) == y).sum().item()", "seen / len(loader)"),
        ("losses.append(loss.item() * len(x))", "np.mean(losses)"),
        ("losses += [loss.item()] * len(x)", "np.mean(losses)"),
        ("meter.update(loss.item(), n=len(x))", "meter"),
        ("meter.update(loss.item())", "meter"),
        ("for row in x:\n    total += criterion(model(row), y).item()", "total / len(loader)"),
    ],
)
def test_what_looks_alike(adds: str, ends: str) -> None:
    assert told(adds, ends) == []


@pytest.mark.parametrize(
    ("maker", "confidence"),
    [
        ("# what it was before: nn.MSELoss(reduction='sum')", ["medium"]),
        ('"""reduction = sum: see below."""', ["medium"]),
        ("def made(reduction: str = 'sum'):\n    return nn.MSELoss(reduction=reduction)", []),
        ("reduction = 'sum' if SUMMED else 'mean'", []),
        ("made = nn.MSELoss(size_average=False)", []),
    ],
)
def test_what_the_file_tells_of_its_losses(maker: str, confidence: list[str]) -> None:
    assert told("total += loss.item()", "total / len(loader)", maker) == confidence


def test_a_training_loss_is_for_show() -> None:
    assert told("loss.backward()\ntotal += loss.item()", "total / len(loader)") == []


@pytest.mark.parametrize(
    ("loader", "confidence"),
    [
        ("data, batch_size=8", ["medium"]),
        ("torch.utils.data.TensorDataset(torch.randn(20, 3)), batch_size=8", ["high"]),
        ("torch.utils.data.TensorDataset(torch.randn(24, 3)), batch_size=8", []),
        ("torch.utils.data.TensorDataset(torch.randn(5, 3)), batch_size=8", []),
        ("data", []),
        ("data, batch_size=8, drop_last=True", []),
        ("data, batch_size=8, drop_last=flag", []),
        ("data, batch_sampler=flag", []),
        ("data, **flag", []),
    ],
)
def test_batches_of_one_size(loader: str, confidence: list[str]) -> None:
    maker = f"def made(data, flag):\n    return DataLoader({loader})\n"
    calls = "from data import data, flag, model\n\nevaluate(model, made(data, flag), nn.MSELoss(), None)"
    assert told("total += loss.item()", "total / len(loader)", maker, calls) == confidence
