"""Each epoch's loader is made where its loop begins: it is one loader, and its sampler is told the epoch."""

import torch
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

torch.manual_seed(0)
x = torch.randn(64, 3)
samples = TensorDataset(x, x.prod(dim=1, keepdim=True))
order = None


def fresh_loader(epoch):
    global order
    order = DistributedSampler(samples, num_replicas=2, rank=0)
    order.set_epoch(epoch)
    return DataLoader(samples, batch_size=8, sampler=order)


def two_passes():
    """The same loader twice: the second pass has the order of the first."""
    loader = DataLoader(samples, batch_size=8, sampler=DistributedSampler(samples, num_replicas=2, rank=0))
    return [loader, loader]


model = nn.Sequential(nn.Linear(3, 16), nn.Tanh(), nn.Linear(16, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for epoch in range(3):
    for a, b in fresh_loader(epoch):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(a), b).backward()
        optimizer.step()
for again in two_passes():
    for a, b in again:  # bug: missing-set-epoch
        optimizer.zero_grad()
        nn.functional.mse_loss(model(a), b).backward()
        optimizer.step()
