"""A helper of the kind that many programs have: the latest state under one name, and a copy where it is the best."""

import shutil
import tempfile
from pathlib import Path

import torch
from torch import nn

torch.manual_seed(0)


def save_checkpoint(state, is_best, folder, filename="checkpoint.pth.tar"):
    torch.save(state, folder / filename)  # bug
    if is_best:
        shutil.copyfile(folder / filename, folder / "model_best.pth.tar")


def main(folder):
    x, y = torch.randn(48, 4), torch.randint(0, 2, (48,))
    model = nn.Linear(4, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    best = float("inf")
    for epoch in range(3):
        for inputs, targets in zip(x.split(16), y.split(16), strict=True):
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(inputs), targets)
            loss.backward()
            optimizer.step()
        state = {"epoch": epoch + 1, "state_dict": model.state_dict(), "optimizer": optimizer.state_dict()}
        save_checkpoint(state, loss.item() < best, folder)
        best = min(best, loss.item())
    print(f"best loss {best:.4f}")


with tempfile.TemporaryDirectory() as folder:
    main(Path(folder))
