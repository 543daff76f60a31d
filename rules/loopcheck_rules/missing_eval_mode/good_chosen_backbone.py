"""The backbone is one of two, chosen by an option; either is a part of the model, whose mode it follows."""

import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Backbone(nn.Module):
    def __init__(self, depth, width=16):
        super().__init__()
        self.inner = nn.ModuleList(nn.Linear(width, width) for _ in range(depth))
        self.norm = nn.BatchNorm1d(width)

    def forward(self, x):
        for layer in self.inner:
            x = torch.relu(layer(x))
        return self.norm(x)


def shallow(**options):
    return Backbone(1, **options)


def deep(**options):
    return Backbone(3, **options)


class Task(nn.Module):
    def __init__(self, arch):
        super().__init__()
        self.arch = arch
        self.backbone = self.make_backbone()

    def make_backbone(self):
        if self.arch == "shallow":
            backbone = shallow
        elif self.arch == "deep":
            backbone = deep
        return backbone(width=16)

    def loss(self, batch):
        x, y = batch
        return nn.functional.cross_entropy(self.backbone(x), y)


def fit(task, train_loader, val_loader, epochs):
    optimizer = torch.optim.SGD(task.parameters(), lr=0.1)
    for epoch in range(epochs):
        task.train()
        for batch in train_loader:
            optimizer.zero_grad()
            task.loss(batch).backward()
            optimizer.step()
        task.eval()
        with torch.no_grad():
            losses = [task.loss(batch).item() for batch in val_loader]
        print(f"epoch {epoch}: validation {sum(losses) / len(losses):.3f}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--arch", default="shallow")
    options = parser.parse_args()
    torch.manual_seed(0)
    x = torch.randn(96, 16)
    y = x[:, :4].argmax(1)
    train_loader = DataLoader(TensorDataset(x[:64], y[:64]), batch_size=16, shuffle=True)
    fit(Task(options.arch), train_loader, DataLoader(TensorDataset(x[64:], y[64:]), batch_size=16), epochs=3)


if __name__ == "__main__":
    main()
