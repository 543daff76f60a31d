"""No window: each batch has its step, and its gradients are averaged for it. A second loss is a batch of its own."""

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

if __name__ == "__main__":
    distributed = "RANK" in os.environ
    if distributed:
        dist.init_process_group("gloo")
    torch.manual_seed(0)
    data = torch.randn(32, 6)
    batches = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(data, data[:, :1]), batch_size=4)
    model = nn.Linear(6, 1)
    model = DistributedDataParallel(model) if distributed else model
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(batches):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        if i % 4 == 0:
            nn.functional.mse_loss(model(x + 0.1 * torch.randn(4, 6)), y).backward()
        optimizer.step()
    if distributed:
        dist.destroy_process_group()
