"""Optimizers that adapt to nothing or decay apart, by their names; and an Adam whose L2 penalty is called one."""

import torch
from torch import nn

torch.manual_seed(0)
x, y = torch.randn(32, 4), torch.randn(32, 1)
for name in ("AdamW", "SGD"):
    model = nn.Linear(4, 1, bias=False)
    optimizer = getattr(torch.optim, name)(model.parameters(), lr=0.01, weight_decay=0.1)
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(x), y)
    loss.backward()
    optimizer.step()
    print(f"{name}: loss {loss.item():.3f}")

l2_penalty = 5e-4
model = nn.Linear(4, 1, bias=False)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=l2_penalty)
loss = nn.functional.mse_loss(model(x), y)
loss.backward()
optimizer.step()
