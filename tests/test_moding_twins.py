"""Modes that are asked for in one place and hold in another, each program beside its twin that is right."""

from __future__ import annotations

import pytest
from twins import Twin, told

GIVEN = """
parser = argparse.ArgumentParser()
parser.add_argument("--resume", default=None)
parser.add_argument("--test_path", default=None)
parser.add_argument("--trains", action="store_true")
parser.add_argument("--checkpoints", action="store_true")
args = parser.parse_args()


def loaded(net):
    if {test}:
        net.load_state_dict(torch.load(args.resume))
    {between}
        net.eval()
    return net


net = loaded(nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 2)))
{counted}
optimizer = torch.optim.Adam({params})
for epoch in range(5):
    {begins}
    for x, y in LOADER:
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x), y).backward()
        optimizer.step()
"""
PLAIN = {"test": "args.resume", "between": "", "counted": "", "params": "net.parameters()", "begins": ""}
COUNTS = 'print("parameters:", sum(p.numel() for p in net.parameters() if p.requires_grad))'
TRAINED = "filter(lambda p: p.requires_grad, net.parameters())"

TWINS: dict[str, Twin] = {
    "a network that comes in eval mode where it gets weights": (
        "training-in-eval-mode",
        GIVEN,
        {**PLAIN, "begins": "net.train()"},
        PLAIN,
    ),
    "a test that asks for more than weights": (
        "training-in-eval-mode",
        GIVEN,
        {**PLAIN, "test": "args.resume and not args.trains"},
        {**PLAIN, "test": "args.resume is not None"},
    ),
    "a test that asks for the weights of what is only measured": (
        "training-in-eval-mode",
        GIVEN,
        {**PLAIN, "test": "args.test_path"},
        PLAIN,
    ),
    "another test than that of the weights": (
        "training-in-eval-mode",
        GIVEN,
        {**PLAIN, "between": "if args.checkpoints:"},
        {**PLAIN, "between": "if args.resume:"},
    ),
    "parameters that are counted, and parameters that are handed out": (
        "training-in-eval-mode",
        GIVEN,
        {**PLAIN, "params": TRAINED},
        {**PLAIN, "counted": COUNTS},
    ),
}


@pytest.mark.parametrize("twin", TWINS.values(), ids=TWINS.keys())
def test_of_these_twins_the_wrong_one_is_told(twin: Twin) -> None:
    assert told(twin) == (False, True)
