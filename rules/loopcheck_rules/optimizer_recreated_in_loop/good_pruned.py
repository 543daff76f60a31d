"""Before each stage the hidden layer loses the units that do least, so the network has other parameters, and the optimizer, too."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.hidden = nn.Linear(4, width)
        self.last = nn.Linear(width, 2)

    def forward(self, x):
        return self.last(torch.relu(self.hidden(x)))


def pruned(net, count):
    kept = net.hidden.weight.norm(dim=1).argsort(descending=True)[:-count].sort().values
    hidden = nn.Linear(4, len(kept))
    hidden.weight.data = net.hidden.weight.data[kept]
    hidden.bias.data = net.hidden.bias.data[kept]
    last = nn.Linear(len(kept), 2)
    last.weight.data = net.last.weight.data[:, kept]
    last.bias.data = net.last.bias.data
    net.hidden = hidden
    net.last = last
    return net


def main():
    torch.manual_seed(0)
    x = torch.randn(64, 4)
    loader = DataLoader(TensorDataset(x, (x.sum(dim=1) > 0).long()), batch_size=16, shuffle=True)
    net = Net(16)
    for _ in range(3):
        net = pruned(net, 2)
        optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
        for inputs, targets in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(net(inputs), targets).backward()
            optimizer.step()
    print(net.hidden.out_features)


if __name__ == "__main__":
    main()
