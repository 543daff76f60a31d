"""Another library's zero_grad takes options of its own, and a gradient that is read after the clearing is not there by default."""

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for x in torch.randn(32, 8).split(8):
    optimizer.zero_grad()
    cleared = all(p.grad is None for p in model.parameters())
    loss = nn.functional.mse_loss(model(x), x.mean(dim=1, keepdim=True))
    loss.backward()
    optimizer.step()
print(f"loss {loss.item():.4f}, cleared {cleared}")
