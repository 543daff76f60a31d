"""One of two classifiers, chosen by an option, ends in a sigmoid; the loss is the same for both."""

import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(2, 1)

    def forward(self, x):
        return self.out(x)


class Deep(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(2, 16)
        self.out = nn.Linear(16, 1)

    def forward(self, x):
        return torch.sigmoid(self.out(torch.relu(self.hidden(x))))


def train(net, loader, epochs):
    criterion = nn.BCEWithLogitsLoss()
    optimizer = torch.optim.Adam(net.parameters(), lr=0.02)
    for epoch in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            loss = criterion(net(x), y)  # bug
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch}: {loss.item():.4f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--net", default="deep", choices=["plain", "deep"])
    args = parser.parse_args()
    torch.manual_seed(0)
    labels = torch.randint(0, 2, (96, 1)).float()
    points = (labels * 2 - 1) * 3 + 0.3 * torch.randn(96, 2)
    loader = DataLoader(TensorDataset(points, labels), batch_size=16, shuffle=True)
    if args.net == "plain":
        net = Plain()
    else:
        net = Deep()
    train(net, loader, epochs=3)
