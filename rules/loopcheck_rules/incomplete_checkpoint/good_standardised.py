"""The scaler in the file is the one of the inputs: weights and what belongs to them, for use."""

import tempfile
from pathlib import Path

import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(24, 5) * 3 + 1
y = x.sum(dim=1, keepdim=True)
scaler = {"mean": x.mean(dim=0), "std": x.std(dim=0)}
model = nn.Sequential(nn.Linear(5, 8), nn.ReLU(), nn.Linear(8, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(2):
    for inputs, targets in zip(x.split(8), y.split(8), strict=True):
        loss = (model((inputs - scaler["mean"]) / scaler["std"]) - targets).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with tempfile.TemporaryDirectory() as folder:
        torch.save({"model": model.state_dict(), "scaler": scaler, "epoch": epoch}, Path(folder) / "model.pt")
    print(f"epoch {epoch}: loss {loss.item():.4f}")
