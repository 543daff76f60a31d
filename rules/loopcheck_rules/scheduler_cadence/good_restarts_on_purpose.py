"""Warm restarts that are told where they are within the epoch, batch by batch: their length is in epochs."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

epochs = 4

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(64, 8), torch.randn(64, 1)), batch_size=16, shuffle=True)
model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.CosineAnnealingWarmRestarts(optimizer, T_0=epochs)

for epoch in range(epochs):
    for i, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        scheduler.step(epoch + i / len(loader))
    print(f"epoch {epoch}: loss {loss.item():.4f}")
