"""A context manager takes any number of networks, or what has no mode at all, into evaluation and back."""

from contextlib import contextmanager

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


@contextmanager
def eval_mode(*nets):
    training = [n for n in nets if hasattr(n, "training") and n.training]
    try:
        with torch.no_grad():
            yield [n.eval() if hasattr(n, "eval") else n for n in nets]
    finally:
        for n in training:
            if hasattr(n, "train"):
                n.train()


class Finder:
    def __init__(self, model, optimizer):
        self.model = model
        self.optimizer = optimizer

    def fit(self, loader, val_loader, steps):
        self.model.train()
        for step, (x, y) in enumerate(loader):
            self.optimizer.zero_grad()
            nn.functional.mse_loss(self.model(x), y).backward()
            self.optimizer.step()
            print(step, self.validate(val_loader))
            if step == steps:
                break

    def validate(self, val_loader):
        total = 0.0
        with eval_mode(self.model):
            for x, y in val_loader:
                total += nn.functional.mse_loss(self.model(x), y).item()
        return total / len(val_loader)


def main():
    torch.manual_seed(0)
    x = torch.randn(40, 4)
    data = TensorDataset(x, x.sum(1, keepdim=True))
    model = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.2), nn.Linear(8, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    Finder(model, optimizer).fit(DataLoader(data, batch_size=8, shuffle=True), DataLoader(data, batch_size=8), 3)


if __name__ == "__main__":
    main()
