"""Gradients are changed through `.data` after the backward, weights under no_grad after the step: nothing waits for either."""

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(4):
    x = torch.randn(16, 8)
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(x), x.mean(dim=1, keepdim=True))
    shown = model.weight.data.norm().item()
    loss.backward()
    for p in model.parameters():
        p.grad.data.clamp_(-1, 1)
    optimizer.step()
    with torch.no_grad():
        for p in model.parameters():
            p.mul_(0.999)
print(f"loss {loss.item():.4f}, norm {shown:.4f}")
