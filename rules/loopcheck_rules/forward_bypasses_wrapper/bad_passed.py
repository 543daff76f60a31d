"""The wrapper is handed to the function that trains, and only its validation applies the wrapper."""

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def train(net, loader):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for x, y in loader:
        loss = nn.functional.mse_loss(net.module(x), y)  # bug
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


@torch.no_grad()
def validate(net, val_loader):
    return sum(nn.functional.mse_loss(net(x), y, reduction="sum").item() for x, y in val_loader)


if __name__ == "__main__" and "RANK" in os.environ:
    dist.init_process_group("gloo")
    torch.manual_seed(0)
    data = torch.randn(32, 6)
    loader = DataLoader(TensorDataset(data, data[:, :1]), batch_size=4)
    ddp = nn.parallel.DistributedDataParallel(nn.Linear(6, 1))
    train(ddp, loader)
    print(validate(ddp, loader))
    dist.destroy_process_group()
