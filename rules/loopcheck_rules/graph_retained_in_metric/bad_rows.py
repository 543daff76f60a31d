"""A training step puts out what is to be reported in a dictionary, and the epoch keeps those of all batches for its mean."""

import torch
from torch import nn


class Regressor(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 1))

    def training_step(self, batch):
        inputs, targets = batch
        error = self.net(inputs) - targets
        return {"loss": error.square().mean(), "worst": error.detach().abs().max()}


def mean(rows):
    return sum(float(row["loss"]) for row in rows) / len(rows)


def train(module, optimizer, batches):
    rows = []
    for batch in batches:
        optimizer.zero_grad()
        row = module.training_step(batch)
        row["loss"].backward()
        optimizer.step()
        rows.append(row)  # bug
    return mean(rows)


torch.manual_seed(0)
x = torch.randn(40, 4)
batches = list(zip(x.split(8), x.sum(dim=1, keepdim=True).split(8), strict=True))
module = Regressor()
optimizer = torch.optim.Adam(module.parameters(), lr=0.05)
for epoch in range(2):
    print(f"epoch {epoch}: {train(module, optimizer, batches):.4f}")
