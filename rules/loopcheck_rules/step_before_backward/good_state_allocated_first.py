"""Allocates the optimizer's state with a step at learning rate 0, so that a checkpoint can be loaded into it."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def allocate_state(optimizer):
    """One step over zero gradients and without a learning rate: nothing moves, every buffer exists."""
    rates = [group["lr"] for group in optimizer.param_groups]
    for group in optimizer.param_groups:
        group["lr"] = 0.0
        for p in group["params"]:
            p.grad = torch.zeros_like(p)
    optimizer.step()
    optimizer.zero_grad()
    for group, lr in zip(optimizer.param_groups, rates):
        group["lr"] = lr


def train(model, optimizer, loader, device):
    model.train()
    for x, y in loader:
        logits = model(x.to(device))
        loss = nn.functional.cross_entropy(logits, y.to(device))
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    return loss.item()


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = nn.Sequential(nn.Linear(5, 10), nn.Tanh(), nn.Linear(10, 3)).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    allocate_state(optimizer)
    loader = DataLoader(TensorDataset(torch.randn(45, 5), torch.randint(0, 3, (45,))), batch_size=15, shuffle=True)
    for epoch in range(2):
        print(epoch, train(model, optimizer, loader, device))


if __name__ == "__main__":
    main()
