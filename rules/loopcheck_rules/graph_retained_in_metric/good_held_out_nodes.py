"""One forward for all nodes of a graph: what it comes to on those that are held out is computed without autograd."""

import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(64, 4)
y = x.sum(dim=1, keepdim=True)
held_out = torch.arange(64) >= 48
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
errors, losses, total = [], [], 0.0
for step in range(20):
    optimizer.zero_grad()
    out = model(x)
    loss = nn.functional.mse_loss(out[~held_out], y[~held_out])
    loss.backward()
    optimizer.step()
    with torch.no_grad():
        error = nn.functional.mse_loss(out[held_out], y[held_out])
        errors.append(error)
        total = total + (out - y).square().mean()
        losses.append((out - y).abs().mean())
print(f"{errors[0]:.4f} {errors[-1]:.4f} {losses[-1]:.4f} {total:.4f}")
