"""A head that is kept as it was drawn, on purpose, in a model of which the optimizer has another part."""

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 10))
optimizer = torch.optim.SGD(model[0].parameters(), lr=0.1)
model[2] = nn.Linear(8, 2)
x, y = torch.randn(32, 4), torch.randint(2, (32,))
for _ in range(3):
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
print(f"loss {loss.item():.3f}")
