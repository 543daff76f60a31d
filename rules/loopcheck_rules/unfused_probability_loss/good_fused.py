"""log_softmax takes the logarithm as it goes, and a mixture of several predictions is no softmax any more."""

import torch
from torch import nn

torch.manual_seed(0)
inputs, classes = torch.randn(64, 6), torch.randint(0, 3, (64,))
one, other = nn.Linear(6, 3), nn.Linear(6, 3)
criterion = nn.NLLLoss()
optimizer = torch.optim.SGD([*one.parameters(), *other.parameters()], lr=0.1)
for x, y in zip(inputs.split(16), classes.split(16), strict=True):
    optimizer.zero_grad()
    mixture = (torch.softmax(one(x), dim=1) + torch.softmax(other(x), dim=1)) / 2
    loss = criterion(torch.log(mixture), y) + criterion(torch.log_softmax(one(x), dim=1), y)
    loss.backward()
    optimizer.step()
print(f"loss {loss.item():.4f}")
