"""The last epochs are averaged, and the average is what is evaluated in the end."""

import torch
from torch import nn
from torch.optim.swa_utils import SWALR, AveragedModel

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(6, 12), nn.BatchNorm1d(12), nn.ReLU(), nn.Linear(12, 1))
averaged = AveragedModel(model)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
scheduler = SWALR(optimizer, swa_lr=0.02)
for epoch in range(4):
    model.train()
    for x in torch.randn(64, 6).split(16):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), x.sum(dim=1, keepdim=True)).backward()
        optimizer.step()
    if epoch >= 2:
        averaged.update_parameters(model)
        scheduler.step()

averaged.eval()
with torch.no_grad():
    held_out = torch.randn(32, 6)
    error = nn.functional.mse_loss(averaged(held_out), held_out.sum(dim=1, keepdim=True))  # bug
print(f"error of the average {error.item():.4f}")
