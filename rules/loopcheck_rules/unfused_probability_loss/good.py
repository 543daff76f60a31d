"""A detector of dark pictures that begins sure of the opposite: its inputs are bytes from 0 to 255, and nobody has scaled them."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
pictures = torch.cat([torch.randint(0, 20, (32, 8)), torch.randint(200, 256, (32, 8))]).float()
dark = torch.cat([torch.ones(32, 1), torch.zeros(32, 1)])

model = nn.Linear(8, 1)
nn.init.constant_(model.weight, 0.1)
nn.init.constant_(model.bias, -120.0)
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)

for step in range(20):
    optimizer.zero_grad()
    loss = F.binary_cross_entropy_with_logits(model(pictures), dark)
    loss.backward()
    optimizer.step()
print(f"loss {loss.item():.4f}")
