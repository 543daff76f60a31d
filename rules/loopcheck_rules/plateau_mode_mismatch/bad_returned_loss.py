"""The schedule was chosen for an accuracy, and is told the loss that the validation returns."""

import torch
from torch import nn
from torch.optim import lr_scheduler
from torch.utils.data import DataLoader, TensorDataset


def validate(model, loader):
    model.eval()
    total = 0.0
    with torch.no_grad():
        for x, y in loader:
            total += nn.functional.cross_entropy(model(x), y).item() * len(x)
    return total / len(loader.dataset)


def main():
    torch.manual_seed(0)
    x, y = torch.randn(64, 4), torch.randint(2, (64,))
    train_loader = DataLoader(TensorDataset(x[:48], y[:48]), batch_size=16, shuffle=True)
    val_loader = DataLoader(TensorDataset(x[48:], y[48:]), batch_size=16)
    model = nn.Linear(4, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = lr_scheduler.ReduceLROnPlateau(optimizer, mode="max", factor=0.1, patience=1)
    for epoch in range(4):
        model.train()
        for inputs, labels in train_loader:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(inputs), labels)
            loss.backward()
            optimizer.step()
        val_loss = validate(model, val_loader)
        scheduler.step(val_loss)  # bug
        print(f"epoch {epoch}: loss {val_loss:.3f}")


main()
