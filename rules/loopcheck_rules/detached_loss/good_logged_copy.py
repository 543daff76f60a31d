"""Copies of the loss are detached, made numbers and made tensors again: to be logged, and the loss itself goes backward."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def train_one_epoch(model, loader, optimizer, criterion):
    losses, running = [], torch.zeros(())
    for x, y in loader:
        loss = criterion(model(x), y)
        running += loss.detach()
        losses.append(loss.item())
        worst = torch.tensor(losses).max()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return running / len(loader), worst, loss.data.numpy()


def main():
    torch.manual_seed(0)
    x = torch.randn(50, 3)
    loader = DataLoader(TensorDataset(x, x.norm(dim=1, keepdim=True)), batch_size=10, shuffle=True)
    model = nn.Sequential(nn.Linear(3, 12), nn.ReLU(), nn.Linear(12, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for epoch in range(3):
        mean, worst, last = train_one_epoch(model, loader, optimizer, nn.L1Loss())
        print(f"epoch {epoch}: mean {mean.item():.4f}, worst {worst.item():.4f}, last {last:.4f}")


if __name__ == "__main__":
    main()
