"""Pictures of a generator, now and then, of a batch that is only called held out: it is not, where that is of what is trained."""

from __future__ import annotations

import pytest
from twins import Twin, told

PROGRAM = """
gen, disc = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4)), nn.Linear(4, 1)
of_gen, of_disc = torch.optim.Adam(gen.parameters()), torch.optim.Adam(disc.parameters())
batches = iter(LOADER)
valid_x = next({valid})[0]
for epoch in range(3):
    {passes}
        of_disc.zero_grad()
        fake = gen(real)
        (disc(fake.detach()).mean() - disc(real).mean()).backward()
        of_disc.step()
        of_gen.zero_grad()
        (-disc(fake).mean()).backward()
        of_gen.step()
    torchvision.utils.save_image(gen(valid_x).reshape(-1, 1, 2, 2), f"{{epoch}}.png")
"""
LOOP = "for real, _ in LOADER:"
DRAWN = """\
for step in range(len(LOADER)):
        try:
            real = next(batches)[0]
        except StopIteration:
            batches = iter(LOADER)
            real = next(batches)[0]"""
BOTH = "for (real, _), more in zip(LOADER, TEST_LOADER):"
HELD_OUT = {"valid": "iter(TEST_LOADER)", "passes": LOOP}
TWINS: dict[str, Twin] = {
    "of a loader that a loop is over": ("missing-eval-mode", PROGRAM, HELD_OUT | {"valid": "batches"}, HELD_OUT),
    "of a loader that is drawn from": (
        "missing-eval-mode",
        PROGRAM,
        {"valid": "iter(LOADER)", "passes": DRAWN},
        HELD_OUT | {"passes": DRAWN},
    ),
    "of a loader that goes along": ("missing-eval-mode", PROGRAM, {"valid": "iter(LOADER)", "passes": BOTH}, HELD_OUT),
}


@pytest.mark.parametrize("twin", TWINS.values(), ids=TWINS.keys())
def test_of_these_twins_the_wrong_one_is_told(twin: Twin) -> None:
    assert told(twin) == (False, True)
