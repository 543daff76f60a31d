"""Accumulation counted through all epochs: `(i + epoch * n) % k` holds on some passes and not on others."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(60, 4)
loader = DataLoader(TensorDataset(x, x.prod(1, keepdim=True)), batch_size=10, shuffle=True)
model = nn.Sequential(nn.Linear(4, 32), nn.Tanh(), nn.Linear(32, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
every = 4
n = len(loader)

for epoch in range(4):
    for i, (a, b) in enumerate(loader):
        if (i + epoch * n) % every == 0:
            optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(a), b) / every
        loss.backward()
        if (i + epoch * n + 1) % every == 0:
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
        if (i + epoch * n) % every == 1:
            nn.utils.clip_grad_value_(model.parameters(), 0.5)  # bug: clip-partial-accumulation
    print(epoch, loss.item())
