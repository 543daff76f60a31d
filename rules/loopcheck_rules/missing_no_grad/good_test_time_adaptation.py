"""Evaluation by adaptation: on each held-out task a copy of the model takes a few gradient steps before it is scored."""

import copy

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def adapt(model, x, y, steps=2, lr=0.05):
    learner = copy.deepcopy(model)
    inner = torch.optim.SGD(learner.parameters(), lr=lr)
    for _ in range(steps):
        inner.zero_grad()
        nn.functional.mse_loss(learner(x), y).backward()
        inner.step()
    return learner


def evaluate(model, val_loader):
    total = 0.0
    for x, y in val_loader:
        half = len(x) // 2
        learner = adapt(model, x[:half], y[:half])
        with torch.no_grad():
            total += nn.functional.mse_loss(learner(x[half:]), y[half:], reduction="sum").item()
    return total / (len(val_loader.dataset) / 2)


def main():
    torch.manual_seed(0)
    x = torch.randn(60, 2)
    y = x.prod(dim=1, keepdim=True)
    train_loader = DataLoader(TensorDataset(x[:40], y[:40]), batch_size=8, shuffle=True)
    val_loader = DataLoader(TensorDataset(x[40:], y[40:]), batch_size=10)
    model = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 1))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for epoch in range(2):
        for a, b in train_loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(model(a), b).backward()
            optimizer.step()
        print(f"epoch {epoch}: {evaluate(model, val_loader):.4f}")


if __name__ == "__main__":
    main()
