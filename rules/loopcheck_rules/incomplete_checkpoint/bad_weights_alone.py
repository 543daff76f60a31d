"""Training goes on from the best weights, at the epoch after theirs; what Adam had gathered by then is gone."""

import tempfile
from pathlib import Path

import torch
from torch import nn


def train(path, epochs, resume):
    torch.manual_seed(0)
    x = torch.randn(32, 4)
    model = nn.Linear(4, 1)
    best, start = float("inf"), 0
    if resume:
        checkpoint = torch.load(path)
        model.load_state_dict(checkpoint["net"])
        best, start = checkpoint["error"], checkpoint["epoch"] + 1
    optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
    for epoch in range(start, epochs):
        for batch in x.split(8):
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(batch), batch.sum(dim=1, keepdim=True))
            loss.backward()
            optimizer.step()
        if loss.item() < best:
            best = loss.item()
            torch.save({"net": model.state_dict(), "error": best, "epoch": epoch}, path.with_name(f"best-{epoch}.pt"))  # bug
            path = path.with_name(f"best-{epoch}.pt")
    return path, best


with tempfile.TemporaryDirectory() as folder:
    path, _ = train(Path(folder, "best.pt"), epochs=2, resume=False)
    print(f"best error {train(path, epochs=4, resume=True)[1]:.4f}")
