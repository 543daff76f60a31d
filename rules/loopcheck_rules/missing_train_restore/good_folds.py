"""Cross-validation: each fold trains a model of its own, so the last one's eval mode is nothing to the next."""

import copy

import torch
from torch import nn
from torch.utils.data import DataLoader, Subset, TensorDataset


@torch.no_grad()
def accuracy(model, loader):
    model.eval()
    return sum((model(x).argmax(dim=1) == y).sum().item() for x, y in loader) / len(loader.dataset)


def fit(model, loader, epochs=2):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()


def main():
    torch.manual_seed(0)
    x = torch.randn(96, 12)
    data = TensorDataset(x, (x[:, 0] > x[:, 1]).long())
    folds = torch.arange(96).chunk(3)
    untrained = nn.Sequential(nn.Linear(12, 24), nn.BatchNorm1d(24), nn.ReLU(), nn.Linear(24, 2))

    for number, held_out in enumerate(folds):
        rest = [index for fold in folds if fold is not held_out for index in fold.tolist()]
        model = nn.Sequential(nn.Linear(12, 24), nn.BatchNorm1d(24), nn.Dropout(0.1), nn.Linear(24, 2))
        started = copy.deepcopy(untrained)
        for each in (model, started):
            fit(each, DataLoader(Subset(data, rest), batch_size=16, shuffle=True))
        val_loader = DataLoader(Subset(data, held_out.tolist()), batch_size=16)
        print(f"fold {number}: {accuracy(model, val_loader):.3f} {accuracy(started, val_loader):.3f}")


if __name__ == "__main__":
    main()
