"""A few plain steps find a learning rate; only then does Fabric take over."""

import copy

import torch
from lightning.fabric import Fabric
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def best_rate(model, loader, rates=(0.01, 0.1)):
    losses = {}
    for rate in rates:
        trial = copy.deepcopy(model)
        optimizer = torch.optim.SGD(trial.parameters(), lr=rate)
        for x, y in loader:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(trial(x), y)
            loss.backward()
            optimizer.step()
        losses[rate] = loss.item()
    return min(losses, key=losses.get)


def main():
    fabric = Fabric(accelerator="cpu", devices=1)
    fabric.seed_everything(0, verbose=False)
    model = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 1))
    loader = DataLoader(TensorDataset(torch.randn(32, 6), torch.randn(32, 1)), batch_size=8, shuffle=True)
    optimizer = torch.optim.SGD(model.parameters(), lr=best_rate(model, loader))

    model, optimizer = fabric.setup(model, optimizer)
    loader = fabric.setup_dataloaders(loader)
    for epoch in range(2):
        for x, y in loader:
            loss = nn.functional.mse_loss(model(x), y)
            fabric.backward(loss)
            optimizer.step()
            optimizer.zero_grad()
        fabric.print(epoch, loss.item())


if __name__ == "__main__":
    main()
