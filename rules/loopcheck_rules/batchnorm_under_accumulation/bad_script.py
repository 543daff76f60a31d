"""A flat script: vectors, a Sequential with batch norm, and a step with every fourth batch."""

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
optimizer.zero_grad()
for i, x in enumerate(torch.randn(64, 8).split(4)):
    loss = nn.functional.mse_loss(model(x), x.mean(dim=1, keepdim=True))
    (loss / 4).backward()  # bug
    if (i + 1) % 4 == 0:
        optimizer.step()
        optimizer.zero_grad()
print(f"loss {loss.item():.4f}")
