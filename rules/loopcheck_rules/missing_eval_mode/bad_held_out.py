"""Fifty patients: no loaders, the last ten are held out, by slices."""

import torch
from torch import nn

SIZE = 8


def batches(x, y):
    return zip(x.split(SIZE), y.split(SIZE))


def fit_epoch(model, optimizer, x, y):
    for features, outcome in batches(x, y):
        optimizer.zero_grad()
        loss = nn.functional.binary_cross_entropy_with_logits(model(features), outcome)
        loss.backward()
        optimizer.step()


@torch.no_grad()
def held_out_loss(model, x, y):
    total = 0.0
    for features, outcome in batches(x, y):
        logits = model(features)  # bug
        total += nn.functional.binary_cross_entropy_with_logits(logits, outcome, reduction="sum").item()
    return total / len(x)


@torch.no_grad()
def holdout_accuracy(model, x, y):
    right = 0
    for features, outcome in batches(x, y):
        right += ((model(features) > 0) == outcome.bool()).sum().item()  # bug
    return right / len(x)


def main():
    torch.manual_seed(0)
    x = torch.randn(50, 9)
    y = (x[:, :3].sum(dim=1, keepdim=True) > 0).float()
    model = nn.Sequential(nn.Linear(9, 16), nn.ReLU(), nn.Dropout(0.4), nn.Linear(16, 1))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for epoch in range(3):
        fit_epoch(model, optimizer, x[:40], y[:40])
        print(f"epoch {epoch}: loss {held_out_loss(model, x[40:], y[40:]):.3f}")
    print(f"accuracy {holdout_accuracy(model, x[40:], y[40:]):.2f}")


if __name__ == "__main__":
    main()
