"""Trained in float32, and evaluated in float16: there are no gradients there."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x, y = torch.randn(96, 8), torch.randn(96, 1)
loader = DataLoader(TensorDataset(x[:64], y[:64]), batch_size=16, shuffle=True)
model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for epoch in range(2):
    for inputs, targets in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(inputs), targets)
        loss.backward()
        optimizer.step()
    with torch.no_grad(), torch.autocast("cpu", dtype=torch.float16):
        print(f"epoch {epoch}: {nn.functional.mse_loss(model(x[64:]), y[64:]).item():.4f}")
