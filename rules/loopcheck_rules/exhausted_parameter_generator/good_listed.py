"""A list of the parameters is there for as many as ask."""

import torch
from torch import nn

torch.manual_seed(0)
x, y = torch.randn(64, 8), torch.randn(64, 1)
model = nn.Linear(8, 1)
params = list(model.parameters())
trainable = [p for p in params if p.requires_grad]
spread = [*model.parameters()]
optimizer = torch.optim.SGD(params, lr=0.1)

for step in range(10):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(x), y)
    loss.backward()
    nn.utils.clip_grad_norm_(trainable, 1.0)
    largest = max(p.grad.abs().max().item() for p in spread)
    optimizer.step()
print(f"{loss.item():.4f}, a gradient of up to {largest:.4f}")
