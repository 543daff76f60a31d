"""One network, in one wrapper or another: whichever it is, its eval mode is the network's."""

import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Backbone(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(8, width), nn.BatchNorm1d(width), nn.ReLU(), nn.Linear(width, 4))

    def forward(self, x):
        return self.layers(x)


class Classifying(nn.Module):
    def __init__(self, net):
        super().__init__()
        self.net = net

    def forward(self, x, y):
        return nn.functional.cross_entropy(self.net(x), y)


class Smoothed(nn.Module):
    def __init__(self, net, smoothing):
        super().__init__()
        self.net = net
        self.smoothing = smoothing

    def forward(self, x, y):
        return nn.functional.cross_entropy(self.net(x), y, label_smoothing=self.smoothing)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--smoothing", type=float, default=0.1)
    args = parser.parse_args()
    torch.manual_seed(0)
    x = torch.randn(96, 8)
    y = (x[:, 0] > 0).long() * 2 + (x[:, 1] > 0).long()
    train_loader = DataLoader(TensorDataset(x[:64], y[:64]), batch_size=16, shuffle=True)
    val_loader = DataLoader(TensorDataset(x[64:], y[64:]), batch_size=16)

    backbone = Backbone(16)
    if args.smoothing > 0:
        model = Smoothed(backbone, args.smoothing)
    else:
        model = Classifying(backbone)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for epoch in range(2):
        model.train()
        for inputs, labels in train_loader:
            optimizer.zero_grad()
            loss = model(inputs, labels)
            loss.backward()
            optimizer.step()

        model.eval()
        hits = 0
        with torch.no_grad():
            for inputs, labels in val_loader:
                hits += (backbone(inputs).argmax(dim=1) == labels).sum().item()
        print(f"epoch {epoch}: {hits / 32:.3f}")


if __name__ == "__main__":
    main()
