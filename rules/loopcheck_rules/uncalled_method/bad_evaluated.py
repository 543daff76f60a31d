"""A validation that is never put in eval mode, and a loss that is never backpropagated."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def validate(model, val_loader):
    model.eval  # bug
    correct = 0
    with torch.no_grad():
        for x, y in val_loader:
            correct += (model(x).argmax(1) == y).sum().item()
    return correct / len(val_loader.dataset)


def main():
    torch.manual_seed(0)
    x, y = torch.randn(96, 6), torch.randint(2, (96,))
    train_loader = DataLoader(TensorDataset(x[:64], y[:64]), batch_size=16, shuffle=True)
    val_loader = DataLoader(TensorDataset(x[64:], y[64:]), batch_size=16)
    model = nn.Sequential(nn.Linear(6, 12), nn.BatchNorm1d(12), nn.ReLU(), nn.Linear(12, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(2):
        model.train()
        for x, y in train_loader:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(x), y)
            loss.backward  # bug
            optimizer.step()
        print(f"epoch {epoch}: accuracy {validate(model, val_loader):.2f}")


main()
