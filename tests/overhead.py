"""What an audit costs a step of a small convolutional network on the CPU: while it records, and after that.

`python tests/overhead.py [ROUNDS]` measures in one process, in turns, steps of the program alone, steps that are recorded, and
steps after recording has stopped, and prints the ratios of the processor's time: of the
fastest tenth, which whatever else the machine does has disturbed least.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable

import torch
from torch import nn

from loopcheck.record.session import Session

STEPS = 30
BATCH = 64


def program() -> Callable[[], None]:
    """A step as people write it: forward, loss, backward, clip, step, schedule."""
    torch.manual_seed(0)
    model = nn.Sequential(
        nn.Sequential(nn.Conv2d(3, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(2)),
        nn.Sequential(nn.Conv2d(16, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.MaxPool2d(2)),
        nn.Flatten(),
        nn.Linear(32 * 8 * 8, 10),
    )
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=10**6)
    images, labels = torch.randn(BATCH, 3, 32, 32), torch.randint(0, 10, (BATCH,))

    def step() -> None:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(images), labels)
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        scheduler.step()

    return step


def timed(step: Callable[[], None]) -> list[float]:
    """Seconds of the processor that each of so many steps took; the first few warm up."""
    seconds = []
    for _ in range(STEPS):
        start = time.process_time()
        step()
        seconds.append(time.process_time() - start)
    return seconds[STEPS // 6 :]


def main(rounds: int) -> None:
    torch.set_num_threads(1)
    step = program()
    alone: list[float] = []
    recorded: list[float] = []
    after: list[float] = []
    timed(step)
    for _ in range(rounds):
        alone += timed(step)
        session = Session("/", most=10**9)
        recorded += timed(step)
        session.stop()
        after += timed(step)
        session.end()
    base = fast(alone)
    print(f"a step of the program alone: {base * 1e3:.2f} ms (of {len(alone)})")
    for name, seconds in (("recorded", recorded), ("after recording", after)):
        print(f"{name}: {fast(seconds) / base:.3f} of that, {1e6 * (fast(seconds) - base):+.0f} us")


def fast(seconds: list[float]) -> float:
    """What the fastest tenth stays under."""
    return statistics.quantiles(seconds, n=10)[0]


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10)
