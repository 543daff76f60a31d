"""Batches of one size: a loader that leaves out the last ones, one whose length divides, one of single samples."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def evaluate(model, loader, criterion):
    model.eval()
    total = 0.0
    with torch.no_grad():
        for x, y in loader:
            total += criterion(model(x), y).item()
    return total / len(loader)


def main():
    torch.manual_seed(0)
    data = TensorDataset(torch.randn(44, 6), torch.randn(44, 1))
    train_loader = DataLoader(data, batch_size=8, shuffle=True)
    val_loader = DataLoader(TensorDataset(torch.randn(30, 6), torch.randn(30, 1)), batch_size=8, drop_last=True)
    test_loader = DataLoader(TensorDataset(torch.randn(32, 6), torch.randn(32, 1)), batch_size=8)
    single_loader = DataLoader(TensorDataset(torch.randn(5, 6), torch.randn(5, 1)))
    model = nn.Linear(6, 1)
    criterion = nn.MSELoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for epoch in range(2):
        model.train()
        for x, y in train_loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
        print(epoch, evaluate(model, val_loader, criterion))
    print(evaluate(model, test_loader, criterion), evaluate(model, single_loader, criterion))


main()
