"""Two classifiers, of which one ends in a sigmoid: the loss is chosen with them, or by an option of its own."""

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


def train(net, criterion, loader, epochs):
    optimizer = torch.optim.Adam(net.parameters(), lr=0.02)
    for epoch in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            loss = criterion(net(x), y)  # bug: unfused-probability-loss
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch}: {loss.item():.4f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--net", default="deep", choices=["plain", "deep"])
    parser.add_argument("--loss", default="probabilities", choices=["probabilities", "logits"])
    args = parser.parse_args()
    torch.manual_seed(0)
    labels = torch.randint(0, 2, (96, 1)).float()
    points = (labels * 2 - 1) * 3 + 0.3 * torch.randn(96, 2)
    loader = DataLoader(TensorDataset(points, labels), batch_size=16, shuffle=True)
    if args.net == "plain":
        net = Plain()
        criterion = nn.BCEWithLogitsLoss()
    else:
        net = Deep()
        criterion = nn.BCELoss()
    train(net, criterion, loader, epochs=3)
    train(net, nn.BCEWithLogitsLoss() if args.loss == "logits" else nn.BCELoss(), loader, epochs=1)
    net = Plain() if args.net == "plain" else Deep()
    if args.net == "plain":
        train(net, nn.BCEWithLogitsLoss(), loader, epochs=1)
