"""Faults are put where they would be made, and nothing else is changed. The world itself: `python -m loopcheck.seeding`."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from loopcheck import packs, seeding
from loopcheck.check import check_source
from loopcheck.faults import Script
from loopcheck.seeding import Fault, Seed, faults, together

TRAIN = """\
import torch
import torch.nn.functional as F
from torch import nn

net, old = nn.Sequential(nn.Linear(4, 2), nn.Dropout()), nn.Linear(4, 2)
net.blocks = nn.ModuleList([nn.Linear(2, 2)])
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1)
loader = torch.utils.data.DataLoader(range(8), shuffle=True)
optimizer.load_state_dict(torch.load("optimizer.pt"))
total = 0
for epoch in range(3):
    net.train()
    for i, x in enumerate(loader):
        optimizer.zero_grad()
        loss = F.cross_entropy(net(x), x)
        loss.backward()
        nn.utils.clip_grad_norm_(
            net.parameters(), 1.0
        )
        optimizer.step()
        total += loss.item()
    scheduler.step()
    net.eval()
    with torch.no_grad():
        print(net(x))


@torch.no_grad()
def shown(x):
    return net(x).cpu().numpy()
"""


def broken(name: str) -> list[str]:
    """TRAIN after each seed of a fault, all of which are Python."""
    script = Script(TRAIN.encode())
    fault = next(each for each in faults() if each.name == name)
    made = [script.edited(edits).decode() for _, edits in fault.plant(script)]
    for each in made:
        ast.parse(each)
    return made


@pytest.mark.parametrize(
    ("name", "gone", "come"),
    [
        ("clip-after-step", "loss.backward()\n        nn.utils", "optimizer.step()\n        nn.utils"),
        ("clip-before-backward", "loss.backward()\n        nn.utils", ")\n        loss.backward()\n        optimizer.step()"),
        ("missing-zero-grad", "optimizer.zero_grad()", "pass"),
        ("zero-grad-discards-gradients", "        optimizer.zero_grad()\n        loss", "loss.backward(); optimizer.zero_grad()"),
        ("missing-eval-mode", "net.eval()", "pass"),
        ("missing-train-restore", "net.train()", "pass"),
        ("missing-no-grad", "with torch.no_grad():", "if True:"),
        ("graph-retained-in-metric", "loss.item()", "total += loss\n"),
        ("partial-restore", "optimizer.load_state_dict", "pass"),
        ("layers-in-plain-list", "nn.ModuleList", "net.blocks = [nn.Linear(2, 2)]"),
    ],
)
def test_a_fault_is_made(name: str, gone: str, come: str) -> None:
    made = broken(name)
    assert (gone in TRAIN, come in TRAIN) == (True, False)
    assert [(gone in each, come in each) for each in made] == [(False, True)]


def test_what_torch_itself_refuses_is_no_seed() -> None:
    """`numpy()` of a tensor with a graph raises, so the decorator cannot have been forgotten."""
    assert all("@torch.no_grad()" in each for each in broken("missing-no-grad"))


def test_a_statement_that_is_left_out_keeps_its_rows() -> None:
    left_out = [*broken("missing-zero-grad"), *broken("missing-eval-mode")]
    assert [each.count("\n") for each in left_out] == [TRAIN.count("\n")] * 2


@pytest.mark.parametrize("fault", faults(), ids=lambda fault: fault.name)
def test_a_rule_tells_its_own_fault_in_what_is_right(fault: Fault) -> None:
    rule = next(rule for rule in packs.rules() if rule.name == fault.name)

    def tells(source: bytes, path: Path) -> bool:
        return bool(check_source(source, str(path), [rule]).findings)

    right = ((path, Script(path.read_bytes())) for path in sorted(rule.folder.glob("good*.py")))
    assert any(tells(script.edited(edits), path) for path, script in right for _, edits in fault.plant(script))


def test_seeds_of_one_turn_hide_none_of_each_other() -> None:
    names = ("clip-after-step", "missing-zero-grad", "graph-retained-in-metric")
    clip, again, graphs = (next(each for each in faults() if each.name == name) for name in names)
    seeds = [
        Seed(clip, Path("a.py"), 1, b""),
        Seed(again, Path("b.py"), 1, b""),
        Seed(graphs, Path("a.py"), 2, b""),
        Seed(graphs, Path("b.py"), 1, b""),
    ]
    assert together(seeds) == [[seeds[0], seeds[3]], [seeds[1], seeds[2]]]


def test_a_tree_is_followed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is told, and what is not: nobody hears of a graph that is kept where the sum is not used."""
    (tmp_path / "train.py").write_text(TRAIN)
    assert seeding.main([str(tmp_path), "--fault", "LC103", "--fault", "LC903", "--fault", "LC602"]) == 0
    rows = [line.split()[:2] for line in capsys.readouterr().out.splitlines() if "train.py" in line]
    assert sorted(rows) == [["missed", "partial-restore"], ["told", "missing-no-grad"], ["told", "missing-zero-grad"]]
    assert (tmp_path / "train.py").read_text() == TRAIN
