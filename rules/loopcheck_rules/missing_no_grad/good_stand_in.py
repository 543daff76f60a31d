"""The library is got by a function that has a stand-in for where it is missing; `no_grad` is torch's wherever a graph could be."""

from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Nothing:
    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None

    def __call__(self, function):
        return function


class Missing:
    """What is left of torch where it is not installed: configurations can be read with it."""

    def no_grad(self):
        return Nothing()


def get_torch():
    try:
        import torch

        return torch
    except ImportError:
        return Missing()


torch = get_torch()


def accuracy(model, test_loader):
    model.eval()
    right = 0
    with torch.no_grad():
        for x, y in test_loader:
            right += (model(x).argmax(1) == y).sum().item()
    return right / len(test_loader.dataset)


@torch.no_grad()
def mean_loss(model, test_loader):
    model.eval()
    total = 0.0
    for x, y in test_loader:
        total += nn.functional.cross_entropy(model(x), y, reduction="sum").item()
    return total / len(test_loader.dataset)


def main():
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
        print(f"{accuracy(model, test_loader):.2f} right, loss {mean_loss(model, test_loader):.3f}")


if __name__ == "__main__":
    main()
