"""The wrapper is told by its attribute when to average; and a window of one process has nobody to average with."""

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

ACCUMULATE = 2


def train(model, loader, several):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        if several:
            model.require_backward_grad_sync = (i + 1) % ACCUMULATE == 0
        loss = nn.functional.mse_loss(model(x), y) / ACCUMULATE
        loss.backward()
        if (i + 1) % ACCUMULATE == 0:
            optimizer.step()
            optimizer.zero_grad()


if __name__ == "__main__":
    distributed = "RANK" in os.environ
    if distributed:
        dist.init_process_group("gloo")
    torch.manual_seed(0)
    data = torch.randn(32, 6)
    batches = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(data, data[:, :1]), batch_size=4)
    train(DistributedDataParallel(nn.Linear(6, 1)) if distributed else nn.Linear(6, 1), batches, distributed)
    train(nn.Linear(6, 1), batches, False)
    if distributed:
        dist.destroy_process_group()
