"""Gradients are taken out, cleared and put back, without those that are too small to matter."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(40, 5), torch.randn(40, 1)), batch_size=10, shuffle=True)
model = nn.Sequential(nn.Linear(5, 10), nn.Tanh(), nn.Linear(10, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        kept = [p.grad.clone() for p in model.parameters()]
        optimizer.zero_grad()
        for p, gradient in zip(model.parameters(), kept):
            p.grad = gradient * (gradient.abs() > 1e-3)
        optimizer.step()
    print(f"{epoch}: {loss.item():.4f}")
