"""Faults are put where they would be made, and nothing else is changed. The world itself: `python tests/seeding.py`."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
import seeding
from seeding import FAULTS, Script, Seed, together

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
    fault = next(each for each in FAULTS if each.name == name)
    made = [script.edited(edits).decode() for _, edits in fault.plant(script)]
    for each in made:
        ast.parse(each)
    return made


@pytest.mark.parametrize(
    ("name", "gone", "come"),
    [
        ("clip_after_step", "loss.backward()\n        nn.utils", "optimizer.step()\n        nn.utils"),
        ("clip_before_backward", "loss.backward()\n        nn.utils", ")\n        loss.backward()\n        optimizer.step()"),
        ("never_cleared", "optimizer.zero_grad()", "pass"),
        ("cleared_before_step", "        optimizer.zero_grad()\n        loss", "loss.backward(); optimizer.zero_grad()"),
        ("never_in_eval", "net.eval()", "pass"),
        ("left_in_eval", "net.train()", "pass"),
        ("recorded_evaluation", "with torch.no_grad():", "if True:"),
        ("kept_graphs", "loss.item()", "total += loss\n"),
        ("optimizer_left_in_file", "optimizer.load_state_dict", "pass"),
        ("plain_list", "nn.ModuleList", "net.blocks = [nn.Linear(2, 2)]"),
    ],
)
def test_a_fault_is_made(name: str, gone: str, come: str) -> None:
    made = broken(name)
    assert (gone in TRAIN, come in TRAIN) == (True, False)
    assert [(gone in each, come in each) for each in made] == [(False, True)]


def test_what_torch_itself_refuses_is_no_seed() -> None:
    """`numpy()` of a tensor with a graph raises, so the decorator cannot have been forgotten."""
    assert all("@torch.no_grad()" in each for each in broken("recorded_evaluation"))


def test_a_statement_that_is_left_out_keeps_its_rows() -> None:
    assert [each.count("\n") for name in ("never_cleared", "never_in_eval") for each in broken(name)] == [TRAIN.count("\n")] * 2


def test_seeds_of_one_turn_hide_none_of_each_other() -> None:
    clip, again, graphs = (
        next(each for each in FAULTS if each.name == name) for name in ("clip_after_step", "never_cleared", "kept_graphs")
    )
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
    assert sorted(rows) == [["missed", "optimizer_left_in_file"], ["told", "never_cleared"], ["told", "recorded_evaluation"]]
    assert (tmp_path / "train.py").read_text() == TRAIN
