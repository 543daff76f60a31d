"""A softmax, its logarithm, and NLLLoss, each by itself."""

import torch
from torch import nn

torch.manual_seed(0)
inputs, classes = torch.randn(64, 6), torch.randint(0, 3, (64,))
model = nn.Linear(6, 3)
criterion = nn.NLLLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x, y in zip(inputs.split(16), classes.split(16), strict=True):
    optimizer.zero_grad()
    probabilities = torch.softmax(model(x), dim=1)
    loss = criterion(torch.log(probabilities), y)  # bug
    loss.backward()
    optimizer.step()
print(f"loss {loss.item():.4f}")
