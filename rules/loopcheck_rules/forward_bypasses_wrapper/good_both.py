"""One loss of two forwards: the wrapper's tells it that a backward comes, and the other's gradients are averaged with it."""

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

if __name__ == "__main__" and "RANK" in os.environ:
    dist.init_process_group("gloo")
    torch.manual_seed(0)
    model = DistributedDataParallel(nn.Linear(6, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x in torch.randn(8, 4, 6):
        optimizer.zero_grad()
        found = model(x + dist.get_rank())
        again = model.module(x)
        loss = (found - again).square().mean() + found.square().mean()
        loss.backward()
        optimizer.step()
    dist.destroy_process_group()
