"""The order is fixed on purpose (`shuffle=False`): the data are a stream in time."""

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

torch.manual_seed(0)
if "RANK" in os.environ:
    dist.init_process_group("gloo")
where = dict() if dist.is_initialized() else dict(num_replicas=2, rank=0)

series = torch.sin(torch.arange(68) / 5.0)
windows = series.unfold(0, 5, 1)
dataset = TensorDataset(windows[:, :4], windows[:, 4:])
sampler = DistributedSampler(dataset, shuffle=False, **where)
loader = DataLoader(dataset, batch_size=8, sampler=sampler)
forecaster = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
if dist.is_initialized():
    forecaster = nn.parallel.DistributedDataParallel(forecaster)
optimizer = torch.optim.Adam(forecaster.parameters(), lr=1e-2)
for epoch in range(3):
    for past, future in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(forecaster(past), future)
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch}: {loss.item():.4f}")
if dist.is_initialized():
    dist.destroy_process_group()
