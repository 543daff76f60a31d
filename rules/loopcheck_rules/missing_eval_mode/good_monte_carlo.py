"""The spread of many passes with dropout on is what the model does not know: it stays in train mode for the held-out years."""

import torch
from torch import nn

PASSES = 20


def train_epoch(model, optimizer, x, y):
    model.train()
    for years, yields in zip(x.split(10), y.split(10)):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(years), yields).backward()
        optimizer.step()


@torch.no_grad()
def evaluate_monte_carlo(model, x):
    spread = []
    for years in x.split(10):
        draws = torch.stack([model(years) for _ in range(PASSES)])
        spread.append(draws.std(dim=0))
    return torch.cat(spread)


def main():
    torch.manual_seed(0)
    x = torch.randn(60, 4)
    y = x.square().sum(dim=1, keepdim=True)
    model = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Dropout(0.2), nn.Linear(32, 1))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for epoch in range(3):
        train_epoch(model, optimizer, x[:40], y[:40])
        print(f"epoch {epoch}: spread {evaluate_monte_carlo(model, x[40:]).mean():.3f}")


if __name__ == "__main__":
    main()
