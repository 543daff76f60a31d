"""Training that an object ends by a count of its own: it has more passes than one, whether or not its constructor is read."""

from __future__ import annotations

import pytest
from twins import Twin, told

STOPPER = """
class Stopper:
    def __init__(self, patience=5, mode="max"):
        {begins}

    def __call__(self, score, epoch):
        if self.is_better(score, self.best):
            self.best = score
            self.counter = 0
            self.best_epoch = epoch
        else:
            self.counter += 1
            if self.counter >= self.patience:
                self.stopped = True
        return self.stopped
"""
PROGRAM = (
    """
import copy
"""
    + STOPPER
    + """
net = nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
stop, best = Stopper(), float("inf")
for epoch in range(9):
    for x, y in LOADER:
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x), y).backward()
        optimizer.step()
    with torch.no_grad():
        loss = sum(nn.functional.mse_loss(net(x), y).item() for x, y in TEST_LOADER)
    if loss < best:
        best, state = loss, {kept}
    if stop(loss, epoch):
        break
net.load_state_dict(state)
"""
)
BRIEF = """\
self.patience, self.counter, self.stopped = patience, 0, False
        self.best, self.is_better = 0.0, lambda one, other: one > other"""
LONG = """\
self.patience = patience
        self.counter = 0
        if mode == "max":
            self.best = float("-inf")
            self.is_better = lambda one, other: one > other
        else:
            self.best = float("inf")
            self.is_better = lambda one, other: one < other
        self.stopped = False
        self.best_epoch = 0"""
TWINS: dict[str, Twin] = {
    what: (
        "aliased-best-weights",
        PROGRAM,
        {"begins": begins, "kept": "copy.deepcopy(net.state_dict())"},
        {"begins": begins, "kept": "net.state_dict()"},
    )
    for what, begins in {"in few lines": BRIEF, "in many": LONG}.items()
}


@pytest.mark.parametrize("twin", TWINS.values(), ids=TWINS.keys())
def test_of_these_twins_the_wrong_one_is_told(twin: Twin) -> None:
    assert told(twin) == (False, True)
