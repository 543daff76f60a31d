"""What a step reports is kept in dictionaries: numbers, what is cut from its graph, and losses that are learned from together."""

import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(40, 4)
y = x.sum(dim=1, keepdim=True)
net = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 1))
optimizer = torch.optim.Adam(net.parameters(), lr=0.05)

rows, pairs = [], []
for epoch in range(2):
    for inputs, targets in zip(x.split(8), y.split(8), strict=True):
        loss = nn.functional.l1_loss(net(inputs), targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        rows.append({"epoch": epoch, "loss": loss.item()})
        pairs.append((epoch, loss.detach()))
print(f"{sum(row['loss'] for row in rows) / len(rows):.4f} {float(pairs[-1][1]):.4f}")

parts = []
for inputs, targets in zip(x.split(8), y.split(8), strict=True):
    out = net(inputs)
    parts.append({"loss": nn.functional.l1_loss(out, targets), "size": len(inputs)})
optimizer.zero_grad()
sum(part["loss"] * part["size"] / len(x) for part in parts).backward()
optimizer.step()

means = []
for inputs, targets in zip(x.split(8), y.split(8), strict=True):
    row = {"loss": nn.functional.l1_loss(net(inputs), targets)}
    optimizer.zero_grad()
    row["loss"].backward()
    optimizer.step()
    row = {name: value.item() for name, value in row.items()}
    means.append(row)
print(f"{sum(row['loss'] for row in means) / len(means):.4f}")


def report(rows):
    return sum(row["loss"].item() for row in rows) / len(rows)


class Regressor(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(4, 1)

    def training_step(self, batch):
        inputs, targets = batch
        return {"loss": (self.net(inputs) - targets).square().mean()}


def train(module, batches):
    optimizer = torch.optim.Adam(module.parameters(), lr=0.05)
    rows = []
    for batch in batches:
        optimizer.zero_grad()
        row = module.training_step(batch)
        row["loss"].backward()
        optimizer.step()
        row["loss"] = row["loss"].detach()
        rows.append(row)
    return report(rows)


print(f"{train(globals()['Regressor'](), list(zip(x.split(8), y.split(8), strict=True))):.4f}")
