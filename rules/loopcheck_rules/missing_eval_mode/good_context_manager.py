"""A context manager puts the model in eval mode and back."""

from contextlib import contextmanager

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


@contextmanager
def evaluating(net):
    mode = net.training
    net.eval()
    try:
        with torch.no_grad():
            yield net
    finally:
        net.train(mode)


def accuracy(net, loader):
    hits = 0
    with evaluating(net):
        for x, y in loader:
            hits += (net(x).argmax(1) == y).sum().item()
    return hits / len(loader.dataset)


def main():
    torch.manual_seed(0)
    x, y = torch.randn(80, 6), torch.randint(0, 3, (80,))
    training = DataLoader(TensorDataset(x[:60], y[:60]), batch_size=15, shuffle=True)
    held_out = DataLoader(TensorDataset(x[60:], y[60:]), batch_size=20)
    net = nn.Sequential(nn.Linear(6, 18), nn.BatchNorm1d(18), nn.ReLU(), nn.Linear(18, 3))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    for epoch in range(3):
        for a, b in training:
            optimizer.zero_grad()
            nn.functional.cross_entropy(net(a), b).backward()
            optimizer.step()
        print(f"epoch {epoch}: {accuracy(net, held_out):.3f}")


if __name__ == "__main__":
    main()
