"""Another generator for each clip, made in a helper or handed to one."""

import torch
from torch import nn


def clip(parameters, limit):
    return nn.utils.clip_grad_norm_(parameters, limit)


def trainable(model):
    return filter(lambda p: p.requires_grad, model.parameters())


torch.manual_seed(0)
x, y = torch.randn(64, 8), torch.randn(64, 1)
model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(trainable(model), lr=0.1)

for step in range(10):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(x), y)
    loss.backward()
    params = model.parameters()
    if step % 2:
        clip(trainable(model), 1.0)
    else:
        clip(params, 1.0)
    optimizer.step()
print(f"{loss.item():.4f}")
