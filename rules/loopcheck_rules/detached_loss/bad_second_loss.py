"""A second loss is wrapped in a tensor of its own: what is stepped with then are the gradients of the first, once more."""

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for x in torch.randn(32, 4).split(8):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(x), x[:, :2])
    loss.backward()
    optimizer.step()
    penalty = torch.tensor(model(-x).square().mean(), requires_grad=True)
    penalty.backward()  # bug
    optimizer.step()
print(f"loss {loss.item():.4f}, penalty {penalty.item():.4f}")
