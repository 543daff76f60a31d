"""What outputs are taken out of, and what keeps layers, losses and states, each beside its twin that is right."""

from __future__ import annotations

import pytest
from twins import Twin, told

PARTS = """
class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(4, 2), nn.Linear(4, 2)

    def forward(self, x):
        return torch.softmax(self.first(x), 1), self.second(x)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second, self.head = nn.Linear(4, 2), nn.Linear(4, 2), Head()

    def both(self, x):
        return torch.softmax(self.first(x), 1), self.second(x)

    def forward(self, x):
        {outs}
        return {out}


net = Net()
optimizer = torch.optim.Adam(net.parameters())
for epoch in range(3):
    for x, y in LOADER:
        out = net(x)
        loss = nn.functional.cross_entropy({given}, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
"""


def _parts(right: tuple[str, str, str], wrong: tuple[str, str, str]) -> Twin:
    """A network that takes what it hands back out of several outputs, written in either way."""
    one, other = (dict(zip(("outs", "out", "given"), each, strict=True)) for each in (right, wrong))
    return "softmax-before-cross-entropy", PARTS, one, other


PART, METHOD = "outs = self.head(x)", "outs = self.both(x)"
WRITTEN = "outs = torch.softmax(self.first(x), 1), self.second(x)"
LISTED = "outs = [torch.softmax(self.first(x), 1), self.second(x)]"
TWINS: dict[str, Twin] = {
    "one of several outputs of a part": _parts((PART, "outs[1]", "out"), (PART, "outs[0]", "out")),
    "one of several outputs from behind": _parts((PART, "outs[-1]", "out"), (PART, "outs[-2]", "out")),
    "one of several outputs at once": _parts(("", "self.both(x)[1]", "out"), ("", "self.both(x)[0]", "out")),
    "one of several outputs under a name": _parts((WRITTEN, "outs[1]", "out"), (WRITTEN, "outs[0]", "out")),
    "several outputs unpacked later": _parts(
        (f"{METHOD}; one, two = outs", "two", "out"), (f"{METHOD}; one, two = outs", "one", "out")
    ),
    "several outputs handed on by their name": _parts((METHOD, "outs", "out[1]"), (METHOD, "outs", "out[0]")),
    "several outputs in another order": _parts(
        (f"{METHOD}; outs = outs[1], outs[0]", "outs[0]", "out"), (f"{METHOD}; outs = outs[1], outs[0]", "outs[1]", "out")
    ),
    "one of several outputs in a dictionary": _parts(
        (PART, "{'out': outs[1]}", "out['out']"), (PART, "{'out': outs[0]}", "out['out']")
    ),
    "a list that is turned around": _parts((f"{LISTED}; outs.reverse()", "outs[0]", "out"), (LISTED, "outs[0]", "out")),
    "a list of which one is another": _parts(
        (f"{LISTED}; outs[0] = self.first(x)", "outs[0]", "out"), (LISTED, "outs[0]", "out")
    ),
    "any number of outputs in front": _parts(
        ("outs = (*self.both(x), torch.softmax(self.first(x), 1))", "outs[1]", "out"),
        ("outs = (self.second(x), torch.softmax(self.first(x), 1))", "outs[1]", "out"),
    ),
    "any number of targets in front": _parts(
        ("*outs, one = torch.softmax(self.first(x), 1), torch.softmax(self.first(x), 1), self.second(x)", "one", "out"),
        ("outs, one = self.second(x), torch.softmax(self.first(x), 1)", "one", "out"),
    ),
    "several outputs put together anew, time and again": _parts(
        (f"{WRITTEN}{'; outs = outs[0], outs[1]' * 2}", "outs[0]", "out"),
        (f"{WRITTEN}{'; outs = outs[0], outs[1]' * 1}", "outs[0]", "out"),
    ),
    "fewer outputs than are asked for": _parts((WRITTEN, "outs[2]", "out"), (WRITTEN, "outs[0]", "out")),
    "names that change places time and again": _parts(
        (f"one, two = torch.softmax(self.first(x), 1), self.second(x){'; one, two = two, one' * 5}", "one", "out"),
        (f"one, two = torch.softmax(self.first(x), 1), self.second(x){'; one, two = two, one' * 4}", "one", "out"),
    ),
}


@pytest.mark.parametrize("twin", TWINS.values(), ids=TWINS.keys())
def test_of_these_twins_the_wrong_one_is_told(twin: Twin) -> None:
    assert told(twin) == (False, True)
