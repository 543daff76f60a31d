"""One average takes the statistics with the weights, another network has none to take."""

import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel

torch.manual_seed(0)
x = 2.0 + torch.randn(64, 8)
y = x.mean(dim=1, keepdim=True)


def train(model, average):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    model.train()
    for inputs, targets in zip(x.split(16), y.split(16), strict=True):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(inputs), targets).backward()
        optimizer.step()
        average.update_parameters(model)


def error(model):
    model.eval()
    with torch.no_grad():
        return nn.functional.mse_loss(model(x), y).item()


normed = nn.Sequential(nn.Linear(8, 16), nn.BatchNorm1d(16), nn.Tanh(), nn.Linear(16, 1))
with_buffers = AveragedModel(normed, use_buffers=True)
train(normed, with_buffers)
by_layer = nn.Sequential(nn.Linear(8, 16), nn.LayerNorm(16), nn.Dropout(0.1), nn.Linear(16, 1))
without_batch = AveragedModel(by_layer)
train(by_layer, without_batch)
print(f"errors {error(with_buffers):.4f} and {error(without_batch):.4f}")
