"""The scheduler reads the validation loss, after the epoch's updates."""

import torch
from torch import nn
from torch.optim.lr_scheduler import ReduceLROnPlateau
from torch.utils.data import DataLoader, TensorDataset


def train(model, loader, optimizer):
    model.train()
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()


@torch.no_grad()
def validate(model, loader):
    model.eval()
    total = sum(nn.functional.mse_loss(model(x), y, reduction="sum").item() for x, y in loader)
    return total / len(loader.dataset)


if __name__ == "__main__":
    torch.manual_seed(0)
    train_set = TensorDataset(torch.randn(40, 3), torch.randn(40, 1))
    val_set = TensorDataset(torch.randn(16, 3), torch.randn(16, 1))
    model = nn.Sequential(nn.Linear(3, 12), nn.ReLU(), nn.Dropout(0.1), nn.Linear(12, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    plateau = ReduceLROnPlateau(optimizer, factor=0.5, patience=0)
    train_loader = DataLoader(train_set, batch_size=8, shuffle=True)
    val_loader = DataLoader(val_set, batch_size=8)
    print(f"before training: {validate(model, val_loader):.4f}")
    for epoch in range(4):
        train(model, train_loader, optimizer)
        val_loss = validate(model, val_loader)
        plateau.step(val_loss)
        print(f"epoch {epoch}: val loss {val_loss:.4f} lr {optimizer.param_groups[0]['lr']:.4f}")
