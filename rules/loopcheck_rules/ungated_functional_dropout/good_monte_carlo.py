"""Monte Carlo dropout: the spread of many forwards is what is wanted, so it is on for good, and says so."""

import torch
from torch import nn
from torch.nn import functional as F


class Regressor(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden, self.out = nn.Linear(4, 32), nn.Linear(32, 1)

    def forward(self, x):
        return self.out(F.dropout(torch.relu(self.hidden(x)), p=0.2, training=True))


torch.manual_seed(0)
x = torch.randn(48, 4)
y = x.sum(dim=1, keepdim=True)
model = Regressor()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(3):
    for inputs, targets in zip(x.split(16), y.split(16), strict=True):
        optimizer.zero_grad()
        loss = F.mse_loss(model(inputs), targets)
        loss.backward()
        optimizer.step()
model.eval()
with torch.no_grad():
    samples = torch.stack([model(x[:4]) for _ in range(20)])
print(f"spread {samples.std(dim=0).mean().item():.4f}")
