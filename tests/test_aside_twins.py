"""Passes beside training that nothing calls evaluations: of numbers that are taken alone nobody needs the graph, in any mode."""

from __future__ import annotations

import pytest
from twins import Twin, told

PROGRAM = """
import numpy as np
from imageio import imwrite

gen, disc = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4)), nn.Linear(4, 1)
of_gen, of_disc = torch.optim.Adam(gen.parameters()), torch.optim.Adam(disc.parameters())
kept, other = [], nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4))


def sample(epoch):
    for angle in range(0, 360, 5):
        images = {net}(torch.tensor([[angle, 0, 0, 1.0]]))
        pixels = images.cpu().detach().numpy()
        imwrite(f"{{epoch}}-{{angle}}.png", np.clip(255 * pixels, 0, 255).astype(np.uint8))
        {then}


for epoch in range(3):
    for real, _ in LOADER:
        of_disc.zero_grad()
        fake = gen(torch.randn(2, 4))
        (disc(fake.detach()).mean() - disc(real).mean()).backward()
        of_disc.step()
        of_gen.zero_grad()
        (-disc(fake).mean()).backward()
        of_gen.step()
    with {under}:
        sample(epoch)
"""
WRONG = {"net": "gen", "then": "pass", "under": "contextlib.nullcontext()"}
RIGHT = {
    "under no_grad": {"under": "torch.no_grad()"},
    "whose outputs are learned from": {"then": "images.sum().backward()"},
    "whose outputs are kept": {"then": "kept.append(images)"},
    "of a network that nobody trains": {"net": "other"},
}
TWINS: dict[str, Twin] = {name: ("missing-no-grad", PROGRAM, WRONG | right, WRONG) for name, right in RIGHT.items()}


@pytest.mark.parametrize("twin", TWINS.values(), ids=TWINS.keys())
def test_of_these_twins_the_wrong_one_is_told(twin: Twin) -> None:
    assert told(twin) == (False, True)
