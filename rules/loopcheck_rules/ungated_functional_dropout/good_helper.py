"""The dropping is a method of its own, which the forward calls where it trains."""

import torch
from torch import nn
from torch.nn import functional as F


class Encoder(nn.Module):
    def __init__(self, share):
        super().__init__()
        self.share = share
        self.body, self.head = nn.Linear(6, 16), nn.Linear(16, 2)

    def _drop(self, x):
        return F.dropout(x, self.share)

    def forward(self, x):
        x = torch.relu(self.body(x))
        if self.training:
            x = self._drop(x)
        return self.head(x)


torch.manual_seed(0)
x, y = torch.randn(40, 6), torch.randint(0, 2, (40,))
model = Encoder(0.3)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(2):
    model.train()
    for inputs, targets in zip(x.split(10), y.split(10), strict=True):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(inputs), targets)
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        print(f"epoch {epoch}: {F.cross_entropy(model(x), y).item():.4f}")
