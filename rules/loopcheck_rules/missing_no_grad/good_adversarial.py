"""Robust accuracy: the attack needs the gradient of the loss with respect to the held-out inputs."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def fgsm(model, x, y, epsilon):
    x = x.clone().requires_grad_(True)
    loss = F.cross_entropy(model(x), y)
    (gradient,) = torch.autograd.grad(loss, x)
    return (x + epsilon * gradient.sign()).detach()


def robust_accuracy(model, loader, epsilon=0.1):
    model.eval()
    hits = 0
    for x, y in loader:
        attacked = fgsm(model, x, y, epsilon)
        with torch.no_grad():
            hits += (model(attacked).argmax(1) == y).sum().item()
    return hits / len(loader.dataset)


def train(model, loader, optimizer):
    model.train()
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()


def main():
    torch.manual_seed(0)
    x = torch.rand(80, 8)
    y = (x[:, :4].sum(1) > x[:, 4:].sum(1)).long()
    train_loader = DataLoader(TensorDataset(x[:60], y[:60]), batch_size=12, shuffle=True)
    test_loader = DataLoader(TensorDataset(x[60:], y[60:]), batch_size=10)
    model = nn.Sequential(nn.Linear(8, 24), nn.ReLU(), nn.Linear(24, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    for epoch in range(3):
        train(model, train_loader, optimizer)
        print(f"epoch {epoch}: robust accuracy {robust_accuracy(model, test_loader):.3f}")


if __name__ == "__main__":
    main()
