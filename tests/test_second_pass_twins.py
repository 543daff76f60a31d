"""Loops that are left on their second pass, `if i == 1: break`, as who looks for a fault writes: the first is the only one."""

from __future__ import annotations

import pytest
from twins import Twin, told

PROGRAM = """
net = nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(3):
    optimizer.zero_grad()
    for i, (x, y) in {counted}:
        {left}
        nn.functional.mse_loss(net(x), y).backward()
        optimizer.step()
        {behind}
"""
HELD = {"counted": "enumerate(LOADER)", "left": "pass", "behind": "pass"}
PAIRS = {
    "on the second": ({"left": "if i == 1: break"}, {"left": "if i == 2: break"}),
    "on the second, counted from one": (
        {"left": "if i == 2: break", "counted": "enumerate(LOADER, 1)"},
        {"left": "if i == 3: break", "counted": "enumerate(LOADER, 1)"},
    ),
    "of a number that is one more": ({"left": "if i + 1 == 2: break"}, {"left": "if i + 1 == 3: break"}),
    "after the first": ({"left": "if i > 0: break"}, {"left": "if i > 1: break"}),
    "as it is written the other way about": ({"left": "if 0 < i: break"}, {"left": "if 1 < i: break"}),
    "and not gone on from": (
        {"left": "if i == 1: break"},
        {"left": "if i == 1:\n            optimizer.zero_grad()\n            continue"},
    ),
    "for whatever else": ({"left": "if i == 1: break"}, {"left": "if i == 1 and x.sum() > 0: break"}),
}
TWINS: dict[str, Twin] = {
    name: ("missing-zero-grad", PROGRAM, HELD | right, HELD | wrong) for name, (right, wrong) in PAIRS.items()
}


@pytest.mark.parametrize("twin", TWINS.values(), ids=TWINS.keys())
def test_of_these_twins_the_wrong_one_is_told(twin: Twin) -> None:
    assert told(twin) == (False, True)
