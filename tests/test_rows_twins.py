"""Networks in a table whose rows say more, `{"small": {"net": small, "dim": 8}}`, each program beside one that is right."""

from __future__ import annotations

import pytest
from twins import Twin, told

PROGRAM = """
class Small(nn.Module):
    def __init__(self, width=8, norm=None):
        super().__init__()
        {given}
        self.layers = nn.Sequential(nn.Linear(4, width), {norm}(width))

    def forward(self, x):
        return self.layers(x)


class Large(Small):
    def __init__(self, width=16):
        super().__init__(width)
        self.last = nn.Linear(width, width)

    def forward(self, x):
        return self.last(self.layers(x))


def small(**kwargs):
    return Small(**kwargs)


def large(**kwargs):
    model = Large(**kwargs)
    return model


NETWORKS = {{"small": {{"net": small, "dim": 8}}, "large": {{"net": {other}, "dim": 16}}}}


class Encoder(nn.Module):
    def __init__(self, body, width):
        super().__init__()
        self.body, self.head = body, nn.Linear(width, 2)

    def forward(self, x):
        return self.head(self.body(x))


args = argparse.ArgumentParser().parse_args()
{taken}
encoder = Encoder(made(width=width), width)
optimizer = torch.optim.SGD(encoder.parameters(), lr=0.1)
for epoch in range(3):
    encoder.train()
    for x, y in LOADER:
        optimizer.zero_grad()
        nn.functional.mse_loss(encoder(x), y).backward()
        optimizer.step()
    {asked}
    with torch.no_grad():
        print(sum(nn.functional.mse_loss(encoder(x), y).item() for x, y in TEST_LOADER))
"""
HELD = {
    "given": "pass",
    "norm": "nn.BatchNorm1d",
    "other": "large",
    "taken": "made, width = NETWORKS[args.arch].values()",
    "asked": "pass",
}
RIGHT = {"asked": "encoder.eval()"}
WAYS = {
    "a row that is taken apart": {},
    "a row that is asked for its entries": {"taken": 'row = NETWORKS[args.arch]; made, width = row["net"], row["dim"]'},
    "a layer that is chosen where none is given": {
        "given": "norm = nn.BatchNorm1d if norm is None else norm",
        "norm": "nn.BatchNorm1d",
    },
    "a layer that a test chooses where none is given": {
        "given": "if norm is None:\n            norm = nn.BatchNorm1d",
        "norm": "norm",
    },
}
TWINS: dict[str, Twin] = {name: ("missing-eval-mode", PROGRAM, HELD | way | RIGHT, HELD | way) for name, way in WAYS.items()}
TWINS["networks that are the same in both modes"] = ("missing-eval-mode", PROGRAM, HELD | {"norm": "nn.LayerNorm"}, HELD)
TWINS["one of which nobody knows"] = ("missing-eval-mode", PROGRAM, HELD | {"other": 'vars(args)["net"]'}, HELD)
TWINS["a layer that a test of something else chooses"] = (
    "missing-eval-mode",
    PROGRAM,
    HELD | {"given": "norm = nn.Identity\n        if width > 99:\n            norm = nn.BatchNorm1d", "norm": "norm"},
    HELD | WAYS["a layer that a test chooses where none is given"],
)


@pytest.mark.parametrize("twin", TWINS.values(), ids=TWINS.keys())
def test_of_these_twins_the_wrong_one_is_told(twin: Twin) -> None:
    assert told(twin) == (False, True)


FUNCTIONAL = """
class Body(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(2, 4))
        self.register_buffer("mean", torch.zeros(4))
        self.register_buffer("variance", torch.ones(4))

    def forward(self, x, training=True):
        {before}
        x = nn.functional.batch_norm(x, self.mean, self.variance, training=training)
        return nn.functional.linear(x, self.weight)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = Body()

    def forward(self, x, learning=True):
        return self.body(x, training={told})


net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in LOADER:
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x), y).backward()
        optimizer.step()
    net.eval()
    with torch.no_grad():
        print(sum(nn.functional.mse_loss(net(x, learning=False), y).item() for x, y in TEST_LOADER))
"""


@pytest.mark.parametrize(
    "wrong", [{"told": "self.training", "before": "pass"}, {"told": "learning", "before": "training = self.training"}]
)
def test_of_a_network_whose_caller_says_the_mode_its_own_makes_no_difference(wrong: dict[str, str]) -> None:
    right = {"told": "learning", "before": "pass"}
    assert told(("missing-train-restore", FUNCTIONAL, right, wrong)) == (False, True)
