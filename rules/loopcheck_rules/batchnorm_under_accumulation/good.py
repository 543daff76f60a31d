"""A window of four micro-batches, and the batch that it stands for, from the same weights: two first steps to be compared."""

import torch
from torch import nn

ACCUMULATE = 4


def network():
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(6, 16), nn.LayerNorm(16), nn.ReLU(), nn.Linear(16, 1))


def accumulated(x, y):
    model = network()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    batches = zip(x.split(len(x) // ACCUMULATE), y.split(len(y) // ACCUMULATE), strict=True)
    for i, (inputs, targets) in enumerate(batches):
        loss = nn.functional.mse_loss(model(inputs), targets)
        (loss / ACCUMULATE).backward()
        if (i + 1) % ACCUMULATE == 0:
            optimizer.step()
            optimizer.zero_grad()


def whole(x, y):
    model = network()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    optimizer.zero_grad()
    nn.functional.mse_loss(model(x), y).backward()
    optimizer.step()


torch.manual_seed(1)
inputs = torch.randn(32, 6)
targets = inputs.sum(dim=1, keepdim=True)
accumulated(inputs, targets)
whole(inputs, targets)
