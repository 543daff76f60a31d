"""The sigmoid is a gate inside the network: what is gated goes through one more layer, and that puts out logits."""

import torch
from torch import nn
from torch.nn import functional as F


class Gated(nn.Module):
    def __init__(self):
        super().__init__()
        self.value, self.gate, self.out = nn.Linear(6, 8), nn.Linear(6, 8), nn.Linear(8, 1)

    def forward(self, x):
        gate = torch.sigmoid(self.gate(x))
        return self.out(gate * self.value(x))


torch.manual_seed(0)
x = torch.randn(40, 6)
y = (x[:, :1] > 0).float()
model = Gated()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for inputs, labels in zip(x.split(10), y.split(10), strict=True):
        loss = F.binary_cross_entropy_with_logits(model(inputs), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch}: loss {loss.item():.4f}")
