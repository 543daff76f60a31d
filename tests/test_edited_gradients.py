"""What is done by hand to gradients that carry a loss scale, before they are clipped."""

from __future__ import annotations

from pathlib import Path

import pytest

from loopcheck import packs
from loopcheck.check import check_file

UPDATE = """
import torch

def edit(params, by):
    for p in params:
        if p.grad is not None:
            {edit}

def update(model, loader, optimizer: torch.optim.Optimizer, noise):
    scaler = torch.amp.GradScaler("cuda")
    for batch in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            loss = model(batch).mean()
        scaler.scale(loss).backward()
        edit(model.parameters(), noise)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
"""


@pytest.mark.parametrize(
    ("edit", "known"),
    [
        ("p.grad += torch.randn_like(p.grad) * by", True),
        ("p.grad -= by", True),
        ("p.grad.add_(torch.randn_like(p.grad), alpha=by)", True),
        ("p.grad /= by", False),
        ("p.grad.div_(by)", False),
        ("p.grad = p.grad + by", False),
        ("finish(p.grad)", False),
    ],
)
def test_what_is_added_to_gradients_leaves_the_scale_in_them(edit: str, known: bool, tmp_path: Path) -> None:
    script = tmp_path / "update.py"
    script.write_text(UPDATE.format(edit=edit))
    assert any(each.rule.name == "clip-scaled-gradients" for each in check_file(script, packs.rules()).findings) is known
