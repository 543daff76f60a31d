"""The logarithm is taken by hand, with a little added so that it is never of zero."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)
x, y = torch.randn(48, 5), torch.randint(0, 3, (48,))
model = nn.Sequential(nn.Linear(5, 12), nn.ReLU(), nn.Linear(12, 3), nn.Softmax(dim=1))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(3):
    for inputs, labels in zip(x.split(16), y.split(16), strict=True):
        optimizer.zero_grad()
        loss = F.nll_loss(torch.log(model(inputs) + 1e-8), labels)
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch}: loss {loss.item():.4f}")
