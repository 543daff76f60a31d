"""An option names the network, and there is none whose layers differ between train and eval mode."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Narrow(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 8), nn.LayerNorm(8), nn.ReLU(), nn.Linear(8, classes))

    def forward(self, x):
        return self.body(x)


class Wide(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.first = nn.Linear(8, 64)
        self.second = nn.Linear(64, classes)

    def forward(self, x):
        return self.second(self.first(x).relu())


def wide(classes):
    network = Wide(classes)
    return network.to("cpu")


def main(name="wide"):
    torch.manual_seed(0)
    loader = DataLoader(TensorDataset(torch.randn(64, 8), torch.randint(0, 3, (64,))), batch_size=16, shuffle=True)
    network = {"narrow": Narrow, "wide": wide}[name](3)
    optimizer = torch.optim.SGD(network.parameters(), lr=0.1)
    for _ in range(2):
        network.eval()
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(network(x), y).backward()
            optimizer.step()


if __name__ == "__main__":
    import sys

    main(*sys.argv[1:])
