"""Clips that are one by one and right: of groups with limits of their own, by value, to log a norm, and by each one's own size."""

import math

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = torch.randn(48, 5)
encoder, head = nn.Linear(5, 8), nn.Linear(8, 2)
optimizer = torch.optim.SGD([{"params": encoder.parameters(), "lr": 0.1}, {"params": head.parameters(), "lr": 0.5}], lr=0.1)
for number, (x, y) in enumerate(DataLoader(TensorDataset(data, data[:, :2]), batch_size=8)):
    optimizer.zero_grad()
    loss = (head(torch.relu(encoder(x))) - y).square().mean()
    loss.backward()
    if number % 2:
        for group in optimizer.param_groups:
            nn.utils.clip_grad_norm_(group["params"], 0.1)
    else:
        for part in (encoder, head):
            nn.utils.clip_grad_norm_(part.parameters(), 0.1)
    for p in [*encoder.parameters(), *head.parameters()]:
        nn.utils.clip_grad_value_(p, 0.05)
    norms = [nn.utils.clip_grad_norm_(p, math.inf).item() for p in encoder.parameters()]
    nn.utils.clip_grad_norm_(head.weight, 0.02)
    optimizer.step()
    print(norms)
