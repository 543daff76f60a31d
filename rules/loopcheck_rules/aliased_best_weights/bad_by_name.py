"""The weights of the best epoch are put by name into another dictionary, which holds the very tensors of the model."""

import torch
from torch import nn


def error(model, x, y):
    model.eval()
    with torch.no_grad():
        return nn.functional.mse_loss(model(x), y).item()


def fit(model, x, y, optimizer, epochs=12):
    best, kept = float("inf"), None
    for _ in range(epochs):
        model.train()
        for inputs, targets in zip(x[:32].split(8), y[:32].split(8), strict=True):
            optimizer.zero_grad()
            nn.functional.mse_loss(model(inputs), targets).backward()
            optimizer.step()
        now = error(model, x[32:], y[32:])
        if now < best:
            best, kept = now, {name: weight for name, weight in model.state_dict().items()}  # bug
    model.load_state_dict(kept)
    return best


def main():
    torch.manual_seed(0)
    x = torch.randn(64, 6)
    y = x.sum(dim=1, keepdim=True) + torch.randn(64, 1)
    model = nn.Sequential(nn.Linear(6, 64), nn.ReLU(), nn.Linear(64, 1))
    best = fit(model, x, y, torch.optim.Adam(model.parameters(), lr=0.02))
    print(f"best validation error {best:.4f}, of the weights put back {error(model, x[32:], y[32:]):.4f}")


if __name__ == "__main__":
    main()
