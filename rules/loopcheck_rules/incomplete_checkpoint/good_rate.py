"""The rate is a function of the epoch alone, or of the rate before; and what is not stepped has nothing to be saved."""

import io
import math

import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(32, 4)
model = nn.Linear(4, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
decay = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.99)
scaler = torch.amp.GradScaler("cpu", enabled=False)

for epoch in range(3):
    for group in optimizer.param_groups:
        group["lr"] = 0.05 * (1 + math.cos(math.pi * epoch / 3))
    for batch in x.split(8):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(batch), batch)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
    decay.step()
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}, io.BytesIO())
print(f"loss {loss.item():.4f}")
