"""A loss that goes backward for the gradient of what a network was given: what it does to the weights is by the way."""

from textwrap import dedent

import pytest

from loopcheck import packs
from loopcheck.check import check_source

MAPS = """
    import torch
    from torch import nn
    from torch.utils.data import DataLoader, TensorDataset

    def make():
        return nn.Sequential(nn.Linear(3, 8), nn.BatchNorm1d(8), nn.Dropout(0.5), nn.Linear(8, 2))

    def picture(x, low, high):
        shown = x.grad.abs()
        shown = shown * high - low
        shown = shown * high - low
        shown = shown * high - low
        shown = shown * high - low
        shown = shown * high - low
        shown = shown * high - low
        shown = shown * high - low
        shown = shown * high - low
        shown = shown * high - low
        shown = shown * high - low
        shown = shown * high - low
        shown = shown * high - low
        return shown

    class Trainer:
        def __init__(self):
            self.judge, self.student = make(), make()
            self.optimizer = torch.optim.SGD({trained}.parameters(), lr=0.1)
            self.loader = DataLoader(TensorDataset(torch.rand(32, 3), torch.randint(2, (32,))), batch_size=4)

        def saliency(self, x):
            with torch.enable_grad():
                self.judge.zero_grad()
                x.requires_grad = True
                score = self.judge({given})[0, 0]
                score.backward()
                return {read}

        def train(self, x, y):
            out = self.student(x)
            self.optimizer.zero_grad()
            nn.functional.cross_entropy(out, y).backward()
            self.optimizer.step()

        def run(self):
            for epoch in range(3):
                for x, y in self.loader:
                    self.train(x, y)
                for x, y in self.loader:
                    print(self.saliency(x))

    Trainer().run()
"""


@pytest.mark.parametrize(
    ("trained", "given", "read", "told"),
    [
        ("self.judge", "x", "x.grad.abs()", []),
        ("self.judge", "x", "torch.abs(x.grad.data)", []),
        ("self.judge", "x + 1", "x.grad", []),
        ("self.judge", "x", "picture(x, 0, 255)", []),
        ("self.judge", "x", "score.item()", ["LC104"]),
        ("self.judge", "x", "self.judge[0].weight.grad", ["LC104"]),
    ],
)
def test_whether_the_gradients_of_the_weights_are_used_is_not_known(trained: str, given: str, read: str, told: list[str]) -> None:
    text = dedent(MAPS).format(trained=trained, given=given, read=read)
    rules = [rule for rule in packs.rules() if rule.code in ("LC104", "LC603")]
    assert [each.rule.code for each in check_source(text.encode(), "maps.py", rules).findings] == told
