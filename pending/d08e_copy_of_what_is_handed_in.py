"""Members of an ensemble are copies of a model of which nothing else is asked."""

import copy

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

STRATEGIES = {}


def strategy(function):
    STRATEGIES[function.__name__] = function
    return function


@strategy
def pair(base, train_loader, val_loader):
    members = copy.deepcopy(base), copy.deepcopy(base)
    for member in members:
        optimizer = torch.optim.SGD(member.parameters(), lr=0.05)
        for a, b in train_loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(member(a), b).backward()
            optimizer.step()
    total = 0.0
    for a, b in val_loader:
        total += nn.functional.mse_loss(members[0](a), b).item()  # bug: missing-eval-mode, missing-no-grad
        total += nn.functional.mse_loss(members[1](a), b).item()  # bug: missing-eval-mode, missing-no-grad
    return total / len(val_loader)


def main():
    torch.manual_seed(0)
    x = torch.randn(60, 3)
    y = x.square().sum(1, keepdim=True)
    train_loader = DataLoader(TensorDataset(x[:40], y[:40]), batch_size=10, shuffle=True)
    val_loader = DataLoader(TensorDataset(x[40:], y[40:]), batch_size=10)
    model = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Dropout(0.1), nn.Linear(16, 1))
    for name in STRATEGIES:
        print(name, STRATEGIES[name](model, train_loader, val_loader))


if __name__ == "__main__":
    main()
