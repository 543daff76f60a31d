"""A step for each batch of a network with batch norm, and a window of another one with group norm."""

import torch
from torch import nn

torch.manual_seed(0)
pictures, labels = torch.randn(32, 2, 4, 4), torch.randint(0, 3, (32,))
by_batch = nn.Sequential(nn.Conv2d(2, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.Flatten(), nn.Linear(16, 3))
by_group = nn.Sequential(nn.Conv2d(2, 4, 3), nn.GroupNorm(2, 4), nn.ReLU(), nn.Flatten(), nn.Linear(16, 3))
one = torch.optim.SGD(by_batch.parameters(), lr=0.05)
other = torch.optim.SGD(by_group.parameters(), lr=0.05)
for i, (x, y) in enumerate(zip(pictures.split(8), labels.split(8), strict=True)):
    one.zero_grad()
    nn.functional.cross_entropy(by_batch(x), y).backward()
    one.step()
    loss = nn.functional.cross_entropy(by_group(x), y) / 2
    loss.backward()
    if (i + 1) % 2 == 0:
        other.step()
        other.zero_grad()
print(f"loss {2 * loss.item():.4f}")
