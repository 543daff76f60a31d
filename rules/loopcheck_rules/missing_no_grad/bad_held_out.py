"""A small regression on tensors; what is held out is scored by two helpers that set the mode and forget the graph."""

import torch
from torch import nn


def held_out_loss(model, x, y):
    model.eval()
    losses = []
    for a, b in zip(x.split(8), y.split(8)):
        losses.append(nn.functional.l1_loss(model(a), b).item())  # bug
    return sum(losses) / len(losses)


def holdout_loss(model, x, y):
    model.eval()
    worst = 0.0
    for a, b in zip(x, y):
        worst = max(worst, nn.functional.l1_loss(model(a), b).item())  # bug
    return worst


def main():
    torch.manual_seed(0)
    x = torch.rand(80, 3)
    y = x @ torch.tensor([[1.0], [-2.0], [0.5]])
    model = nn.Sequential(nn.Linear(3, 16), nn.Tanh(), nn.Dropout(0.1), nn.Linear(16, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for epoch in range(3):
        model.train()
        for a, b in zip(x[:64].split(16), y[:64].split(16)):
            optimizer.zero_grad()
            nn.functional.mse_loss(model(a), b).backward()
            optimizer.step()
        print(f"epoch {epoch}: {held_out_loss(model, x[64:], y[64:]):.3f}, worst {holdout_loss(model, x[64:], y[64:]):.3f}")


if __name__ == "__main__":
    main()
