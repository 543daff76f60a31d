"""A decay by a factor, with every micro-batch: no length says what it is meant to count."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

accumulation_steps = 4

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(64, 8), torch.randn(64, 1)), batch_size=4, shuffle=True)
model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.99)

for epoch in range(2):
    for i, (x, y) in enumerate(loader):
        loss = nn.functional.mse_loss(model(x), y)
        (loss / accumulation_steps).backward()
        if (i + 1) % accumulation_steps == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
        scheduler.step()
    print(f"epoch {epoch}: {loss.item():.4f}")
