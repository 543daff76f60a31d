"""An option names the network, and whichever that is drops or normalizes."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Normed(nn.Module):
    def __init__(self, classes, width=16):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, width), nn.BatchNorm1d(width), nn.ReLU())
        self.head = nn.Linear(width, classes)

    def forward(self, x):
        return self.head(self.body(x))


class _Head(nn.Module):
    def __init__(self, width, classes):
        super().__init__()
        self.drop = nn.Dropout(0.3)
        self.out = nn.Linear(width, classes)

    def forward(self, x):
        return self.out(self.drop(x))


class Dropped(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.body = nn.Linear(8, 32)
        self.head = _Head(32, classes)

    def forward(self, x):
        return self.head(self.body(x).relu())


def normed(classes, weights=None, **options):
    network = Normed(classes, **options)
    if weights is not None:
        network.load_state_dict(torch.load(weights))
    return network


def wide(classes, **options):
    return normed(classes, width=64, **options)


NETWORKS = {"normed": normed, "wide": wide, "dropped": Dropped}


def build(name, **options):
    return NETWORKS[name](**options)


def main(name="wide"):
    torch.manual_seed(0)
    loader = DataLoader(TensorDataset(torch.randn(64, 8), torch.randint(0, 3, (64,))), batch_size=16, shuffle=True)
    network = build(name, classes=3).to("cpu")
    optimizer = torch.optim.SGD(network.parameters(), lr=0.1)
    for epoch in range(2):
        network.eval()  # bug
        for x, y in loader:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(network(x), y)
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch}: {loss.item():.4f}")


if __name__ == "__main__":
    import sys

    main(*sys.argv[1:])
