"""Every epoch begins with its validation, and train mode is asked for once before the first: nothing is ever trained in it."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def validate(model, loader):
    model.eval()  # bug
    total = 0.0
    with torch.no_grad():
        for x, y in loader:
            total += nn.functional.mse_loss(model(x), y, reduction="sum").item()
    return total / len(loader.dataset)


def fit(model, train_loader, valid_loader, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    model.train()
    for epoch in range(epochs):
        print(f"epoch {epoch}: {validate(model, valid_loader):.3f}")
        for x, y in train_loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(model(x), y).backward()
            optimizer.step()


def main():
    torch.manual_seed(0)
    x = torch.randn(96, 6)
    data = TensorDataset(x, x.sum(1, keepdim=True))
    model = nn.Sequential(nn.Linear(6, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Dropout(0.2), nn.Linear(16, 1))
    fit(model, DataLoader(data, batch_size=16, shuffle=True), DataLoader(data, batch_size=32), epochs=3)


if __name__ == "__main__":
    main()
