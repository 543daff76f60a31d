"""A module that is told to keep its gradients, once for each window."""

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(8, 1)
optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
for i, x in enumerate(torch.randn(64, 8).split(8)):
    loss = nn.functional.mse_loss(net(x), x.mean(dim=1, keepdim=True)) / 2
    loss.backward()
    if (i + 1) % 2 == 0:
        optimizer.step()
        net.zero_grad(False)  # bug
print(f"loss {2 * loss.item():.4f}")
