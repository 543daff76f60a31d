"""The gradient of one task is measured on what both share and thrown away: the backward of both computes it again."""

import torch
from torch import nn

torch.manual_seed(0)
trunk, one, other = nn.Linear(4, 8), nn.Linear(8, 1), nn.Linear(8, 1)
optimizer = torch.optim.SGD([*trunk.parameters(), *one.parameters(), *other.parameters()], lr=0.01)
for step in range(4):
    x, y, z = torch.randn(8, 4), torch.randn(8, 1), torch.randn(8, 1)
    optimizer.zero_grad()
    first = nn.functional.mse_loss(one(trunk(x)), y)
    first.backward()
    size = trunk.weight.grad.norm().item()

    optimizer.zero_grad()
    loss = nn.functional.mse_loss(one(trunk(x)), y) + nn.functional.mse_loss(other(trunk(x)), z)
    loss.backward()
    optimizer.step()
    print(f"step {step}: {loss.item():.3f}, gradient of the first task {size:.3f}")
