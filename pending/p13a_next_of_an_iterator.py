"""Batches drawn by hand, a fixed number of times: that is a pass over the loader, the evaluating one as well."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def fit(model, loader, optimizer):
    model.train()
    loader_iter = iter(loader)
    for i in range(len(loader)):
        batch = next(loader_iter)
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(batch[0]), batch[1]).backward()
        optimizer.step()


def score(model, loader):
    right = 0
    loader_iter = iter(loader)
    n = len(loader)
    for i in range(n):
        features, labels = next(loader_iter)
        right += (model(features).argmax(1) == labels).sum().item()  # bug: missing-eval-mode, missing-no-grad
    return right / len(loader.dataset)


def main():
    torch.manual_seed(0)
    x = torch.randn(80, 5)
    y = (x.sum(1) > 0).long()
    train_loader = DataLoader(TensorDataset(x[:60], y[:60]), batch_size=10, shuffle=True)
    test_loader = DataLoader(TensorDataset(x[60:], y[60:]), batch_size=10)
    model = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Dropout(0.3), nn.Linear(16, 2))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for epoch in range(3):
        fit(model, train_loader, optimizer)
        print(epoch, score(model, test_loader))


if __name__ == "__main__":
    main()
