"""When patience is over the best weights are put back: a copy was kept of them."""

import copy

import torch
from torch import nn


def error(model, x, y):
    model.eval()
    with torch.no_grad():
        return nn.functional.mse_loss(model(x), y).item()


def fit(model, x, y, optimizer, epochs=40, patience=3):
    best, kept, waited = float("inf"), None, 0
    for _ in range(epochs):
        model.train()
        for inputs, targets in zip(x[:32].split(8), y[:32].split(8), strict=True):
            optimizer.zero_grad()
            nn.functional.mse_loss(model(inputs), targets).backward()
            optimizer.step()
        now = error(model, x[32:], y[32:])
        if now < best:
            best, kept, waited = now, copy.deepcopy(model.state_dict()), 0
        else:
            waited += 1
            if waited > patience:
                model.load_state_dict(kept)
                break
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
