"""The losses of a window are summed up to be backpropagated as one; a log takes their values."""

import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(64, 4)
y = x.mean(dim=1, keepdim=True)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
first = nn.functional.mse_loss(model(x), y)
first.backward()

window_loss, log = 0.0, []
for number, (inputs, targets) in enumerate(zip(x.split(8), y.split(8), strict=True)):
    loss = nn.functional.mse_loss(model(inputs), targets)
    window_loss = window_loss + loss / 4
    log.append(loss.item())
    if (number + 1) % 4 == 0:
        optimizer.zero_grad()
        window_loss.backward()
        optimizer.step()
        window_loss = 0.0
print(f"{sum(log) / len(log):.4f}")
