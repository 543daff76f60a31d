"""Networks whose parts are told how much to drop: nothing differs between the modes where that is nothing, whatever numbers and
buffers they have beside their layers."""

from __future__ import annotations

import pytest
from twins import Twin, told

PROGRAM = """
from timm.models.layers import DropPath, to_2tuple, to_3tuple


def part(x, by):
    return x


class Mlp(nn.Module):
    def __init__(self, width, drop=0.0):
        super().__init__()
        self.fc = nn.Linear(width, width)
        self.drop = nn.Dropout(drop)

    def forward(self, x):
        return self.drop(self.fc(x))


class Block(nn.Module):
    def __init__(self, size, width, drop=0.0, path=0.0):
        super().__init__()
        {holds}
        self.norm = nn.LayerNorm(width)
        self.mlp = Mlp(width, drop=drop)
        self.path = DropPath(path) if path > 0 else nn.Identity()

    def forward(self, x):
        {uses}
        return x + self.path(self.mlp(self.norm(x)))


net = Block((8, 8), 4, drop={drop}, path={path})
net.load_state_dict(torch.load("net.pt"))
with torch.no_grad():
    print(sum(nn.functional.mse_loss(net(x)[:, :2], y).item() for x, y in TEST_LOADER))
"""
HELD = {
    "nothing": ("pass", "pass"),
    "a pair": ("self.size = size", "x = part(x, self.size)"),
    "a pair of quotients": ("self.grid = (size[0] // width, size[1] // width)", "x = part(x, self.grid)"),
    "the least of several": ("self.least = min(size)", "x = part(x, self.least)"),
    "one of two numbers": ("self.shift = 0 if min(size) <= width else width // 2", "x = part(x, self.shift)"),
    "a buffer": ("self.register_buffer('mask', None)", "x = part(x, self.mask)"),
    "a pair that timm makes": ("self.window = to_2tuple(width)", "x = part(x, self.window)"),
    "a pair that timm leaves as it is": ("self.window = to_2tuple(size)", "x = part(x, self.window)"),
    "three that timm makes": ("self.window = to_3tuple(width)", "x = part(x, self.window)"),
}
RIGHT, DROPS, SKIPS = {"drop": "0.0", "path": "0"}, {"drop": "0.1", "path": "0"}, {"drop": "0.0", "path": "0.1"}
TWINS: dict[str, Twin] = {
    f"{name}, {what}": ("missing-eval-mode", PROGRAM, code | RIGHT, code | wrong)
    for name, (holds, uses) in HELD.items()
    for code in ({"holds": holds, "uses": uses},)
    for what, wrong in (("that drops", DROPS), ("that skips", SKIPS))
}


@pytest.mark.parametrize("twin", TWINS.values(), ids=TWINS.keys())
def test_of_these_twins_the_wrong_one_is_told(twin: Twin) -> None:
    assert told(twin) == (False, True)
