"""Training with the network of another file, which has a demonstration of its own that does not run here."""

import torch
from network import net
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(60, 3)
y = x.sum(1, keepdim=True)
train_loader = DataLoader(TensorDataset(x[:40], y[:40]), batch_size=10, shuffle=True)
val_loader = DataLoader(TensorDataset(x[40:], y[40:]), batch_size=10)
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
for epoch in range(2):
    for a, b in train_loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(net(a), b).backward()
        optimizer.step()
    with torch.no_grad():
        error = sum(nn.functional.mse_loss(net(a), b).item() for a, b in val_loader)  # bug: missing-eval-mode
    print(epoch, error)
