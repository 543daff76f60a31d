"""Matrices alone are collected in a list of modules: there is neither a norm nor a bias among them."""

import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(48, 6)
layers = nn.ModuleList([])
for width in (6, 6):
    layers.append(nn.Linear(width, 6, bias=False))
optimizer = torch.optim.AdamW(layers.parameters(), lr=1e-2, weight_decay=0.1)
for step in range(4):
    out = x
    for layer in layers:
        out = layer(out).tanh()
    loss = nn.functional.mse_loss(out, x.flip(1))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(f"step {step}: loss {loss.item():.4f}")
