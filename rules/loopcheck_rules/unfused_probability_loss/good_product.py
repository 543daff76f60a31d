"""A probability that is a product of two has no logit to be handed on."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
inputs, bought = torch.randn(64, 6), torch.randint(0, 2, (64, 1)).float()
clicks, buys = nn.Linear(6, 1), nn.Linear(6, 1)
optimizer = torch.optim.SGD([*clicks.parameters(), *buys.parameters()], lr=0.1)
for x, y in zip(inputs.split(16), bought.split(16), strict=True):
    optimizer.zero_grad()
    both = torch.sigmoid(clicks(x)) * torch.sigmoid(buys(x))
    loss = F.binary_cross_entropy(both, y)
    loss.backward()
    optimizer.step()
print(f"loss {loss.item():.4f}")
