"""Gradients are set to zero, and stay while the next batch is computed."""

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(32, 64), nn.ReLU(), nn.Linear(64, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
held = []

for x in torch.randn(64, 32).split(16):
    loss = nn.functional.mse_loss(model(x), x.mean(dim=1, keepdim=True))
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    held.append(sum(p.grad.nbytes for p in model.parameters() if p.grad is not None))
print(f"loss {loss.item():.4f}")
print(f"bytes of gradients during a forward: {max(held)}")
