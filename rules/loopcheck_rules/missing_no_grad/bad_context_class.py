"""A class whose objects a `with` enters tells how long a validation took, and leaves autograd as it is."""

import time

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Clock:
    slow = 60.0

    def __init__(self, name):
        self.name = name

    def __enter__(self):
        self.began = time.perf_counter()
        return self

    def __exit__(self, *error):
        if time.perf_counter() - self.began > self.slow:
            print(f"{self.name} took more than {self.slow} s")


def validate(model, val_loader):
    model.eval()
    with Clock("validation"):
        hits = 0
        for inputs, labels in val_loader:
            hits += (model(inputs).argmax(1) == labels).sum().item()  # bug
    model.train()
    return hits / len(val_loader.dataset)


def main():
    torch.manual_seed(0)
    x, y = torch.randn(80, 6), torch.randint(0, 3, (80,))
    train_loader = DataLoader(TensorDataset(x[:60], y[:60]), batch_size=15, shuffle=True)
    val_loader = DataLoader(TensorDataset(x[60:], y[60:]), batch_size=20)
    model = nn.Sequential(nn.Linear(6, 18), nn.BatchNorm1d(18), nn.ReLU(), nn.Linear(18, 3))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    for epoch in range(2):
        with Clock("training"):
            for inputs, labels in train_loader:
                optimizer.zero_grad()
                nn.functional.cross_entropy(model(inputs), labels).backward()
                optimizer.step()
        print(f"epoch {epoch}: {validate(model, val_loader):.3f}")


if __name__ == "__main__":
    main()
