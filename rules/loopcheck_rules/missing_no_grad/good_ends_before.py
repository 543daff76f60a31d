"""The program ends after its first measurement; what its author left behind `sys.exit()` is never run."""

import sys

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def accuracy(model: nn.Module, test_loader: DataLoader) -> float:
    model.eval()
    right = 0
    for x, y in test_loader:
        right += (model(x).argmax(1) == y).sum().item()
    return right / len(test_loader.dataset)


def main() -> None:
    torch.manual_seed(0)
    x = torch.randn(60, 6)
    y = (x.sum(1) > 0).long()
    train_loader = DataLoader(TensorDataset(x[:40], y[:40]), batch_size=10, shuffle=True)
    test_loader = DataLoader(TensorDataset(x[40:], y[40:]), batch_size=10)
    model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Dropout(0.3), nn.Linear(16, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
    for _ in range(2):
        model.train()
        for a, b in train_loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(a), b).backward()
            optimizer.step()
    with torch.no_grad():
        print(f"{accuracy(model, test_loader):.2f} right")
    sys.exit()
    print(f"{accuracy(model, train_loader):.2f} right on what it has seen")


if __name__ == "__main__":
    main()
