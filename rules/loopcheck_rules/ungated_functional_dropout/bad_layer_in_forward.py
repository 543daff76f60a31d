"""A layer that is made in the forward is new each time, and in train mode as anything new: `eval()` has never met it."""

import torch
from torch import nn


class Features(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.head = nn.Linear(6, 12), nn.Linear(12, 1)

    def forward(self, x):
        x = torch.relu(self.body(x))
        x = nn.Dropout(p=0.5)(x)  # bug
        spare = nn.Dropout(0.2)
        return self.head(spare(x)).squeeze(-1)  # bug


torch.manual_seed(0)
x = torch.randn(40, 6)
y = x.sum(dim=1)
model = Features()
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
for epoch in range(2):
    model.train()
    for inputs, targets in zip(x.split(10), y.split(10), strict=True):
        optimizer.zero_grad()
        loss = (model(inputs) - targets).pow(2).mean()
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        error = (model(x) - y).pow(2).mean()
    print(f"epoch {epoch}: loss {loss.item():.4f}, held against all {error.item():.4f}")
