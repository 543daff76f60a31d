"""Names that a star import of what is out of sight binds, as everybody calls the modules of torch."""

import pytest

from loopcheck import packs
from loopcheck.check import check_source

PROGRAM = """
{imports}


def evaluate(net, loader):
    right = 0
    {mode}
    with torch.no_grad():
        for x, y in loader:
            right += (net(x).argmax(1) == y).sum().item()
    return right


def train(loader, held_out):
    net = nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.5), nn.Linear(4, 2))
    optimizer = optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(10):
        net.train()
        for x, y in loader:
            optimizer.zero_grad()
            F.cross_entropy(net(x), y).backward()
            optimizer.step()
        print(evaluate(net, held_out))
"""
STAR, WRITTEN = "from helpers import *", "import torch\nfrom torch import nn, optim\nfrom torch.nn import functional as F"


@pytest.mark.parametrize("imports", [STAR, WRITTEN])
@pytest.mark.parametrize(("mode", "told"), [("pass", ["missing-eval-mode"]), ("net.eval()", [])])
def test_a_name_that_nothing_in_sight_binds_is_what_everybody_means_by_it(imports: str, mode: str, told: list[str]) -> None:
    report = check_source(PROGRAM.format(imports=imports, mode=mode).encode(), "train.py", packs.rules())
    assert [each.rule.name for each in report.findings] == told
