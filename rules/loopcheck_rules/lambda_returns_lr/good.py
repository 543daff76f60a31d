"""A schedule that halves the learning rate every second epoch, written as the rate that it should be."""

import torch
from torch import nn

torch.manual_seed(0)
lr = 0.01
x = torch.randn(64, 8)
y = x @ torch.randn(8, 1)
model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=lr)
scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda epoch: lr * 0.5 ** (epoch // 2) / lr)

for epoch in range(6):
    for inputs, targets in zip(x.split(16), y.split(16), strict=True):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(inputs), targets)
        loss.backward()
        optimizer.step()
    scheduler.step()
    print(f"epoch {epoch}: loss {loss.item():.4f}")
