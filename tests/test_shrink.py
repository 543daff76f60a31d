"""The script that shrinks a program in which a finding stands."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SHRINK = Path(__file__).parent / "shrink.py"
HELPER = "def rate(epoch):\n    return 0.1 / (1 + epoch)\n"
SCRIPT = """
import torch
from torch import nn
from helper import rate

torch.manual_seed(0)
net = nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=rate(0))
for epoch in range(3):
    print("epoch", epoch)
    for x, y in torch.load("batches.pt"):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(net(x), y)
        loss.backward()
        optimizer.step()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
"""


def shrunk(folder: Path, *more: str) -> str:
    (folder / "helper.py").write_text(HELPER)
    (folder / "train.py").write_text(SCRIPT)
    asked = [sys.executable, str(SHRINK), str(folder), "LC101", "--file", "train.py", *more]
    return subprocess.run(asked, capture_output=True, text=True, check=True).stdout


def test_what_a_finding_can_do_without_is_taken_away(tmp_path: Path) -> None:
    left = shrunk(tmp_path, "--keep", "zero_grad()")
    assert not [text for text in ("helper.py", "print", "manual_seed", "for epoch") if text in left]
    assert left.index("optimizer.step()") < left.index("clip_grad_norm_")
    assert "optimizer.zero_grad()" in left  # it was to stay
    assert (tmp_path / "train.py").read_text() == SCRIPT  # it works on a copy


def test_what_is_to_stay_may_be_of_another_file(tmp_path: Path) -> None:
    assert "return 0.1 /" in shrunk(tmp_path, "--keep", "return 0.1 /")


def test_a_finding_that_is_not_there_is_said(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("import torch\n")
    said = subprocess.run([sys.executable, SHRINK, tmp_path, "LC101"], capture_output=True, text=True, check=False)
    assert said.returncode == 2
    assert "LC101 is not told of" in said.stderr


def test_a_text_to_keep_that_is_written_otherwise_is_said(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(SCRIPT)
    asked = [sys.executable, str(SHRINK), str(tmp_path / "train.py"), "LC101", "--keep", 'print("epoch"']
    said = subprocess.run(asked, capture_output=True, text=True, check=False)
    assert said.returncode == 2
    assert "quoted as Python quotes" in said.stderr
