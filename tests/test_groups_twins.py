"""Parameter groups that are split by name, of what needs a gradient or of all: a frozen body that is in none is never stepped."""

from __future__ import annotations

import pytest
from twins import Twin, told

PROGRAM = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.head = nn.Linear(4, 4), nn.Linear(4, 2)
        for p in self.body.parameters():
            p.requires_grad = False

    def forward(self, x):
        return self.head(self.body(x))


net = Net()
optimizer = torch.optim.AdamW([{groups}], lr=0.1)
for epoch in range(9):
    if epoch == 3:
        for p in net.body.parameters():
            p.requires_grad = True
    for x, y in LOADER:
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x), y).backward()
        optimizer.step()
"""
SPLIT = '{{"params": [p for n, p in net.named_parameters() if "body" not in n{}]}}, '
SLOW = '{{"params": [p for n, p in net.named_parameters() if "body" in n{}], "lr": 0.01}}'
ASKED = " and p.requires_grad"
PAIRS = {
    "of what needs a gradient": (("", ""), (ASKED, ASKED)),
    "of what needs none": ((ASKED, " and not p.requires_grad"), (ASKED, ASKED)),
    "of all that one of them has": ((ASKED, ""), (ASKED, " and p.requires_grad is True")),
}


def _groups(of_head: str, of_body: str) -> dict[str, str]:
    return {"groups": SPLIT.format(of_head) + SLOW.format(of_body)}


TWINS: dict[str, Twin] = {
    name: ("unfrozen-but-not-optimized", PROGRAM, _groups(*right), _groups(*wrong)) for name, (right, wrong) in PAIRS.items()
}
TWINS["with one under a name that nobody knows"] = (
    "unfrozen-but-not-optimized",
    PROGRAM,
    {"groups": SPLIT.format(ASKED) + "load_group(net)"},
    {"groups": SPLIT.format(ASKED)},
)


@pytest.mark.parametrize("twin", TWINS.values(), ids=TWINS.keys())
def test_of_these_twins_the_wrong_one_is_told(twin: Twin) -> None:
    assert told(twin) == (False, True)
