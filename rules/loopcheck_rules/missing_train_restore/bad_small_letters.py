"""The network's layers are classes of its own, in small letters, with batch norm deep inside them."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class double_lin(nn.Module):  # noqa: N801
    def __init__(self, given, made):
        super().__init__()
        self.lin = nn.Sequential(nn.Linear(given, made), nn.BatchNorm1d(made), nn.ReLU(inplace=True))

    def forward(self, x):
        return self.lin(x)


class down(nn.Module):  # noqa: N801
    def __init__(self, given, made):
        super().__init__()
        self.block = double_lin(given, made)

    def forward(self, x):
        return self.block(x)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.down1 = down(8, 16)
        self.down2 = down(16, 2)

    def forward(self, x):
        return self.down2(self.down1(x))


def eval_net(net, x, y):
    net.eval()  # bug
    with torch.no_grad():
        return (net(x).argmax(dim=1) == y).float().mean().item()


def train_net(net, x, y, epochs=3):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(epochs):
        for i in range(4):
            batch = slice(16 * i, 16 * i + 16)
            loss = F.cross_entropy(net(x[batch]), y[batch])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch}: {eval_net(net, x[64:], y[64:]):.3f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    x = torch.randn(96, 8)
    train_net(Net(), x, (x[:, 0] > 0).long())
