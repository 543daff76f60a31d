"""The average is applied to the training data in train mode, which is what update_bn does; it takes its mode from there."""

import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel

torch.manual_seed(0)
x = 2.0 + torch.randn(64, 8)
y = x.mean(dim=1, keepdim=True)
model = nn.Sequential(nn.Linear(8, 16), nn.BatchNorm1d(16), nn.Tanh(), nn.Linear(16, 1))
average = AveragedModel(model)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for epoch in range(3):
    for inputs, targets in zip(x.split(16), y.split(16), strict=True):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(inputs), targets).backward()
        optimizer.step()
    average.update_parameters(model)

average.train()
with torch.no_grad():
    for _ in range(2):
        for inputs in x.split(16):
            average(inputs)
average.eval()
with torch.no_grad():
    error = nn.functional.mse_loss(average(x), y)
print(f"error {error.item():.4f}")
