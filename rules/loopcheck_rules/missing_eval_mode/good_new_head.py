"""A head put into a network that is made out of sight: the network's eval mode is the head's."""

import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Head(nn.Module):
    def __init__(self, width, classes):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(width, width), nn.BatchNorm1d(width), nn.ReLU(), nn.Linear(width, classes))

    def forward(self, x):
        return self.layers(x)


class Backbone(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.embed_dim = width
        self.stem = nn.Linear(8, width)
        self.head = nn.Identity()

    def forward(self, x):
        return self.stem(x)


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    hits = 0
    for x, y in loader:
        output = model(x)
        output = model.head(output)
        hits += (output.argmax(dim=1) == y).sum().item()
    return hits / len(loader.dataset)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--arch", default="small")
    parser.add_argument("--head", type=int, default=1)
    args = parser.parse_args()
    torch.manual_seed(0)
    x = torch.randn(96, 8)
    y = (x[:, 0] > 0).long() * 2 + (x[:, 1] > 0).long()
    train_loader = DataLoader(TensorDataset(x[:64], y[:64]), batch_size=16, shuffle=True)
    val_loader = DataLoader(TensorDataset(x[64:], y[64:]), batch_size=16)

    model = {"small": Backbone, "large": lambda width: Backbone(2 * width)}[args.arch](16)
    if args.head > 0:
        head = Head(model.embed_dim, 4)
    else:
        head = nn.Linear(model.embed_dim, 4)
    model.head = head
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for epoch in range(2):
        model.train()
        for inputs, labels in train_loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model.head(model(inputs)), labels).backward()
            optimizer.step()
        print(f"epoch {epoch}: {evaluate(model, val_loader):.3f}")


if __name__ == "__main__":
    main()
