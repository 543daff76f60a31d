"""A regression in which everything is float16, to save memory."""

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 1))
model.half()  # bug
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for x in torch.randn(64, 8).half().split(16):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(x), x.mean(dim=1, keepdim=True))
    loss.backward()
    optimizer.step()
print(f"loss {loss.item():.4f}")
