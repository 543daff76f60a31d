"""`cfg.training.verbose` is a setting of the training; it does not ask in which mode a model is."""

from types import SimpleNamespace

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

cfg = SimpleNamespace(training=SimpleNamespace(verbose=True, epochs=2, lr=1e-2), model=SimpleNamespace(width=16))


@torch.no_grad()
def validate(model, loader):
    if cfg.training.verbose:
        print("validating")
    right = 0
    for x, y in loader:
        right += (model(x).argmax(1) == y).sum().item()  # bug: missing-eval-mode
    return right / len(loader.dataset)


def main():
    torch.manual_seed(0)
    x = torch.randn(80, 5)
    y = (x.sum(1) > 0).long()
    train_loader = DataLoader(TensorDataset(x[:60], y[:60]), batch_size=10, shuffle=True)
    val_loader = DataLoader(TensorDataset(x[60:], y[60:]), batch_size=10)
    model = nn.Sequential(nn.Linear(5, cfg.model.width), nn.ReLU(), nn.Dropout(0.3), nn.Linear(cfg.model.width, 2))
    optimizer = torch.optim.Adam(model.parameters(), lr=cfg.training.lr)
    for epoch in range(cfg.training.epochs):
        model.train()
        for a, b in train_loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(a), b).backward()
            optimizer.step()
        if cfg.training.verbose:
            print(epoch, validate(model, val_loader))


if __name__ == "__main__":
    main()
