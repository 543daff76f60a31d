"""A window written as a loop of its own, over the micro-batches of one batch."""

import os

import torch
import torch.distributed as dist
from torch import nn

MICRO_BATCHES = 4

torch.manual_seed(0)
distributed = "RANK" in os.environ
if distributed:
    dist.init_process_group("gloo")
net = nn.Sequential(nn.Linear(6, 8), nn.Tanh(), nn.Linear(8, 1))
if distributed:
    net = nn.parallel.DistributedDataParallel(net)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
data = torch.randn(32, 6)
loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(data, data.sum(dim=1, keepdim=True)), batch_size=4)

for i, (x, y) in enumerate(loader):
    loss = nn.functional.mse_loss(net(x), y)
    (loss / MICRO_BATCHES).backward()  # bug
    if i % MICRO_BATCHES == MICRO_BATCHES - 1:
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
if distributed:
    dist.destroy_process_group()
