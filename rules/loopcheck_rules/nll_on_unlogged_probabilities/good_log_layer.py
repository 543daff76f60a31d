"""A LogSoftmax as the last layer, and its probabilities in the report."""

import torch
from torch import nn

torch.manual_seed(0)
x, y = torch.randn(48, 6), torch.randint(0, 4, (48,))
model = nn.Sequential(nn.Linear(6, 10), nn.ReLU(), nn.Linear(10, 4), nn.LogSoftmax(dim=1))
criterion = nn.NLLLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for inputs, labels in zip(x.split(12), y.split(12), strict=True):
        optimizer.zero_grad()
        outputs = model(inputs)
        loss = criterion(outputs, labels)
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch}: loss {loss.item():.4f}, sure {outputs.exp().max(dim=1).values.mean().item():.2f}")
