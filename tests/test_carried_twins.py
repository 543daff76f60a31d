"""What a loop that is broken off leaves: what was computed before it, where its first pass breaks it off, or by a pass of it."""

from __future__ import annotations

import pytest
from twins import Twin, told

PROGRAM = """
body, head = nn.Linear(4, 4), nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.1))
optimizer = torch.optim.SGD(body.parameters(), lr=0.1)
tuner = torch.optim.SGD(head.parameters(), lr=0.1)
for x, y in LOADER:
    seen = body(x)
    best = (head(seen) - seen).pow(2).mean()
    print("at first", {said}best.item())
    {again}:
        tuner.zero_grad()
        (head(seen.detach()) - seen.detach()).pow(2).mean().backward()
        tuner.step()
        new = (head(seen) - seen).pow(2).mean()
        if new.item() < 0.1:
            break
        {bound}
    loss = seen.pow(2).mean() - {less}
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""
HELD = {"said": "", "again": "for again in range(9)", "bound": "best = new", "less": "best"}
PAIRS = {
    "the first guess": (HELD, HELD | {"less": "new"}),
    "the first guess of an endless loop": (HELD | {"again": "while True"}, HELD | {"again": "while True", "less": "new"}),
}
TWINS: dict[str, Twin] = {name: ("missing-no-grad", PROGRAM, *pair) for name, pair in PAIRS.items()}


@pytest.mark.parametrize("twin", TWINS.values(), ids=TWINS.keys())
def test_of_these_twins_the_wrong_one_is_told(twin: Twin) -> None:
    assert told(twin) == (False, True)
