"""An evaluation that names `no_grad` on a line of its own, and so records every graph."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def evaluate(model, loader):
    model.eval()
    with torch.no_grad():
        loss = 0.0
        # each batch by its size
        for inputs, targets in loader:
            loss += nn.functional.mse_loss(model(inputs), targets).item() * len(inputs)
        return loss / len(loader.dataset)


def main():
    torch.manual_seed(0)
    inputs = torch.randn(96, 8)
    targets = inputs.sum(dim=1, keepdim=True)
    train_loader = DataLoader(TensorDataset(inputs[:64], targets[:64]), batch_size=16, shuffle=True)
    val_loader = DataLoader(TensorDataset(inputs[64:], targets[64:]), batch_size=16)
    model = nn.Sequential(nn.Linear(8, 16), nn.Dropout(0.1), nn.ReLU(), nn.Linear(16, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)

    for epoch in range(2):
        model.train()
        for x, y in train_loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(model(x), y).backward()
            optimizer.step()
        print(f"epoch {epoch}: {evaluate(model, val_loader):.4f}")


if __name__ == "__main__":
    main()
