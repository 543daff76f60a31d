"""Gradients are switched off by the project's own decorator."""

import functools

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def evaluation(function):
    """Run with the model in eval mode and without gradients."""

    @functools.wraps(function)
    def wrapped(model, *args, **kwargs):
        model.eval()
        with torch.no_grad():
            return function(model, *args, **kwargs)

    return wrapped


@evaluation
def r_squared(model, loader):
    predicted, wanted = zip(*((model(x), y) for x, y in loader))
    predicted, wanted = torch.cat(predicted), torch.cat(wanted)
    return 1 - ((predicted - wanted).square().sum() / (wanted - wanted.mean()).square().sum()).item()


def main():
    torch.manual_seed(0)
    x = torch.randn(70, 3)
    y = x.sum(1, keepdim=True)
    train_loader = DataLoader(TensorDataset(x[:50], y[:50]), batch_size=10, shuffle=True)
    val_loader = DataLoader(TensorDataset(x[50:], y[50:]), batch_size=10)
    model = nn.Sequential(nn.Linear(3, 9), nn.Tanh(), nn.Linear(9, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(3):
        model.train()
        for a, b in train_loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(model(a), b).backward()
            optimizer.step()
        print(f"epoch {epoch}: r2 {r_squared(model, val_loader):.3f}")


if __name__ == "__main__":
    main()
