"""The best model is loaded for a last test, and its epoch is printed; training is over by then."""

import tempfile
from pathlib import Path

import torch
from torch import nn

torch.manual_seed(0)
x, y = torch.randn(48, 4), torch.randn(48, 1)
model = nn.Linear(4, 1)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
best = float("inf")

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder, "best.pt")
    for epoch in range(4):
        for inputs, targets in zip(x[:32].split(8), y[:32].split(8), strict=True):
            optimizer.zero_grad()
            nn.functional.mse_loss(model(inputs), targets).backward()
            optimizer.step()
        with torch.no_grad():
            error = nn.functional.mse_loss(model(x[32:]), y[32:]).item()
        if error < best:
            best = error
            state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}
            torch.save(state, path)  # bug: non-atomic-checkpoint
    checkpoint = torch.load(path)
    model.load_state_dict(checkpoint["model"])
    with torch.no_grad():
        error = nn.functional.mse_loss(model(x[32:]), y[32:]).item()
    print(f"best of epoch {checkpoint['epoch']}: {error:.4f}")
