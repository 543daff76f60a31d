"""Weights of a small network with batch norm, averaged over the epochs."""

import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel, update_bn

torch.manual_seed(0)
x = 5.0 + 3.0 * torch.randn(128, 8)
y = x.mean(dim=1, keepdim=True) - 5.0
batches = list(zip(x.split(16), y.split(16), strict=True))

model = nn.Sequential(nn.Linear(8, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 1))
average = AveragedModel(model)
optimizer = torch.optim.Adam(model.parameters(), lr=0.03)

for epoch in range(10):
    model.train()
    for inputs, targets in batches:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(inputs), targets).backward()
        optimizer.step()
    average.update_parameters(model)

update_bn([inputs for inputs, _ in batches], average)
average.eval()
with torch.no_grad():
    error = nn.functional.mse_loss(average(x), y)
with torch.no_grad():
    layer, norm = average.module[0], average.module[1]
    own = nn.functional.linear(x, layer.weight, layer.bias)
off = (own.mean(dim=0) - norm.running_mean).abs().max() / own.std()
print(f"error {error.item():.4f}, mean off by {off.item()}")
