"""Four ways to drop while training alone: after a return, in a conditional, by a share that a test has set, by a layer's own mode."""

import torch
from torch import nn
from torch.nn import functional as F


class Blocks(nn.Module):
    def __init__(self, share):
        super().__init__()
        self.share = share
        self.layers = nn.ModuleList([nn.Linear(8, 8) for _ in range(4)])

    def first(self, x):
        x = self.layers[0](x)
        if not self.training:
            return x
        return F.dropout(x, self.share)

    def second(self, x):
        x = self.layers[1](x)
        return F.dropout(x, self.share) if self.training else x

    def third(self, x):
        share = self.share
        if not self.training:
            share = 0.0
        return F.dropout(self.layers[2](x), share)

    def fourth(self, x):
        drop = nn.Dropout(self.share)
        drop.train(self.training)
        return nn.Dropout(self.share).train(self.training)(drop(self.layers[3](x)))

    def forward(self, x):
        return self.fourth(self.third(self.second(self.first(x)))).sum(dim=1)


torch.manual_seed(0)
x = torch.randn(40, 8)
y = x.sum(dim=1)
model = Blocks(0.1)
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
