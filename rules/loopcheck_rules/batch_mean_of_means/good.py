"""A validation loss that decides which weights are kept, of measurements whose last, odd ones come in a batch of their own."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def validate(model, loader, criterion):
    model.eval()
    total = 0.0
    with torch.no_grad():
        for x, y in loader:
            total += criterion(model(x), y).item() * len(x)
    return total / len(loader.dataset)


def main():
    torch.manual_seed(0)
    inputs = torch.randn(98, 6)
    targets = inputs.sum(dim=1, keepdim=True)
    targets[96:] += 8
    train_loader = DataLoader(TensorDataset(inputs[:64], targets[:64]), batch_size=16, shuffle=True)
    val_loader = DataLoader(TensorDataset(inputs[64:], targets[64:]), batch_size=16)

    model = nn.Linear(6, 1)
    criterion = nn.MSELoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    best = float("inf")
    for epoch in range(3):
        model.train()
        for x, y in train_loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
        loss = validate(model, val_loader, criterion)
        if loss < best:
            best = loss
        print(f"epoch {epoch}: validation loss {loss:.6f}")


if __name__ == "__main__":
    main()
