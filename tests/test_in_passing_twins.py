"""A look at held-out data in the middle of training, by way of what training calls as well; each beside a right one."""

from __future__ import annotations

from pathlib import Path

import pytest
from twins import Twin, told

from loopcheck import packs
from loopcheck.check import check_file
from loopcheck.rule import Confidence

PROGRAM = """
class Trainer:
    def infer(self, net, batch):
        {unpacked}
        images, labels = images.to("cpu"), labels.to("cpu")
        out = net(images)
        return out, nn.functional.mse_loss(out, labels)

    def show(self, loader, net):
        {drawn}
        {mode}
        out, _ = self.infer(net, batch)
        print(out[0].cpu().detach().numpy())
        net.train()

    def train(self, net, train_loader, {given}):
        optimizer = torch.optim.Adam(net.parameters())
        step = 0
        for epoch in range(3):
            net.train()
            for batch in train_loader:
                _, loss = self.infer(net, batch)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                step += 1
                if step % 4 == 0:
                    self.show({given}, net)


net = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Linear(8, 2))
Trainer().train(net, LOADER, {of})
"""
HELD = {
    "unpacked": "images, labels = batch",
    "drawn": "batch = next(iter(loader))",
    "mode": "pass",
    "given": "val_loader",
    "of": "TEST_LOADER",
}
RIGHT = {"mode": "net.eval()"}
WAYS = {
    "the first batch": {},
    "one batch of a list": {"drawn": "batch = list(iter(loader))[2]"},
    "by its keys": {"unpacked": 'images = batch["image"]; labels = batch["label"]'},
    "by its numbers": {"unpacked": "images = batch[0]; labels = batch[1]"},
}
TWINS: dict[str, Twin] = {
    **{name: ("missing-eval-mode", PROGRAM, HELD | way | RIGHT, HELD | way) for name, way in WAYS.items()},
    "of what is trained on": ("missing-eval-mode", PROGRAM, HELD | {"given": "loader", "of": "LOADER"}, HELD),
}


@pytest.mark.parametrize("twin", TWINS.values(), ids=TWINS.keys())
def test_of_these_twins_the_wrong_one_is_told(twin: Twin) -> None:
    assert told(twin) == (False, True)


TWO = """\
import sys

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(4, width), nn.Dropout(0.1), nn.Linear(width, 2))

    def forward(self, x):
        return self.layers(x)


def train(net, batches, test_batches):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(3):
        for x, y in batches:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(x), y).backward()
            optimizer.step()
        with torch.no_grad():
            print(sum(nn.functional.mse_loss(net(x), y).item() for x, y in test_batches))


def run(kind, batches, test_batches):
    {first}
    {second}


if __name__ == "__main__":
    batches = [(torch.randn(8, 4), torch.randn(8, 2)) for _ in range(8)]
    run(sys.argv[1], batches[:4], batches[4:])
"""
FAILS = 'if kind == "old":\n        net = Net(width=8, depth=2)\n        train(net, batches, test_batches)'
RUNS = 'if kind == "new":\n        net = Net(width=8)\n        train(net, batches, test_batches)'


@pytest.mark.parametrize(
    ("first", "second", "told"),
    [(FAILS, RUNS, True), (RUNS, FAILS, True), (FAILS, FAILS, False)],
    ids=["before", "behind", "both"],
)
def test_of_two_ways_to_one_place_the_one_that_does_not_fail_tells_how_sure_one_is(
    tmp_path: Path, first: str, second: str, told: bool
) -> None:
    (script := tmp_path / "train.py").write_text(TWO.format(first=first, second=second))
    rules = [rule for rule in packs.rules() if rule.code == "LC601"]
    (finding,) = check_file(script, rules).findings
    assert (finding.confidence is not Confidence.LOW) is told
