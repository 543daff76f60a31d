"""A regression on a network in half precision, to save memory."""

import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(64, 16)
y = x.sum(dim=1, keepdim=True) / 4

model = nn.Sequential(nn.Linear(16, 32), nn.Tanh(), nn.Linear(32, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=1e-5)

for step in range(20):
    optimizer.zero_grad()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss = nn.functional.mse_loss(model(x), y)
    loss.backward()
    optimizer.step()
print(f"loss {loss.item():.4f}")
